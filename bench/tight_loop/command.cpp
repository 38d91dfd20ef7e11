// bench/tight_loop/command.cpp — hotseat-bench tight-loop: lock, section, unlock, parallel
// part, of all lengths.
#include <hotseat/hotseat.hpp>
#include <program/commands.hpp>
#include <support/handoffs.hpp>
#include <support/machine.hpp>
#include <support/timing.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hotseat::bench {

namespace {

struct loop_settings {
  std::size_t tasks;
  std::uint64_t iterations;  ///< For each task.
  unsigned workers;
  std::uint64_t section_ns;   ///< 0: nothing but an increment.
  std::uint64_t parallel_ns;  ///< 0: nothing at all.
  queue_order order;
  std::uint32_t chain_limit;
};

/// Instead of a hand-off: `with_lock`, on a mutex that exchanges.
inline constexpr const char* delegated = "with_lock";

template <class Mutex>
struct shared_counter {
  alignas(64) Mutex mutex;
  alignas(64) std::uint64_t value = 0;
};

template <class Mutex>
task<> loop(shared_counter<Mutex>& counter, std::uint64_t iterations, busy_wait in_section,
            busy_wait in_parallel) {
  for (std::uint64_t i = 0; i < iterations; ++i) {
    co_await counter.mutex.lock();
    ++counter.value;
    in_section();
    co_await counter.mutex.unlock();
    in_parallel();
  }
}

/// The same with the section as a function, which the owner of the mutex runs.
template <class Mutex>
task<> delegate(shared_counter<Mutex>& counter, std::uint64_t iterations,
                busy_wait in_section, busy_wait in_parallel) {
  for (std::uint64_t i = 0; i < iterations; ++i) {
    co_await with_lock(counter.mutex, [&counter, in_section] {
      ++counter.value;
      in_section();
    });
    in_parallel();
  }
}

/// Returns the seconds it took.  Throws if an increment was lost.
template <class Mutex>
double run_tasks(const loop_settings& settings, bool is_delegated) {
  thread_pool pool{thread_pool_options{.threads = settings.workers,
                                       .chain_limit = settings.chain_limit,
                                       .order = settings.order}};
  shared_counter<Mutex> counter;
  std::vector<task<>> tasks;
  tasks.reserve(settings.tasks);
  for (std::size_t i = 0; i < settings.tasks; ++i) {
    const busy_wait in_section{settings.section_ns};
    const busy_wait in_parallel{settings.parallel_ns};
    tasks.push_back(is_delegated
                        ? delegate(counter, settings.iterations, in_section, in_parallel)
                        : loop(counter, settings.iterations, in_section, in_parallel));
  }
  const stopwatch clock;
  sync_wait(pool, when_all(std::move(tasks)));
  const double seconds = clock.seconds();
  if (counter.value != settings.iterations * settings.tasks) {
    throw std::runtime_error{"wrong result: increments were lost: no mutual exclusion"};
  }
  return seconds;
}

double run_tight_loop(std::string_view handoff, std::string_view state,
                      const loop_settings& settings) {
  const bool is_delegated = handoff == delegated;
  return with_mutex_named(is_delegated ? "exchange" : handoff, state, [&]<class Mutex>() {
    return run_tasks<Mutex>(settings, is_delegated);
  });
}

class tight_loop_command final : public campaign_command {
 public:
  tight_loop_command() {
    wanted_.tasks = 1000;
    wanted_.handoffs = handoff_names;
  }

  [[nodiscard]] std::string name() const override { return "tight-loop"; }
  [[nodiscard]] std::string about() const override {
    return "sections and parallel parts of all lengths: where exchanging pays";
  }

  void declare(option_list& options) override {
    options.number("--tasks", wanted_.tasks, "concurrent tasks", 1, 1'000'000);
    options.numbers("--section-ns", sections_ns_,
                    "busy waiting in the section; 0 is an increment and nothing else", 0,
                    1'000'000);
    options.numbers("--parallel-ns", parallels_ns_, "busy waiting after the section", 0,
                    1'000'000);
    declare_workers(options);
    std::vector<std::string> contenders = handoff_names;
    contenders.emplace_back(delegated);
    options.words("--handoffs", wanted_.handoffs,
                  "what unlock does with the heir; or with_lock instead of lock and unlock",
                  contenders);
    options.word("--state", state_, "how the mutex keeps its line", state_names);
    options.word("--order", order_, "from which end a worker takes its tasks", order_names);
    options.number("--chain-limit", chain_limit_, "exchanges in a row on one worker", 1,
                   4'000'000'000);
    options.number("--run-ms", run_ms_, "how long a run takes at least", 1, 60'000);
    declare_repetitions(options);
  }

  assignment prepare() override {
    return {make_plan(),
            fmt::format("{} tasks, {}, order: {}, chain limit {}", wanted_.tasks, state_,
                        order_, chain_limit_),
            {median_of("mops", "Mops/s", 3), range_of("mops", 3),
             ratio_to_rival("dispatch"), percent_of("foreign_load", "others")},
            "Mops/s: millions of iterations a second.",
            {}};
  }

 private:
  void shorten() override { wanted_.workers = {usable_cpus()}; }

  [[nodiscard]] plan make_plan() {
    plan all = plan_over({{"workers", "workers", ""},
                          {"section_ns", "section", "ns"},
                          {"parallel_ns", "parallel", "ns"}});
    all.settings = {{"tasks", wanted_.tasks},
                    {"state", state_},
                    {"order", order_},
                    {"chain_limit", chain_limit_},
                    {"run_ms", run_ms_}};
    all.run = [this](const cell& which, std::uint64_t) { return run_once(which); };
    for (const unsigned workers : wanted_.workers) {
      for (const std::uint64_t section_ns : sections_ns_) {
        for (const std::uint64_t parallel_ns : parallels_ns_) {
          for (const std::string& handoff : wanted_.handoffs) {
            all.cells.push_back(
                {handoff,
                 {static_cast<double>(workers), static_cast<double>(section_ns),
                  static_cast<double>(parallel_ns)}});
          }
        }
      }
    }
    return all;
  }

  /// A run that turns out too short does not count; the next one has more iterations.
  [[nodiscard]] measurement run_once(const cell& which) {
    const double least = 1e-3 * run_ms_;
    std::uint64_t& iterations = iterations_[which];
    if (iterations == 0) iterations = iterations_for(least / 10, shortest_time(which));
    for (;;) {
      const foreign_load others;
      const double seconds =
          run_tight_loop(which.contender, state_,
                         {.tasks = wanted_.tasks,
                          .iterations = iterations,
                          .workers = static_cast<unsigned>(which.at[0]),
                          .section_ns = static_cast<std::uint64_t>(which.at[1]),
                          .parallel_ns = static_cast<std::uint64_t>(which.at[2]),
                          .order = order_named(order_),
                          .chain_limit = chain_limit_});
      const double operations =
          static_cast<double>(iterations) * static_cast<double>(wanted_.tasks);
      if (seconds >= least) {
        return {{{"mops", 1e-6 * operations / seconds},
                 {"seconds", seconds},
                 {"iterations", static_cast<double>(iterations)},
                 {"foreign_load", others.share()}}};
      }
      // A little more than needed, but no greater step than a hiccup could justify.
      iterations = std::clamp(iterations_for(1.25 * least, seconds / operations),
                              iterations + 1, 20 * iterations);
    }
  }

  /// The shortest possible time of an iteration.
  [[nodiscard]] static double shortest_time(const cell& which) {
    constexpr double overhead = 10e-9;
    const double section = 1e-9 * which.at[1];
    const double parallel = 1e-9 * which.at[2];
    const double used = std::min(which.at[0], static_cast<double>(usable_cpus()));
    return overhead + std::max(section, (section + parallel) / used);
  }

  [[nodiscard]] std::uint64_t iterations_for(double seconds, double each) const {
    return static_cast<std::uint64_t>(
        std::ceil(seconds / each / static_cast<double>(wanted_.tasks)));
  }

  std::vector<std::uint64_t> sections_ns_{0, 50, 250, 1000};
  std::vector<std::uint64_t> parallels_ns_{0, 100, 500, 2000};
  std::string state_ = state_names.front();
  std::string order_ = "fifo";
  std::uint32_t chain_limit_ = thread_pool_options{}.chain_limit;
  unsigned run_ms_ = 50;
  std::map<cell, std::uint64_t> iterations_;
};

}  // namespace

command_pointer make_tight_loop_command() { return std::make_unique<tight_loop_command>(); }

}  // namespace hotseat::bench
