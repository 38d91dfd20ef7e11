// bench/semaphore/workload.hpp — tasks that share a few permits.  Read next: command.cpp.
#pragma once

#include <harness/measurement.hpp>
#include <hotseat/hotseat.hpp>
#include <support/timing.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

namespace hotseat::bench {

struct semaphore_settings {
  std::size_t tasks;
  std::uint32_t iterations;
  unsigned workers;
  std::uint64_t permits;
  std::uint64_t section_ns;
  std::uint64_t parallel_ns;
};

/// Who is inside, and how many came by; watches over the semaphore.
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

}  // namespace hotseat::bench
