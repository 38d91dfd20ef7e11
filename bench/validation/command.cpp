#include <program/commands.hpp>
#include <support/handoffs.hpp>
#include <validation/workload.hpp>

#include <fmt/core.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace hotseat::bench {

namespace {

measurement to_measurement(const validation_outcome& of) {
  return {{{"delegated_share", of.delegated_share},
           {"same_worker", of.same_worker},
           {"same_when_delegated", of.same_when_delegated},
           {"same_when_free", of.same_when_free},
           {"busiest_worker", of.busiest_worker},
           {"worker_changes", static_cast<double>(of.worker_changes)},
           {"hand_over_ns", of.hand_over_ns}}};
}

class validation_command final : public campaign_command {
 public:
  [[nodiscard]] std::string name() const override { return "validation"; }
  [[nodiscard]] std::string about() const override {
    return "on which workers do the sections of a mutex run, over the number of mutexes?";
  }

  void declare(option_list& options) override {
    options.number("--tasks", settings_.tasks, "concurrent tasks", 1, 1'000'000);
    options.number("--iterations", settings_.iterations, "sections of each task", 1,
                   100'000'000);
    options.number("--workers", settings_.workers, "workers", 1,
                   unsigned{thread_pool_options::most_threads});
    options.numbers("--mutexes", mutexes_, "numbers of mutexes to choose from", 1,
                    1'000'000);
    options.number("--section-ns", settings_.section_ns, "busy waiting in the section", 0,
                   1'000'000);
    options.number("--parallel-ns", settings_.parallel_ns, "busy waiting after the section",
                   0, 1'000'000);
    options.word("--state", state_, "how the mutex keeps its line", state_names);
    options.word("--order", order_, "from which end a worker takes its tasks", order_names);
    options.number("--chain-limit", settings_.chain_limit,
                   "exchanges in a row on one worker", 1, 4'000'000'000);
    declare_handoffs(options);
    declare_repetitions(options);
  }

  assignment prepare() override {
    settings_.order = order_named(order_);
    std::string headline = fmt::format(
        "{} tasks x {} sections, {} workers on {} CPUs, "
        "order: {}",
        settings_.tasks, settings_.iterations, settings_.workers, usable_cpus(), order_);
    if (settings_.workers > usable_cpus()) {
      headline +=
          "\nwarning: more workers than CPUs; a worker whose thread is waiting for a CPU "
          "keeps\n  its sections, so part of what is seen here is the work of the "
          "operating "
          "system";
    }
    plan all = plan_over({{"mutexes", "mutexes", ""}});
    all.score = "same_worker";
    all.settings = {{"tasks", settings_.tasks},
                    {"iterations", settings_.iterations},
                    {"workers", settings_.workers},
                    {"section_ns", settings_.section_ns},
                    {"parallel_ns", settings_.parallel_ns},
                    {"state", state_},
                    {"order", order_},
                    {"chain_limit", settings_.chain_limit}};
    all.run = [this](const cell& which, std::uint64_t seed) {
      return run_once(which, seed);
    };
    for (const std::size_t mutexes : mutexes_) {
      for (const std::string& handoff : wanted_.handoffs) {
        all.cells.push_back({handoff, {static_cast<double>(mutexes)}});
      }
    }
    return {
        std::move(all),
        headline,
        {percent_of("delegated_share", "delegated"),
         median_of("hand_over_ns", "hand-over", 0, "ns"),
         percent_of("same_when_delegated", "same worker: delegated"),
         percent_of("same_when_free", "free"), percent_of("same_worker", "all"),
         percent_of("busiest_worker", "busiest in 100"),
         median_of("worker_changes", "worker changes", 0)},
        "delegated: sections whose task had waited, so that another task passed it the "
        "mutex;\nthe others are free.  hand-over: from the end of a section to the start "
        "of "
        "a delegated one, the median.\nsame worker: sections that ran where the previous "
        "one ran.",
        {}};
  }

 private:
  [[nodiscard]] measurement run_once(const cell& which, std::uint64_t seed) const {
    validation_settings settings = settings_;
    settings.mutexes = static_cast<std::size_t>(which.at[0]);
    settings.seed = seed;
    const validation_outcome outcome = with_mutex_named(
        which.contender, state_,
        [&settings]<class Mutex>() { return run_validation<Mutex>(settings); });
    if (outcome.sections != std::uint64_t{settings.iterations} * settings.tasks ||
        outcome.overlaps != 0) {
      throw std::runtime_error{"wrong result: no mutual exclusion"};
    }
    return to_measurement(outcome);
  }

  validation_settings settings_;
  std::vector<std::size_t> mutexes_{1, 4, 16, 64, 1024};
  std::string state_ = state_names.front();
  std::string order_ = "fifo";
};

}  // namespace

command_pointer make_validation_command() { return std::make_unique<validation_command>(); }

}  // namespace hotseat::bench
