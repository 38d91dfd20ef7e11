// bench/micro/locking.cpp — the cost of an uncontended lock.
#include <hotseat/hotseat.hpp>

#include <benchmark/benchmark.h>

#include <cstdint>
#include <mutex>

namespace hotseat::bench {
namespace {

constexpr std::int64_t batch = 1'000'000;

template <class Mutex>
task<> lock_and_unlock(Mutex& mutex, std::int64_t times) {
  std::int64_t inside = 0;
  for (std::int64_t i = 0; i < times; ++i) {
    co_await mutex.lock();
    benchmark::DoNotOptimize(++inside);
    co_await mutex.unlock();
  }
}

/// Lock and unlock inside one running task: the time is that of a pair.
template <class Mutex>
void uncontended(benchmark::State& state) {
  thread_pool pool{1};
  Mutex mutex;
  while (state.KeepRunningBatch(batch)) sync_wait(pool, lock_and_unlock(mutex, batch));
}

BENCHMARK(uncontended<basic_mutex<handoff::exchange>>)
    ->Name("lock_unlock/exchange")
    ->MeasureProcessCPUTime()
    ->UseRealTime();
BENCHMARK(uncontended<basic_mutex<handoff::dispatch>>)
    ->Name("lock_unlock/dispatch")
    ->MeasureProcessCPUTime()
    ->UseRealTime();
BENCHMARK(uncontended<basic_mutex<handoff::resume_inline>>)
    ->Name("lock_unlock/resume_inline")
    ->MeasureProcessCPUTime()
    ->UseRealTime();
BENCHMARK(uncontended<basic_mutex<handoff::exchange, lock_state::spin_locked>>)
    ->Name("lock_unlock/exchange_spin_locked")
    ->MeasureProcessCPUTime()
    ->UseRealTime();

/// The same pair on a thread while another one exists: with one thread, glibc omits the
/// atomic operations.
void std_mutex(benchmark::State& state) {
  const thread_pool second_thread{1};
  std::mutex mutex;
  std::int64_t inside = 0;
  for (auto _ : state) {
    const std::lock_guard held{mutex};
    benchmark::DoNotOptimize(++inside);
  }
}
BENCHMARK(std_mutex)->Name("lock_unlock/std_mutex")->MeasureProcessCPUTime()->UseRealTime();

}  // namespace
}  // namespace hotseat::bench
