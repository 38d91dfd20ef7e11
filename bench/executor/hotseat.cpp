// bench/executor/hotseat.cpp — the workloads on thread_pool: fork and join, taking turns,
// and waking up.
#include <executor/workload.hpp>
#include <forking/by_when_all.hpp>
#include <harness/samples.hpp>
#include <hotseat/hotseat.hpp>
#include <hotseat/sched/reschedule.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <thread>
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

task<std::uint64_t> go_to_the_back(std::uint64_t times) {
  std::uint64_t turns = 0;
  for (; turns < times; ++turns) co_await reschedule();
  co_return turns;
}

/// Two tasks that reschedule in turns.
measurement run_switch(const executor_settings& settings) {
  thread_pool pool{settings.workers};
  return time_executor(2 * settings.turns, [&] {
    const auto [a, b] = sync_wait(
        pool, when_all(go_to_the_back(settings.turns), go_to_the_back(settings.turns)));
    require_result(a + b, 2 * settings.turns);
  });
}

template <class Mutex>
task<std::uint64_t> take_turns(Mutex& mine, Mutex& yours, std::uint64_t times) {
  std::uint64_t turns = 0;
  for (; turns < times; ++turns) {
    co_await mine.lock();
    co_await yours.unlock();
  }
  co_return turns;
}

/// Two tasks and two mutexes, each of which grants one task its turn.
template <class Handoff>
measurement run_ping_pong(const executor_settings& settings) {
  using mutex_type = basic_mutex<Handoff>;
  thread_pool pool{settings.workers};
  mutex_type ping;
  mutex_type pong;
  if (!pong.try_lock()) throw std::runtime_error{"wrong result: a new mutex is owned"};
  const measurement result = time_executor(2 * settings.turns, [&] {
    const auto [a, b] = sync_wait(pool, when_all(take_turns(ping, pong, settings.turns),
                                                 take_turns(pong, ping, settings.turns)));
    require_result(a + b, 2 * settings.turns);
  });
  pong.unlock_dispatch();
  return result;
}

task<std::chrono::steady_clock::time_point> look_at_the_clock() {
  co_return std::chrono::steady_clock::now();
}

/// From scheduling on one thread to the task's start.  The throughput is the median's.
measurement run_wake_up(const executor_settings& settings) {
  using namespace std::chrono;
  thread_pool pool{settings.workers};
  const foreign_load others;
  const double cpu_before = process_cpu_seconds();
  std::vector<std::uint32_t> samples;
  for (std::uint64_t i = 0; i < settings.wake_ups; ++i) {
    std::this_thread::sleep_for(milliseconds{2});  // By then all workers are asleep again.
    const auto scheduled = steady_clock::now();
    const auto running = sync_wait(pool, look_at_the_clock());
    samples.push_back(static_cast<std::uint32_t>(
        duration_cast<nanoseconds>(running - scheduled).count()));
  }
  require_result(samples.size(), settings.wake_ups);
  const double cpu = process_cpu_seconds() - cpu_before;
  measurement result;
  add_percentiles(result.numbers, "wake_ns", samples, 1);
  const double median = result.at("wake_ns_p50");
  result.numbers.insert(
      result.numbers.begin(),
      {{"mops", 1e3 / median},
       {"ns_each", median},
       {"cpu_ns_each", 1e9 * cpu / static_cast<double>(settings.wake_ups)},
       {"foreign_load", others.share()}});
  return result;
}

}  // namespace

void add_hotseat(std::vector<executor_contender>& all) {
  all.push_back({"hotseat", "fib", run_fib});
  all.push_back({"hotseat", "skynet", run_skynet});
  all.push_back({"hotseat", "spawn_join", run_spawn_join});
  all.push_back({"hotseat", "switch", run_switch});
  all.push_back({"exchange", "ping_pong", run_ping_pong<handoff::exchange>});
  all.push_back({"dispatch", "ping_pong", run_ping_pong<handoff::dispatch>});
  all.push_back({"hotseat", "wake_up", run_wake_up});
}

}  // namespace hotseat::bench
