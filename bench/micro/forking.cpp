// bench/micro/forking.cpp — tasks by the million: fib and skynet, by when_all.
// The two columns are wall time and CPU time of the process, for each task.
#include <hotseat/hotseat.hpp>

#include <benchmark/benchmark.h>

#include <forking/by_when_all.hpp>
#include <micro/forking.hpp>

#include <cstdint>

namespace hotseat::bench {
namespace {

void fib_by_when_all(benchmark::State& state) {
  thread_pool pool{static_cast<unsigned>(state.range(0))};
  while (state.KeepRunningBatch(fib_tasks)) {
    if (sync_wait(pool, by_when_all::fib(fib_argument)) != fib_result)
      state.SkipWithError("wrong result");
  }
}
BENCHMARK(fib_by_when_all)
    ->Name("fib30/hotseat")
    ->ArgName("threads")
    ->Arg(1)
    ->Arg(2)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

void skynet_by_when_all(benchmark::State& state) {
  thread_pool pool{static_cast<unsigned>(state.range(0))};
  const auto leaves = static_cast<std::uint64_t>(state.range(1));
  while (state.KeepRunningBatch(skynet_tasks(leaves))) {
    if (sync_wait(pool, by_when_all::skynet(0, leaves)) != skynet_result(leaves)) {
      state.SkipWithError("wrong result");
    }
  }
}
BENCHMARK(skynet_by_when_all)
    ->Name("skynet/hotseat")
    ->ArgNames({"threads", "leaves"})
    ->ArgsProduct({{1, 2}, {100'000, 1'000'000}})
    ->MeasureProcessCPUTime()
    ->UseRealTime();

}  // namespace
}  // namespace hotseat::bench
