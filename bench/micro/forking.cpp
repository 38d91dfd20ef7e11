// bench/micro/forking.cpp — tasks by the million: fib and skynet, by when_all.
// The two columns are the process's wall time and CPU time per task.
#include <hotseat/hotseat.hpp>

#include <benchmark/benchmark.h>

#include <forking/by_when_all.hpp>

#include <cstdint>

namespace hotseat::bench {
namespace {

constexpr fib_size fib30{2'692'537};
static_assert(fib30.argument == 30);

void fib_by_when_all(benchmark::State& state) {
  thread_pool pool{static_cast<unsigned>(state.range(0))};
  while (state.KeepRunningBatch(static_cast<std::int64_t>(fib30.calls))) {
    if (sync_wait(pool, by_when_all::fib(fib30.argument)) != fib30.result)
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
  const skynet_size size = skynet_size::with_leaves(state.range(1));
  while (state.KeepRunningBatch(static_cast<std::int64_t>(size.nodes))) {
    if (sync_wait(pool, by_when_all::skynet(0, size.leaves)) != size.result()) {
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
