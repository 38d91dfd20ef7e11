// bench/executor/forking.cpp — fib, skynet and spawn_join by the thread_pool.
#include <executor/workload.hpp>
#include <forking/by_when_all.hpp>
#include <hotseat/hotseat.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hotseat::bench {

namespace {

measurement run_fib(const executor_settings& settings) {
  const fib_size size{settings.tasks};
  thread_pool pool{settings.workers};
  return time_executor(size.calls, [&] {
    require_result(sync_wait(pool, by_when_all::fib(size.argument)), size.result);
  });
}

measurement run_skynet(const executor_settings& settings) {
  const skynet_size size{settings.tasks};
  thread_pool pool{settings.workers};
  return time_executor(size.nodes, [&] {
    require_result(sync_wait(pool, by_when_all::skynet(0, size.leaves)), size.result());
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
