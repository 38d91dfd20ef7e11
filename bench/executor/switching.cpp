// bench/executor/switching.cpp — from one task to another, and from a pool that is asleep
// to a task.
#include <executor/workload.hpp>
#include <harness/samples.hpp>
#include <hotseat/hotseat.hpp>
#include <hotseat/sched/reschedule.hpp>

#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

namespace hotseat::bench {

namespace {

task<std::uint64_t> go_to_the_back(std::uint64_t times) {
  std::uint64_t turns = 0;
  for (; turns < times; ++turns) co_await reschedule();
  co_return turns;
}

/// Two tasks that let each other go first.
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

/// Two tasks and two mutexes, each of which says that it is one task's turn.
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

/// From a thread that schedules to the task that runs.  The throughput is that of the
/// median.
measurement run_wake_up(const executor_settings& settings) {
  using namespace std::chrono;
  thread_pool pool{settings.workers};
  const foreign_load others;
  const double cpu_before = process_cpu_seconds();
  std::vector<std::uint32_t> samples;
  for (std::uint64_t i = 0; i < settings.wake_ups; ++i) {
    std::this_thread::sleep_for(milliseconds{2});  // By now all workers are asleep again.
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

void add_switching(std::vector<executor_contender>& all) {
  all.push_back({"hotseat", "switch", run_switch});
  all.push_back({"exchange", "ping_pong", run_ping_pong<handoff::exchange>});
  all.push_back({"dispatch", "ping_pong", run_ping_pong<handoff::dispatch>});
  all.push_back({"hotseat", "wake_up", run_wake_up});
}

}  // namespace hotseat::bench
