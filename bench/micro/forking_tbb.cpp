// bench/micro/forking_tbb.cpp — fib and skynet again, by oneTBB.
#include <forking/by_tbb.hpp>

#include <benchmark/benchmark.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <cstddef>
#include <cstdint>

namespace hotseat::bench {
namespace {

constexpr fib_size fib30{2'692'537};
static_assert(fib30.argument == 30);

void fib_by_tbb(benchmark::State& state) {
  const auto threads = static_cast<int>(state.range(0));
  const tbb::global_control limit{tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(threads)};
  tbb::task_arena arena{threads};
  while (state.KeepRunningBatch(static_cast<std::int64_t>(fib30.calls))) {
    if (arena.execute([] { return by_tbb::fib(fib30.argument); }) != fib30.result) {
      state.SkipWithError("wrong result");
    }
  }
}
BENCHMARK(fib_by_tbb)
    ->Name("fib30/tbb")
    ->ArgName("threads")
    ->Arg(1)
    ->Arg(2)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

void skynet_by_tbb(benchmark::State& state) {
  const auto threads = static_cast<int>(state.range(0));
  const skynet_size size = skynet_size::with_leaves(state.range(1));
  const tbb::global_control limit{tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(threads)};
  tbb::task_arena arena{threads};
  while (state.KeepRunningBatch(static_cast<std::int64_t>(size.nodes))) {
    if (arena.execute([&size] { return by_tbb::skynet(0, size.leaves); }) !=
        size.result()) {
      state.SkipWithError("wrong result");
    }
  }
}
BENCHMARK(skynet_by_tbb)
    ->Name("skynet/tbb")
    ->ArgNames({"threads", "leaves"})
    ->ArgsProduct({{1, 2}, {100'000, 1'000'000}})
    ->MeasureProcessCPUTime()
    ->UseRealTime();

}  // namespace
}  // namespace hotseat::bench
