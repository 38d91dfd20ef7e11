// bench/executor/one_tbb.cpp — fib, skynet and spawn_join by oneTBB.
#include <executor/workload.hpp>

#if defined(HOTSEAT_BENCH_HAS_TBB)

#include <forking/by_tbb.hpp>

#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hotseat::bench {

namespace {

struct alignas(64) own_count {
  std::uint64_t value = 0;
};

/// Calls `work(arena)` on as many threads as there are workers.
measurement in_arena(const executor_settings& settings, std::uint64_t things,
                     const auto& work) {
  const tbb::global_control limit{tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(settings.workers)};
  tbb::task_arena arena{static_cast<int>(settings.workers)};
  arena.initialize();
  return time_executor(things, [&] { arena.execute(work); });
}

measurement run_fib(const executor_settings& settings) {
  const fib_size size{settings.tasks};
  return in_arena(settings, size.calls,
                  [&] { require_result(by_tbb::fib(size.argument), size.result); });
}

measurement run_skynet(const executor_settings& settings) {
  const skynet_size size{settings.tasks};
  return in_arena(settings, size.nodes,
                  [&] { require_result(by_tbb::skynet(0, size.leaves), size.result()); });
}

measurement run_spawn_join(const executor_settings& settings) {
  std::vector<own_count> counts(spawn_round);
  const measurement result = in_arena(settings, settings.tasks, [&] {
    for (std::uint64_t done = 0; done < settings.tasks;) {
      tbb::task_group group;
      for (std::size_t i = 0; i < counts.size() && done < settings.tasks; ++i, ++done) {
        group.run([&mine = counts[i]] { ++mine.value; });
      }
      group.wait();
    }
  });
  std::uint64_t all = 0;
  for (const own_count& each : counts) all += each.value;
  require_result(all, settings.tasks);
  return result;
}

}  // namespace

void add_one_tbb(std::vector<executor_contender>& all) {
  all.push_back({"oneTBB", "fib", run_fib});
  all.push_back({"oneTBB", "skynet", run_skynet});
  all.push_back({"oneTBB", "spawn_join", run_spawn_join});
}

}  // namespace hotseat::bench

#else

namespace hotseat::bench {

void add_one_tbb(std::vector<executor_contender>& /*all*/) {}

}  // namespace hotseat::bench

#endif
