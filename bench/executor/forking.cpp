// bench/executor/forking.cpp — fib, skynet and spawn_join by the thread_pool.
#include <executor/contenders.hpp>
#include <hotseat/hotseat.hpp>

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

measurement run_fib(const executor_settings& settings) {
  const fib_size size{settings.tasks};
  thread_pool pool{settings.workers};
  return time_executor(size.calls, [&] {
    require_result(sync_wait(pool, fib(size.argument)), size.result);
  });
}

task<std::uint64_t> skynet(std::uint64_t first, std::uint64_t leaves);

template <std::size_t... I>
auto ten_below(std::uint64_t first, std::uint64_t below, std::index_sequence<I...>) {
  return when_all(skynet(first + I * below, below)...);
}

task<std::uint64_t> skynet(std::uint64_t first, std::uint64_t leaves) {
  if (leaves == 1) co_return first;
  const auto sums = co_await ten_below(first, leaves / skynet_size::children,
                                       std::make_index_sequence<skynet_size::children>{});
  co_return std::apply([](auto... each) { return (each + ...); }, sums);
}

measurement run_skynet(const executor_settings& settings) {
  const skynet_size size{settings.tasks};
  thread_pool pool{settings.workers};
  return time_executor(size.nodes, [&] {
    require_result(sync_wait(pool, skynet(0, size.leaves)), size.result());
  });
}

struct alignas(64) own_count {
  std::uint64_t value = 0;
};

task<> count_one(own_count& mine) {
  ++mine.value;
  co_return;
}

/// Spawns in rounds, so that the memory of a run does not grow with its length.
task<> spawn_all(thread_pool& pool, std::vector<own_count>& counts, std::uint64_t tasks) {
  for (std::uint64_t done = 0; done < tasks;) {
    task_group group{pool};
    for (std::size_t i = 0; i < counts.size() && done < tasks; ++i, ++done) {
      group.spawn(count_one(counts[i]));
    }
    co_await group.join();
  }
}

measurement run_spawn_join(const executor_settings& settings) {
  thread_pool pool{settings.workers};
  std::vector<own_count> counts(spawn_round);
  const measurement result = time_executor(
      settings.tasks, [&] { sync_wait(pool, spawn_all(pool, counts, settings.tasks)); });
  std::uint64_t all = 0;
  for (const own_count& each : counts) all += each.value;
  require_result(all, settings.tasks);
  return result;
}

}  // namespace

void add_forking(std::vector<executor_contender>& all) {
  all.push_back({"hotseat", "fib", run_fib});
  all.push_back({"hotseat", "skynet", run_skynet});
  all.push_back({"hotseat", "spawn_join", run_spawn_join});
}

}  // namespace hotseat::bench
