// bench/tight_loop/main.cpp — where exchanging pays: section x parallel part x workers.
#include <hotseat/runtime/thread_pool.hpp>
#include <support/command_line.hpp>
#include <support/handoffs.hpp>
#include <support/machine.hpp>
#include <support/progress.hpp>
#include <support/report.hpp>
#include <support/table.hpp>
#include <tight_loop/run.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace hotseat::bench {
namespace {

std::vector<std::string> contenders() {
  std::vector<std::string> names = handoff_names;
  names.emplace_back(delegated);
  return names;
}

struct options {
  std::size_t tasks = 1000;
  std::vector<std::uint64_t> sections_ns{0, 50, 250, 1000};
  std::vector<std::uint64_t> parallels_ns{0, 100, 500, 2000};
  std::vector<unsigned> workers{1, 2, 4, 8};
  std::vector<std::string> handoffs = handoff_names;
  std::string state = "lock_free";
  std::string order = "fifo";
  std::uint32_t chain_limit = thread_pool_options{}.chain_limit;
  unsigned repetitions = 5;
  unsigned run_ms = 50;
  std::string output;
};

void declare(CLI::App& app, options& wanted) {
  add_number(app, "--tasks", wanted.tasks, "concurrent tasks", std::size_t{1},
             std::size_t{1'000'000});
  add_numbers(app, "--section-ns", wanted.sections_ns,
              "busy waiting in the section; 0 is an increment and nothing else",
              std::uint64_t{0}, std::uint64_t{1'000'000});
  add_numbers(app, "--parallel-ns", wanted.parallels_ns, "busy waiting after the section",
              std::uint64_t{0}, std::uint64_t{1'000'000});
  add_numbers(app, "--workers", wanted.workers, "worker counts", 1U,
              unsigned{thread_pool_options::most_threads});
  add_words(app, "--handoffs", wanted.handoffs,
            "what unlock does with the heir; or with_lock instead of lock and unlock",
            contenders());
  app.add_option("--state", wanted.state, "how the mutex keeps its line")
      ->check(CLI::IsMember(state_names))
      ->capture_default_str();
  app.add_option("--order", wanted.order, "from which end a worker takes its tasks")
      ->check(CLI::IsMember(order_names))
      ->capture_default_str();
  add_number(app, "--chain-limit", wanted.chain_limit, "exchanges in a row on one worker",
             1U, 4'000'000'000U);
  add_number(app, "--repetitions", wanted.repetitions, "measurements of each cell", 1U,
             1000U);
  add_number(app, "--run-ms", wanted.run_ms, "how long a run takes at least", 1U, 60'000U);
  app.add_option("--output", wanted.output, "file for all results, as JSON");
}

struct cell {
  unsigned workers;
  std::uint64_t section_ns;
  std::uint64_t parallel_ns;

  auto operator<=>(const cell&) const = default;
};

/// One hand-off in one cell: what it takes to make a run long enough, and what was
/// measured.
struct series {
  std::uint64_t iterations = 0;
  std::vector<double> mops;
};

class benchmark {
 public:
  explicit benchmark(const options& wanted) : wanted_{wanted} {
    for (const unsigned workers : wanted_.workers) {
      for (const std::uint64_t section_ns : wanted_.sections_ns) {
        for (const std::uint64_t parallel_ns : wanted_.parallels_ns) {
          cells_.push_back({workers, section_ns, parallel_ns});
        }
      }
    }
  }

  int run() {
    require_writable(wanted_.output);
    fmt::print("{}\n", machine_.describe());
    fmt::print("{} tasks, {}, order: {}, chain limit {}, median of {}, in Mops/s\n\n",
               wanted_.tasks, wanted_.state, wanted_.order, wanted_.chain_limit,
               wanted_.repetitions);
    std::fflush(stdout);
    measure();
    print();
    write_report(wanted_.output, report());
    return 0;
  }

 private:
  /// Interleaved: noise that lasts longer than a run meets all hand-offs alike.
  void measure() {
    progress bar{cells_.size() * wanted_.handoffs.size() * wanted_.repetitions};
    const foreign_load others;
    for (unsigned repetition = 0; repetition < wanted_.repetitions; ++repetition) {
      for (const cell& where : cells_) {
        for (const std::string& handoff : wanted_.handoffs) {
          bar.begin(fmt::format("{}, {} workers, {} + {} ns", handoff, where.workers,
                                where.section_ns, where.parallel_ns));
          series& results = measured_[where][handoff];
          results.mops.push_back(run_long_enough(where, handoff, results.iterations));
          bar.step();
        }
      }
    }
    foreign_load_ = others.share();
  }

  /// A run that turns out too short does not count; the next one has more iterations.
  double run_long_enough(const cell& where, const std::string& handoff,
                         std::uint64_t& iterations) const {
    const double least = 1e-3 * wanted_.run_ms;
    if (iterations == 0) iterations = iterations_for(least / 10, shortest_time(where));
    for (;;) {
      const double seconds = run_tight_loop(handoff, wanted_.state,
                                            {.tasks = wanted_.tasks,
                                             .iterations = iterations,
                                             .workers = where.workers,
                                             .section_ns = where.section_ns,
                                             .parallel_ns = where.parallel_ns,
                                             .order = order_named(wanted_.order),
                                             .chain_limit = wanted_.chain_limit});
      const double operations =
          static_cast<double>(iterations) * static_cast<double>(wanted_.tasks);
      if (seconds >= least) return 1e-6 * operations / seconds;
      // A little more than needed, but not more than a step that a hiccup could justify.
      iterations = std::clamp(iterations_for(1.25 * least, seconds / operations),
                              iterations + 1, 20 * iterations);
    }
  }

  /// What an iteration takes if nothing is lost.
  [[nodiscard]] static double shortest_time(const cell& where) {
    constexpr double overhead = 10e-9;
    const double section = 1e-9 * static_cast<double>(where.section_ns);
    const double parallel = 1e-9 * static_cast<double>(where.parallel_ns);
    const unsigned used = std::min(where.workers, usable_cpus());
    return overhead + std::max(section, (section + parallel) / used);
  }

  [[nodiscard]] std::uint64_t iterations_for(double seconds, double each) const {
    return static_cast<std::uint64_t>(
        std::ceil(seconds / each / static_cast<double>(wanted_.tasks)));
  }

  [[nodiscard]] summary summary_of(const cell& where, const std::string& handoff) const {
    return summarize(measured_.at(where).at(handoff).mops);
  }

  [[nodiscard]] bool compares() const {
    const auto has = [this](const char* name) {
      return std::find(wanted_.handoffs.begin(), wanted_.handoffs.end(), name) !=
             wanted_.handoffs.end();
    };
    return has("exchange") && has("dispatch");
  }

  [[nodiscard]] double ratio(const cell& where) const {
    return summary_of(where, "exchange").median / summary_of(where, "dispatch").median;
  }

  [[nodiscard]] const cell& worst() const {
    return *std::min_element(
        cells_.begin(), cells_.end(),
        [this](const cell& a, const cell& b) { return ratio(a) < ratio(b); });
  }

  void print() const {
    table::row heads{"workers", "section", "parallel"};
    for (const std::string& handoff : wanted_.handoffs) {
      heads.insert(heads.end(), {handoff, "min", "max"});
    }
    if (compares()) heads.insert(heads.end(), {"exchange / dispatch", ""});
    table lines{heads};
    for (const cell& where : cells_) {
      table::row line{fmt::format("{}", where.workers),
                      fmt::format("{} ns", where.section_ns),
                      fmt::format("{} ns", where.parallel_ns)};
      for (const std::string& handoff : wanted_.handoffs) {
        const summary mops = summary_of(where, handoff);
        for (const double value : {mops.median, mops.min, mops.max}) {
          line.push_back(fmt::format("{:.3f}", value));
        }
      }
      if (compares()) {
        line.push_back(fmt::format("{:.2f}x", ratio(where)));
        if (where == worst()) line.emplace_back("<- worst");
      }
      lines.add(line);
    }
    lines.print();
    if (compares()) {
      fmt::print("\nworst cell: {} workers, section {} ns, parallel part {} ns: {:.2f}x\n",
                 worst().workers, worst().section_ns, worst().parallel_ns, ratio(worst()));
    }
    fmt::print("other processes used {:.0f} % of the machine meanwhile\n",
               100 * foreign_load_);
  }

  [[nodiscard]] nlohmann::json report() const {
    nlohmann::json cells = nlohmann::json::array();
    for (const cell& where : cells_) {
      for (const std::string& handoff : wanted_.handoffs) {
        const series& results = measured_.at(where).at(handoff);
        cells.push_back({{"handoff", handoff},
                         {"workers", where.workers},
                         {"section_ns", where.section_ns},
                         {"parallel_ns", where.parallel_ns},
                         {"iterations", results.iterations},
                         {"mops", to_json_value(summarize(results.mops))},
                         {"runs", results.mops}});
      }
    }
    return {{"benchmark", "tight_loop"},
            {"machine", machine_.finish()},
            {"foreign_load", foreign_load_},
            {"settings",
             {{"tasks", wanted_.tasks},
              {"state", wanted_.state},
              {"order", wanted_.order},
              {"chain_limit", wanted_.chain_limit},
              {"repetitions", wanted_.repetitions},
              {"run_ms", wanted_.run_ms}}},
            {"cells", cells}};
  }

  options wanted_;
  std::vector<cell> cells_;
  std::map<cell, std::map<std::string, series>> measured_;
  double foreign_load_ = 0;
  machine_facts machine_;
};

}  // namespace
}  // namespace hotseat::bench

int main(int argc, char** argv) {
  using namespace hotseat::bench;
  CLI::App app{"Tasks around one mutex, with sections and parallel parts of all lengths.",
               "bench_tight_loop"};
  options wanted;
  declare(app, wanted);
  return run_program(app, argc, argv, [&] { return benchmark{wanted}.run(); });
}
