// bench/tight_loop/run.cpp — the tasks of the tight loop, for each type of mutex.
#include <hotseat/hotseat.hpp>
#include <support/handoffs.hpp>
#include <support/timing.hpp>
#include <tight_loop/run.hpp>

#include <stdexcept>
#include <utility>
#include <vector>

namespace hotseat::bench {

namespace {

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

/// The same with the section as a function, which whoever has the mutex runs.
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

template <class Mutex>
loop_outcome run_tasks(const loop_settings& settings, bool is_delegated) {
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
  return {seconds, pool.stats().total()};
}

}  // namespace

loop_outcome run_tight_loop(std::string_view handoff, std::string_view state,
                            const loop_settings& settings) {
  const bool is_delegated = handoff == delegated;
  return with_mutex_named(is_delegated ? "exchange" : handoff, state, [&]<class Mutex>() {
    return run_tasks<Mutex>(settings, is_delegated);
  });
}

}  // namespace hotseat::bench
