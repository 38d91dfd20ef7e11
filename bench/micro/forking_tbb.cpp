// bench/micro/forking_tbb.cpp — fib and skynet again, by oneTBB.
#include <micro/forking.hpp>

#include <benchmark/benchmark.h>
#include <tbb/global_control.h>
#include <tbb/parallel_invoke.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace hotseat::bench {
namespace {

std::uint64_t fib(std::uint64_t n) {
  if (n < 2) return n;
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  tbb::parallel_invoke([&] { a = fib(n - 1); }, [&] { b = fib(n - 2); });
  return a + b;
}

void fib_by_tbb(benchmark::State& state) {
  const auto threads = static_cast<int>(state.range(0));
  const tbb::global_control limit{tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(threads)};
  tbb::task_arena arena{threads};
  while (state.KeepRunningBatch(fib_tasks)) {
    if (arena.execute([] { return fib(fib_argument); }) != fib_result) {
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

std::uint64_t skynet(std::uint64_t first, std::uint64_t leaves) {
  if (leaves == 1) return first;
  const std::uint64_t below = leaves / skynet_children;
  std::array<std::uint64_t, skynet_children> sums{};
  tbb::task_group children;
  for (std::uint64_t i = 0; i < skynet_children; ++i) {
    children.run([&sums, first, below, i] { sums[i] = skynet(first + i * below, below); });
  }
  children.wait();
  std::uint64_t sum = 0;
  for (const std::uint64_t each : sums) sum += each;
  return sum;
}

void skynet_by_tbb(benchmark::State& state) {
  const auto threads = static_cast<int>(state.range(0));
  const auto leaves = static_cast<std::uint64_t>(state.range(1));
  const tbb::global_control limit{tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(threads)};
  tbb::task_arena arena{threads};
  while (state.KeepRunningBatch(skynet_tasks(leaves))) {
    if (arena.execute([leaves] { return skynet(0, leaves); }) != skynet_result(leaves)) {
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
