// bench/fiber/boost_fiber.cpp — the same with Boost.Fiber, on the calling thread.
#include <hotseat/runtime/thread_pool.hpp>

#include <benchmark/benchmark.h>

#include <boost/fiber/all.hpp>
#include <cstdint>
#include <mutex>

namespace hotseat::bench {
namespace {

constexpr std::int64_t batch = 200'000;

void uncontended(benchmark::State& state) {
  const thread_pool second_thread{1};
  boost::fibers::mutex mutex;
  std::int64_t inside = 0;
  for (auto _ : state) {
    const std::lock_guard held{mutex};
    benchmark::DoNotOptimize(++inside);
  }
}
BENCHMARK(uncontended)
    ->Name("lock_unlock/boost_fibers_mutex")
    ->MeasureProcessCPUTime()
    ->UseRealTime();

void ping_pong(benchmark::State& state) {
  const auto go_to_the_back = [] {
    for (std::int64_t i = 0; i < batch; ++i) boost::this_fiber::yield();
  };
  while (state.KeepRunningBatch(2 * batch)) {
    boost::fibers::fiber first{go_to_the_back};
    boost::fibers::fiber second{go_to_the_back};
    first.join();
    second.join();
  }
}
BENCHMARK(ping_pong)->Name("switch/boost_yield")->MeasureProcessCPUTime()->UseRealTime();

void spawn_and_join(benchmark::State& state) {
  for (auto _ : state) boost::fibers::fiber{[] {}}.join();
}
BENCHMARK(spawn_and_join)->Name("spawn_join/boost")->MeasureProcessCPUTime()->UseRealTime();

}  // namespace
}  // namespace hotseat::bench
