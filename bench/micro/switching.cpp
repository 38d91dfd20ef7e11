// bench/micro/switching.cpp — between two tasks, and from a sleeping pool to a task.
#include <hotseat/hotseat.hpp>
#include <hotseat/sched/reschedule.hpp>
#include <support/timing.hpp>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace hotseat::bench {
namespace {

constexpr std::int64_t batch = 200'000;

task<> go_to_the_back(std::int64_t times) {
  for (std::int64_t i = 0; i < times; ++i) co_await reschedule();
}

/// Two tasks that reschedule in turns: the time is that of one switch.
void ping_pong_by_reschedule(benchmark::State& state) {
  thread_pool pool{1};
  while (state.KeepRunningBatch(2 * batch)) {
    sync_wait(pool, when_all(go_to_the_back(batch), go_to_the_back(batch)));
  }
}
BENCHMARK(ping_pong_by_reschedule)
    ->Name("ping_pong/reschedule")
    ->MeasureProcessCPUTime()
    ->UseRealTime();

template <class Mutex>
task<> take_turns(Mutex& mine, Mutex& yours, std::int64_t times) {
  for (std::int64_t i = 0; i < times; ++i) {
    co_await mine.lock();
    co_await yours.unlock();
  }
}

/// Two tasks and two mutexes, each of which grants one task its turn.
template <class Mutex>
void ping_pong_by_mutexes(benchmark::State& state) {
  thread_pool pool{static_cast<unsigned>(state.range(0))};
  Mutex ping;
  Mutex pong;
  if (!pong.try_lock()) state.SkipWithError("a new mutex is owned");
  while (state.KeepRunningBatch(2 * batch)) {
    sync_wait(pool, when_all(take_turns(ping, pong, batch), take_turns(pong, ping, batch)));
  }
  pong.unlock_dispatch();
}
BENCHMARK(ping_pong_by_mutexes<basic_mutex<handoff::exchange>>)
    ->Name("ping_pong/exchange")
    ->ArgName("threads")
    ->Arg(1)
    ->Arg(2)
    ->MeasureProcessCPUTime()
    ->UseRealTime();
BENCHMARK(ping_pong_by_mutexes<basic_mutex<handoff::dispatch>>)
    ->Name("ping_pong/dispatch")
    ->ArgName("threads")
    ->Arg(1)
    ->Arg(2)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

task<std::chrono::steady_clock::time_point> look_at_the_clock() {
  co_return std::chrono::steady_clock::now();
}

/// From scheduling on a thread to the task's start, on a pool whose workers all sleep.
void wake_up(benchmark::State& state) {
  thread_pool pool{static_cast<unsigned>(state.range(0))};
  std::vector<double> seconds;
  for (auto _ : state) {
    std::this_thread::sleep_for(std::chrono::milliseconds{2});  // All are asleep again.
    const auto scheduled = std::chrono::steady_clock::now();
    const auto running = sync_wait(pool, look_at_the_clock());
    seconds.push_back(std::chrono::duration<double>(running - scheduled).count());
    state.SetIterationTime(seconds.back());
  }
  std::sort(seconds.begin(), seconds.end());
  const auto percentile = [&seconds](std::size_t percent) {
    return 1e6 * seconds[(seconds.size() - 1) * percent / 100];
  };
  state.counters["median_us"] = percentile(50);
  state.counters["p99_us"] = percentile(99);
  state.counters["parks"] = static_cast<double>(pool.stats().total().parks);
}
BENCHMARK(wake_up)
    ->Name("wake_up")
    ->ArgName("threads")
    ->Arg(1)
    ->Arg(2)
    ->Iterations(500)
    ->UseManualTime()
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace hotseat::bench
