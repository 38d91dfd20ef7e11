// bench/validation/main.cpp — does exchanging keep the sections of a mutex on one worker?
#include <support/command_line.hpp>
#include <support/handoffs.hpp>
#include <support/machine.hpp>
#include <support/progress.hpp>
#include <support/report.hpp>
#include <support/table.hpp>
#include <validation/workload.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace hotseat::bench {
namespace {

struct options {
  validation_settings settings;
  std::vector<std::size_t> mutexes{1, 4, 16, 64, 1024};
  std::vector<std::string> handoffs{"exchange", "dispatch"};
  std::string state = "lock_free";
  std::string order = "fifo";
  unsigned repetitions = 5;
  std::string output;
};

void declare(CLI::App& app, options& wanted) {
  validation_settings& settings = wanted.settings;
  add_number(app, "--tasks", settings.tasks, "concurrent tasks", std::size_t{1},
             std::size_t{1'000'000});
  add_number(app, "--iterations", settings.iterations, "sections of each task", 1U,
             100'000'000U);
  add_number(app, "--workers", settings.workers, "workers", 1U,
             unsigned{thread_pool_options::most_threads});
  add_numbers(app, "--mutexes", wanted.mutexes, "numbers of mutexes to choose from",
              std::size_t{1}, std::size_t{1'000'000});
  add_number(app, "--section-ns", settings.section_ns, "busy waiting in the section",
             std::uint64_t{0}, std::uint64_t{1'000'000});
  add_number(app, "--parallel-ns", settings.parallel_ns, "busy waiting after the section",
             std::uint64_t{0}, std::uint64_t{1'000'000});
  add_words(app, "--handoffs", wanted.handoffs, "what unlock does with the heir",
            handoff_names);
  app.add_option("--state", wanted.state, "how the mutex keeps its line")
      ->check(CLI::IsMember(state_names))
      ->capture_default_str();
  app.add_option("--order", wanted.order, "from which end a worker takes its tasks")
      ->check(CLI::IsMember(order_names))
      ->capture_default_str();
  add_number(app, "--chain-limit", settings.chain_limit, "exchanges in a row on one worker",
             1U, 4'000'000'000U);
  add_number(app, "--repetitions", wanted.repetitions, "runs of each cell", 1U, 1000U);
  app.add_option("--seed", settings.seed, "of the mutexes' choice")->capture_default_str();
  app.add_option("--output", wanted.output, "file for all results, as JSON");
}

using cell = std::pair<std::size_t, std::string>;  // mutexes, hand-off

class benchmark {
 public:
  explicit benchmark(const options& wanted) : wanted_{wanted} {
    wanted_.settings.order = order_named(wanted.order);
    for (const std::size_t mutexes : wanted.mutexes) {
      for (const std::string& handoff : wanted.handoffs)
        cells_.emplace_back(mutexes, handoff);
    }
  }

  int run() {
    const validation_settings& settings = wanted_.settings;
    require_writable(wanted_.output);
    fmt::print("{}\n", machine_.describe());
    fmt::print(
        "{} tasks x {} sections, {} workers on {} CPUs, order: {}, median of {} "
        "(min-max)\n",
        settings.tasks, settings.iterations, settings.workers, usable_cpus(), wanted_.order,
        wanted_.repetitions);
    if (settings.workers > usable_cpus()) {
      fmt::print(
          "warning: more workers than CPUs; a worker whose thread is waiting for a CPU "
          "keeps\n"
          "  its sections, so part of what is seen here is the work of the operating "
          "system\n");
    }
    fmt::print("\n");
    std::fflush(stdout);
    measure();
    print();
    write_report(wanted_.output, report());
    return 0;
  }

 private:
  void measure() {
    progress bar{cells_.size() * wanted_.repetitions};
    for (unsigned repetition = 0; repetition < wanted_.repetitions; ++repetition) {
      for (const cell& what : cells_) {
        const auto& [mutexes, handoff] = what;
        bar.begin(fmt::format("{}, {} mutexes", handoff, mutexes));
        validation_settings settings = wanted_.settings;
        settings.mutexes = mutexes;
        settings.seed += repetition;
        const validation_outcome outcome = with_mutex_named(
            handoff, wanted_.state,
            [&settings]<class Mutex>() { return run_validation<Mutex>(settings); });
        if (outcome.sections != std::uint64_t{settings.iterations} * settings.tasks ||
            outcome.overlaps != 0) {
          throw std::runtime_error{"wrong result: no mutual exclusion"};
        }
        outcomes_[what].push_back(outcome);
        bar.step();
      }
    }
  }

  template <class Number>
  [[nodiscard]] summary summary_of(const cell& what,
                                   Number validation_outcome::* field) const {
    std::vector<double> values;
    for (const validation_outcome& each : outcomes_.at(what)) {
      values.push_back(static_cast<double>(each.*field));
    }
    return summarize(values);
  }

  static std::string in_percent(const summary& of) {
    return fmt::format("{:.1f} % ({:.0f}-{:.0f})", 100 * of.median, 100 * of.min,
                       100 * of.max);
  }

  void print() const {
    using outcome = validation_outcome;
    table lines{{"mutexes", "hand-off", "delegated", "hand-over", "same worker: delegated",
                 "free", "all", "busiest in 100", "worker changes"}};
    for (const cell& what : cells_) {
      const bool any = summary_of(what, &outcome::delegated).max != 0;
      lines.add(
          {fmt::format("{}", what.first), what.second,
           in_percent(summary_of(what, &outcome::delegated_share)),
           any ? fmt::format("{:.0f} ns", summary_of(what, &outcome::hand_over_ns).median)
               : "-",
           any ? in_percent(summary_of(what, &outcome::same_when_delegated)) : "-",
           in_percent(summary_of(what, &outcome::same_when_free)),
           in_percent(summary_of(what, &outcome::same_worker)),
           in_percent(summary_of(what, &outcome::busiest_worker)),
           fmt::format("{:.0f}", summary_of(what, &outcome::worker_changes).median)});
    }
    lines.print();
    fmt::print(
        "\ndelegated: sections whose task had waited, so that somebody passed the mutex on "
        "to it;\n"
        "  the others are free.\n"
        "hand-over: from the end of a section to the begin of a delegated one, the "
        "median.\n"
        "same worker: sections on the worker that ran the section before, of that mutex.\n"
        "busiest in 100: share of the most used worker among 100 sections in a row.\n");
  }

  [[nodiscard]] nlohmann::json report() const {
    nlohmann::json cells = nlohmann::json::array();
    for (const cell& what : cells_) {
      using outcome = validation_outcome;
      const auto of = [&](auto field) { return to_json_value(summary_of(what, field)); };
      cells.push_back({{"mutexes", what.first},
                       {"handoff", what.second},
                       {"delegated_share", of(&outcome::delegated_share)},
                       {"hand_over_ns", of(&outcome::hand_over_ns)},
                       {"same_worker", of(&outcome::same_worker)},
                       {"same_when_delegated", of(&outcome::same_when_delegated)},
                       {"same_when_free", of(&outcome::same_when_free)},
                       {"busiest_worker", of(&outcome::busiest_worker)},
                       {"worker_changes", of(&outcome::worker_changes)}});
    }
    const validation_settings& settings = wanted_.settings;
    return {{"benchmark", "validation"},
            {"machine", machine_.finish()},
            {"settings",
             {{"tasks", settings.tasks},
              {"iterations", settings.iterations},
              {"workers", settings.workers},
              {"section_ns", settings.section_ns},
              {"parallel_ns", settings.parallel_ns},
              {"state", wanted_.state},
              {"order", wanted_.order},
              {"chain_limit", settings.chain_limit},
              {"window", validation_window},
              {"repetitions", wanted_.repetitions},
              {"seed", settings.seed}}},
            {"cells", cells}};
  }

  options wanted_;
  std::vector<cell> cells_;
  std::map<cell, std::vector<validation_outcome>> outcomes_;
  machine_facts machine_;
};

}  // namespace
}  // namespace hotseat::bench

int main(int argc, char** argv) {
  using namespace hotseat::bench;
  CLI::App app{"Tasks that choose between mutexes: which workers run the sections?",
               "validation"};
  options wanted;
  declare(app, wanted);
  return run_program(app, argc, argv, [&] { return benchmark{wanted}.run(); });
}
