// bench/micro/forking.cpp — tasks by the million: fib and skynet, by when_all.
// The two columns are wall time and CPU time of the process, for each task.
#include <hotseat/hotseat.hpp>

#include <benchmark/benchmark.h>

#include <micro/forking.hpp>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

namespace hotseat::bench {
namespace {

task<std::uint64_t> fib(std::uint64_t n) {
  if (n < 2) co_return n;
  auto [a, b] = co_await when_all(fib(n - 1), fib(n - 2));
  co_return a + b;
}

void fib_by_when_all(benchmark::State& state) {
  thread_pool pool{static_cast<unsigned>(state.range(0))};
  while (state.KeepRunningBatch(fib_tasks)) {
    if (sync_wait(pool, fib(fib_argument)) != fib_result)
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

task<std::uint64_t> skynet(std::uint64_t first, std::uint64_t leaves);

template <std::size_t... I>
auto ten_below(std::uint64_t first, std::uint64_t below, std::index_sequence<I...>) {
  return when_all(skynet(first + I * below, below)...);
}

task<std::uint64_t> skynet(std::uint64_t first, std::uint64_t leaves) {
  if (leaves == 1) co_return first;
  const auto sums = co_await ten_below(first, leaves / skynet_children,
                                       std::make_index_sequence<skynet_children>{});
  co_return std::apply([](auto... each) { return (each + ...); }, sums);
}

void skynet_by_when_all(benchmark::State& state) {
  thread_pool pool{static_cast<unsigned>(state.range(0))};
  const auto leaves = static_cast<std::uint64_t>(state.range(1));
  while (state.KeepRunningBatch(skynet_tasks(leaves))) {
    if (sync_wait(pool, skynet(0, leaves)) != skynet_result(leaves)) {
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
