// bench/mutex/main.cpp — the paper's mutex benchmark (section 6.1) from the command line.
#include <hotseat/runtime/thread_pool.hpp>
#include <mutex/contenders.hpp>
#include <support/command_line.hpp>
#include <support/handoffs.hpp>
#include <support/progress.hpp>
#include <support/report.hpp>
#include <support/table.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

namespace hotseat::bench {
namespace {

struct options {
  std::size_t tasks = 5000;
  std::uint32_t iterations = 0;
  std::vector<unsigned> workers{1, 2, 4, 8};
  std::vector<std::uint64_t> sections_ns{0};
  std::string range = "large";
  std::string order = "fifo";
  std::uint32_t chain_limit = thread_pool_options{}.chain_limit;
  unsigned repetitions = 5;
  std::uint64_t seed = 1;
  std::vector<std::string> handoffs = handoff_names;
  std::vector<std::string> states{"lock_free"};
  std::vector<std::string> fronts{"coroutines"};
  std::string output;
};

void declare(CLI::App& app, options& wanted) {
  add_number(app, "--tasks", wanted.tasks, "concurrent tasks", std::size_t{1},
             std::size_t{10'000'000});
  app.add_option("--iterations", wanted.iterations,
                 "loop iterations of each task; by default 40 (large) or 200 (small)")
      ->check(CLI::Range(std::uint32_t{1}, std::uint32_t{100'000'000}));
  add_numbers(app, "--workers", wanted.workers, "worker counts", 1U,
              unsigned{thread_pool_options::most_threads});
  add_numbers(app, "--section-ns", wanted.sections_ns,
              "lengths of extra busy waiting in the section, e.g. 0,250,1000,7500",
              std::uint64_t{0}, std::uint64_t{1'000'000'000});
  app.add_option(
         "--range", wanted.range,
         "primes near 2^20 (large, the paper's) or 2^14 (small, a short parallel part)")
      ->check(CLI::IsMember(std::vector<std::string>{"large", "small"}))
      ->capture_default_str();
  app.add_option("--order", wanted.order, "from which end a worker takes its tasks")
      ->check(CLI::IsMember(order_names))
      ->capture_default_str();
  add_number(app, "--chain-limit", wanted.chain_limit, "exchanges in a row on one worker",
             1U, 4'000'000'000U);
  add_number(app, "--repetitions", wanted.repetitions, "measurements of each cell", 1U,
             1000U);
  app.add_option("--seed", wanted.seed, "of the primes' choice")->capture_default_str();
  add_words(app, "--handoffs", wanted.handoffs, "what unlock does with the heir",
            handoff_names);
  add_words(app, "--states", wanted.states, "how the mutex keeps its line", state_names);
  add_words(app, "--fronts", wanted.fronts, "what the tasks are", front_names());
  app.add_option("--output", wanted.output, "file for all results, as JSON");
}

constexpr const char* one_thread = "one thread, no lock";
constexpr const char* os_threads = "OS threads, std::mutex";

/// A line of the table: what is measured again and again.
struct cell {
  std::string handoff;  ///< Or the name of a baseline.
  std::string state;    ///< Empty for baselines.
  unsigned workers;
  std::uint64_t section_ns;
  std::string front = {};  ///< Empty for baselines.

  auto operator<=>(const cell&) const = default;

  [[nodiscard]] std::string contender() const {
    std::string name = handoff;
    if (!state.empty() && state != "lock_free") name += ", " + state;
    if (!front.empty() && front != "coroutines") name += ", " + front;
    return name;
  }
};

class benchmark {
 public:
  explicit benchmark(const options& wanted)
      : wanted_{wanted},
        range_{wanted.range == "large" ? prime_range::large : prime_range::small},
        primes_{primes_near(range_)} {
    if (wanted_.iterations == 0)
      wanted_.iterations = range_ == prime_range::large ? 40 : 200;
    if (std::uint64_t{wanted_.iterations} * wanted_.tasks > 4'000'000'000) {
      throw std::invalid_argument{"more than 4e9 iterations in a run"};
    }
    for (const std::uint64_t section_ns : wanted_.sections_ns) {
      add({one_thread, "", 1, section_ns});
      for (const unsigned workers : wanted_.workers) {
        add({os_threads, "", workers, section_ns});
        for (const std::string& handoff : wanted_.handoffs) {
          for (const std::string& state : wanted_.states) {
            for (const std::string& front : wanted_.fronts) {
              add({handoff, state, workers, section_ns, front});
            }
          }
        }
      }
    }
  }

  int run() {
    require_writable(wanted_.output);
    fmt::print("{}\n", machine_.describe());
    fmt::print(
        "{} tasks x {} iterations, primes: {}, order: {}, chain limit {}, median of {}\n\n",
        wanted_.tasks, wanted_.iterations, wanted_.range, wanted_.order,
        wanted_.chain_limit, wanted_.repetitions);
    std::fflush(stdout);
    measure();
    print();
    write_report(wanted_.output, report());
    return 0;
  }

 private:
  void add(cell what) {
    if (std::find(cells_.begin(), cells_.end(), what) == cells_.end())
      cells_.push_back(what);
  }

  /// Interleaved: noise that lasts longer than a run meets all contenders alike.  Each
  /// repetition starts somewhere else in the list.
  void measure() {
    progress bar{cells_.size() * wanted_.repetitions};
    for (unsigned repetition = 0; repetition < wanted_.repetitions; ++repetition) {
      const std::size_t first = repetition * cells_.size() / wanted_.repetitions;
      for (std::size_t i = 0; i < cells_.size(); ++i) {
        const cell& what = cells_[(first + i) % cells_.size()];
        bar.begin(fmt::format("{}, {} workers, +{} ns", what.contender(), what.workers,
                              what.section_ns));
        outcomes_[what].push_back(run_once(what, wanted_.seed + repetition));
        bar.step();
      }
    }
  }

  [[nodiscard]] mutex_outcome run_once(const cell& what, std::uint64_t seed) const {
    const mutex_settings settings{.tasks = wanted_.tasks,
                                  .iterations = wanted_.iterations,
                                  .workers = what.workers,
                                  .section_ns = what.section_ns,
                                  .primes = primes_,
                                  .order = order_named(wanted_.order),
                                  .chain_limit = wanted_.chain_limit,
                                  .seed = seed};
    if (what.handoff == one_thread) return run_on_one_thread(settings);
    if (what.handoff == os_threads) return run_on_threads(settings);
    if (what.front == "fibers") return run_on_fibers(what.handoff, what.state, settings);
    return run_on_pool(what.handoff, what.state, settings);
  }

  [[nodiscard]] summary summary_of(const cell& what, double mutex_outcome::* field) const {
    std::vector<double> values;
    for (const mutex_outcome& each : outcomes_.at(what)) values.push_back(each.*field);
    return summarize(values);
  }

  /// As many times one thread's throughput as there are CPUs for the workers.
  [[nodiscard]] double ideal(const cell& what) const {
    const summary alone =
        summary_of({one_thread, "", 1, what.section_ns}, &mutex_outcome::mops);
    return alone.median * std::min(what.workers, usable_cpus());
  }

  /// Zero if dispatch was not measured.
  [[nodiscard]] double ratio_to_dispatch(const cell& what) const {
    const cell dispatch{"dispatch", what.state, what.workers, what.section_ns, what.front};
    if (!outcomes_.contains(dispatch)) return 0;
    return summary_of(what, &mutex_outcome::mops).median /
           summary_of(dispatch, &mutex_outcome::mops).median;
  }

  void print() const {
    table lines{{"contender", "workers", "section", "Mops/s", "min", "max", "spread",
                 "of ideal", "/ dispatch", "Jain first", "Jain half", "CPUs used", "others",
                 "line"}};
    const cell* previous = nullptr;
    for (const cell& what : cells_) {
      if (previous != nullptr &&
          std::tie(previous->workers, previous->section_ns, previous->state) !=
              std::tie(what.workers, what.section_ns, what.state) &&
          (what.handoff == os_threads || what.handoff == one_thread)) {
        lines.add_gap();
      }
      previous = &what;
      const summary mops = summary_of(what, &mutex_outcome::mops);
      const double ratio = ratio_to_dispatch(what);
      const double used = summary_of(what, &mutex_outcome::cpu_seconds).median /
                          summary_of(what, &mutex_outcome::seconds).median;
      lines.add(
          {what.contender(), fmt::format("{}", what.workers),
           fmt::format("+{} ns", what.section_ns), fmt::format("{:.3f}", mops.median),
           fmt::format("{:.3f}", mops.min), fmt::format("{:.3f}", mops.max),
           fmt::format("{:.0f} %", 100 * mops.spread()),
           fmt::format("{:.0f} %", 100 * mops.median / ideal(what)),
           ratio == 0 || what.state.empty() ? "" : fmt::format("{:.2f}x", ratio),
           fmt::format("{:.3f}", summary_of(what, &mutex_outcome::jain_first).median),
           fmt::format("{:.3f}", summary_of(what, &mutex_outcome::jain_half).median),
           fmt::format("{:.2f}", used),
           fmt::format("{:.0f} %",
                       100 * summary_of(what, &mutex_outcome::foreign_load).median),
           fmt::format("{:.0f} ns", summary_of(what, &mutex_outcome::line_ns).median)});
    }
    lines.print();
    fmt::print(
        "\nMops/s: millions of iterations per second, the median; spread: (max - min) / "
        "median.\n"
        "of ideal: of one thread's throughput without a lock, times the CPUs for the "
        "workers.\n"
        "Jain: fairness of the tasks' progress when the first task had finished (low if it "
        "ran\n"
        "  before the line formed), and when half of the work was done; 1 is even.\n"
        "others: share of the machine that other processes used meanwhile.\n"
        "line: a cache line from CPU to CPU, before or after the run; compare only like "
        "with like.\n");
  }

  [[nodiscard]] nlohmann::json report() const {
    nlohmann::json cells = nlohmann::json::array();
    for (const cell& what : cells_) {
      nlohmann::json runs = nlohmann::json::array();
      for (const mutex_outcome& each : outcomes_.at(what)) {
        runs.push_back({{"seconds", each.seconds},
                        {"cpu_seconds", each.cpu_seconds},
                        {"foreign_load", each.foreign_load},
                        {"line_ns", each.line_ns},
                        {"mops", each.mops},
                        {"jain_first", each.jain_first},
                        {"jain_half", each.jain_half},
                        {"stats", to_json_value(each.stats)}});
      }
      const summary mops = summary_of(what, &mutex_outcome::mops);
      cells.push_back(
          {{"contender", what.contender()},
           {"handoff", what.handoff},
           {"state", what.state},
           {"front", what.front},
           {"workers", what.workers},
           {"section_ns", what.section_ns},
           {"mops", to_json_value(mops)},
           {"share_of_ideal", mops.median / ideal(what)},
           {"ratio_to_dispatch", ratio_to_dispatch(what)},
           {"jain_first", to_json_value(summary_of(what, &mutex_outcome::jain_first))},
           {"jain_half", to_json_value(summary_of(what, &mutex_outcome::jain_half))},
           {"runs", runs}});
    }
    return {{"benchmark", "mutex"},
            {"machine", machine_.finish()},
            {"settings",
             {{"tasks", wanted_.tasks},
              {"iterations", wanted_.iterations},
              {"range", name_of(range_)},
              {"order", wanted_.order},
              {"chain_limit", wanted_.chain_limit},
              {"repetitions", wanted_.repetitions},
              {"seed", wanted_.seed}}},
            {"cells", cells}};
  }

  options wanted_;
  prime_range range_;
  std::vector<std::uint32_t> primes_;
  std::vector<cell> cells_;
  std::map<cell, std::vector<mutex_outcome>> outcomes_;
  machine_facts machine_;
};

}  // namespace
}  // namespace hotseat::bench

int main(int argc, char** argv) {
  using namespace hotseat::bench;
  CLI::App app{"Tasks that share a map behind one mutex: throughput of the hand-offs.",
               "bench_mutex"};
  options wanted;
  declare(app, wanted);
  return run_program(app, argc, argv, [&] { return benchmark{wanted}.run(); });
}
