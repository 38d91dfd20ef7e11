// bench/executor/workload.hpp — the executor's workloads, and their expected results.
// Read next: hotseat.cpp, one_tbb.cpp.
#pragma once

#include <forking/sizes.hpp>
#include <harness/measurement.hpp>
#include <support/machine.hpp>
#include <support/timing.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace hotseat::bench {

/// fib, skynet: tasks that fork, and join their children.  spawn_join: one task starts all
/// others.  switch, ping_pong: two tasks take turns.  wake_up: a pool that is asleep.
inline const std::vector<std::string> executor_workloads{
    "fib", "skynet", "spawn_join", "switch", "ping_pong", "wake_up"};

/// Tasks that one task starts before it waits for them.
inline constexpr std::size_t spawn_round = 1000;

struct executor_settings {
  std::uint64_t tasks;  ///< About this many are started in a run.
  std::uint64_t turns;  ///< In switch and ping_pong.
  std::uint64_t wake_ups;
  unsigned workers;
};

inline void require_result(std::uint64_t seen, std::uint64_t expected) {
  if (seen != expected) throw std::runtime_error{"wrong result: tasks were lost"};
}

/// Times `work`, which does `things` things.
measurement time_executor(std::uint64_t things, const auto& work) {
  const foreign_load others;
  const double cpu_before = process_cpu_seconds();
  const stopwatch clock;
  work();
  const double seconds = clock.seconds();
  const double cpu = process_cpu_seconds() - cpu_before;
  const auto count = static_cast<double>(things);
  return {{{"mops", 1e-6 * count / seconds},
           {"ns_each", 1e9 * seconds / count},
           {"cpu_ns_each", 1e9 * cpu / count},
           {"foreign_load", others.share()}}};
}

struct executor_contender {
  std::string name;
  std::string workload;
  std::function<measurement(const executor_settings&)> run;
};

/// Ours, one for each hand-off where that matters.
void add_hotseat(std::vector<executor_contender>& all);
/// Adds nothing if oneTBB was not found.
void add_one_tbb(std::vector<executor_contender>& all);

}  // namespace hotseat::bench
