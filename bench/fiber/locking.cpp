// bench/fiber/locking.cpp — the cost of an uncontended fiber_mutex.
#include <hotseat/hotseat.hpp>

#include <benchmark/benchmark.h>

#include <cstdint>
#include <mutex>

namespace hotseat::bench {
namespace {

constexpr std::int64_t batch = 1'000'000;

/// The time is that of a lock and an unlock.
template <class Mutex>
void lock_and_unlock(Mutex& mutex, std::int64_t times) {
  std::int64_t inside = 0;
  for (std::int64_t i = 0; i < times; ++i) {
    const std::lock_guard held{mutex};
    benchmark::DoNotOptimize(++inside);
  }
}

template <class Mutex>
void uncontended_in_a_fiber(benchmark::State& state) {
  thread_pool pool{1};
  Mutex mutex;
  while (state.KeepRunningBatch(batch)) {
    fiber f{pool, [&] { lock_and_unlock(mutex, batch); }};
    f.join();
  }
}
BENCHMARK(uncontended_in_a_fiber<fiber_mutex>)
    ->Name("lock_unlock/fiber_mutex")
    ->MeasureProcessCPUTime()
    ->UseRealTime();
BENCHMARK(uncontended_in_a_fiber<basic_fiber_mutex<handoff::dispatch>>)
    ->Name("lock_unlock/fiber_mutex_dispatch")
    ->MeasureProcessCPUTime()
    ->UseRealTime();
BENCHMARK(uncontended_in_a_fiber<std::mutex>)
    ->Name("lock_unlock/std_mutex_in_a_fiber")
    ->MeasureProcessCPUTime()
    ->UseRealTime();

/// The same pair on a thread while another one exists: with one thread, glibc omits the
/// atomic operations.
template <class Mutex>
void uncontended_on_a_thread(benchmark::State& state) {
  const thread_pool second_thread{1};
  Mutex mutex;
  while (state.KeepRunningBatch(batch)) lock_and_unlock(mutex, batch);
}
BENCHMARK(uncontended_on_a_thread<fiber_mutex>)
    ->Name("lock_unlock/fiber_mutex_on_a_thread")
    ->MeasureProcessCPUTime()
    ->UseRealTime();
BENCHMARK(uncontended_on_a_thread<std::mutex>)
    ->Name("lock_unlock/std_mutex_on_a_thread")
    ->MeasureProcessCPUTime()
    ->UseRealTime();

}  // namespace
}  // namespace hotseat::bench
