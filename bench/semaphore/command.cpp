// bench/semaphore/command.cpp — hotseat-bench semaphore: tasks that share a few permits.
#include <harness/measurement.hpp>
#include <hotseat/hotseat.hpp>
#include <program/commands.hpp>
#include <support/timing.hpp>

#include <fmt/core.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace hotseat::bench {

namespace {

struct semaphore_settings {
  std::size_t tasks;
  std::uint32_t iterations;
  unsigned workers;
  std::uint64_t permits;
  std::uint64_t section_ns;
  std::uint64_t parallel_ns;
};

/// How many tasks are inside, and how many have been; checks the semaphore.
struct alignas(64) permit_watch {
  std::atomic<std::uint64_t> inside{0};
  std::atomic<std::uint64_t> entered{0};
  std::atomic<bool> is_crowded{false};

  void enter(std::uint64_t permits) {
    if (inside.fetch_add(1, std::memory_order_relaxed) >= permits) {
      is_crowded.store(true, std::memory_order_relaxed);
    }
    entered.fetch_add(1, std::memory_order_relaxed);
  }
  void leave() { inside.fetch_sub(1, std::memory_order_relaxed); }
};

template <class Semaphore>
task<> share_permits(Semaphore& semaphore, permit_watch& watch,
                     const semaphore_settings& settings) {
  const busy_wait in_section{settings.section_ns};
  const busy_wait in_parallel{settings.parallel_ns};
  for (std::uint32_t i = 0; i < settings.iterations; ++i) {
    co_await semaphore.acquire();
    watch.enter(settings.permits);
    in_section();
    watch.leave();
    co_await semaphore.release();
    in_parallel();
  }
}

template <class Semaphore>
measurement run_semaphore(const semaphore_settings& settings) {
  thread_pool pool{thread_pool_options{.threads = settings.workers}};
  Semaphore semaphore{settings.permits};
  permit_watch watch;
  std::vector<task<>> tasks;
  for (std::size_t i = 0; i < settings.tasks; ++i) {
    tasks.push_back(share_permits(semaphore, watch, settings));
  }
  const std::uint64_t total = std::uint64_t{settings.iterations} * settings.tasks;
  const timed_run outcome =
      time_run(total, [&] { sync_wait(pool, when_all(std::move(tasks))); });
  if (watch.is_crowded || watch.entered != total || watch.inside != 0) {
    throw std::runtime_error{"wrong result: more tasks inside than permits, or fewer came"};
  }
  return to_measurement(outcome);
}

class semaphore_command final : public campaign_command {
 public:
  semaphore_command() { wanted_.tasks = 1000; }

  [[nodiscard]] std::string name() const override { return "semaphore"; }
  [[nodiscard]] std::string about() const override {
    return "tasks that share a few permits, over workers and permits";
  }

  void declare(option_list& options) override {
    declare_sizes(options);
    declare_workers(options);
    options.numbers("--permits", permits_, "numbers of permits", 1, 1'000'000);
    options.number("--section-ns", section_ns_, "busy waiting with a permit", 0, 1'000'000);
    options.number("--parallel-ns", parallel_ns_, "busy waiting without one", 0, 1'000'000);
    declare_handoffs(options);
    declare_repetitions(options);
  }

  assignment prepare() override {
    if (wanted_.iterations == 0) wanted_.iterations = 200;
    plan all = plan_over({{"workers", "workers", ""}, {"permits", "permits", ""}});
    all.settings = {{"tasks", wanted_.tasks},
                    {"iterations", wanted_.iterations},
                    {"section_ns", section_ns_},
                    {"parallel_ns", parallel_ns_}};
    all.run = [this](const cell& which, std::uint64_t) { return run_once(which); };
    for (const std::uint64_t permits : permits_) {
      for (const unsigned workers : wanted_.workers) {
        for (const std::string& handoff : wanted_.handoffs) {
          all.cells.push_back(
              {handoff, {static_cast<double>(workers), static_cast<double>(permits)}});
        }
      }
    }
    return {std::move(all),
            fmt::format("{} tasks x {} iterations, {} ns with a permit, {} ns without",
                        wanted_.tasks, wanted_.iterations, section_ns_, parallel_ns_),
            {median_of("mops", "Mops/s", 3), range_of("mops", 3),
             ratio_to_rival("dispatch"), percent_of("foreign_load", "others")},
            "Mops/s: millions of iterations a second.",
            {}};
  }

 private:
  [[nodiscard]] measurement run_once(const cell& which) const {
    const semaphore_settings settings{.tasks = wanted_.tasks,
                                      .iterations = wanted_.iterations,
                                      .workers = static_cast<unsigned>(which.at[0]),
                                      .permits = static_cast<std::uint64_t>(which.at[1]),
                                      .section_ns = section_ns_,
                                      .parallel_ns = parallel_ns_};
    if (which.contender == "exchange") {
      return run_semaphore<basic_semaphore<handoff::exchange>>(settings);
    }
    if (which.contender == "dispatch") {
      return run_semaphore<basic_semaphore<handoff::dispatch>>(settings);
    }
    return run_semaphore<basic_semaphore<handoff::resume_inline>>(settings);
  }

  std::vector<std::uint64_t> permits_{1, 2, 4};
  std::uint64_t section_ns_ = 250;
  std::uint64_t parallel_ns_ = 250;
};

}  // namespace

command_pointer make_semaphore_command() { return std::make_unique<semaphore_command>(); }

}  // namespace hotseat::bench
