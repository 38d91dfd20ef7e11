// bench/micro/queue.cpp — a worker's own queue, without thieves.
#include <hotseat/platform/memory.hpp>
#include <hotseat/runtime/detail/bwos_queue.hpp>
#include <hotseat/runtime/thread_pool.hpp>

#include <benchmark/benchmark.h>

#include <cstdint>

namespace hotseat::bench {
namespace {

/// Pushes and pops in bursts of this length: the time is that of one push and one pop. Many
/// bursts in each iteration of the harness, which itself takes as long as a pair.
template <queue_order Order, std::int64_t Burst>
void push_and_pop(benchmark::State& state) {
  const thread_pool_options usual;
  const platform::pages memory = platform::allocate_pages(
      detail::bwos_queue::storage_bytes(usual.block_size, usual.block_count));
  detail::bwos_queue queue{memory.get(), usual.block_size, usual.block_count, Order};
  int item = 0;
  constexpr std::int64_t bursts = 10'000 / Burst;
  while (state.KeepRunningBatch(bursts * Burst)) {
    for (std::int64_t turn = 0; turn < bursts; ++turn) {
      for (std::int64_t i = 0; i < Burst; ++i) {
        if (!queue.push(&item)) state.SkipWithError("full");
      }
      for (std::int64_t i = 0; i < Burst; ++i) benchmark::DoNotOptimize(queue.pop());
    }
  }
}
BENCHMARK(push_and_pop<queue_order::fifo, 1>)->Name("queue/fifo/pair");
BENCHMARK(push_and_pop<queue_order::fifo, 100>)->Name("queue/fifo/burst_of_100");
BENCHMARK(push_and_pop<queue_order::lifo, 1>)->Name("queue/lifo/pair");
BENCHMARK(push_and_pop<queue_order::lifo, 100>)->Name("queue/lifo/burst_of_100");

}  // namespace
}  // namespace hotseat::bench
