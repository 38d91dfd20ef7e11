// hotseat/tests/stress/pool_stress.cpp — a pool that is woken, flooded, starved and
// destroyed.  Layer: runtime.  A lost wake-up or task leaves a thread waiting for ever: the
// test's time limit is the guard.  HOTSEAT_STRESS_SCALE (1) scales the rounds.
#include <hotseat/core/waiter.hpp>
#include <hotseat/runtime/thread_pool.hpp>
#include <hotseat/runtime/topology.hpp>
#include <hotseat/sched/reschedule.hpp>
#include <hotseat/sched/worker_scope.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/task.hpp>
#include <hotseat/task/when_all.hpp>
#include <support/errand.hpp>
#include <support/scaled.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <latch>
#include <random>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace hotseat {
namespace {

using options = thread_pool::options;

using testing::scaled;

/// Shapes of pools; the smallest queues overflow all the time.
std::vector<options> pools() {
  std::vector<options> result;
  for (const unsigned threads : {1U, 2U, 3U, 8U}) {
    for (const queue_order order : {queue_order::fifo, queue_order::lifo}) {
      result.push_back({.threads = threads, .order = order});
      result.push_back(
          {.threads = threads, .block_size = 1, .block_count = 2, .order = order});
      result.push_back(
          {.threads = threads, .block_size = 2, .block_count = 2, .order = order});
    }
  }
  return result;
}

class PoolStress : public ::testing::TestWithParam<options> {
 protected:
  const options how = GetParam();
};

INSTANTIATE_TEST_SUITE_P(Pools, PoolStress, ::testing::ValuesIn(pools()),
                         [](const auto& param) {
                           const options& how = param.param;
                           return std::to_string(how.threads) + "_workers_" +
                                  std::to_string(how.block_count) + "x" +
                                  std::to_string(how.block_size) +
                                  (how.order == queue_order::fifo ? "_fifo" : "_lifo");
                         });

/// Each burst meets workers that are busy, searching or just falling asleep: the pause
/// since the last burst varies.
TEST_P(PoolStress, wakes_up_for_every_burst_from_outside) {
  thread_pool pool{how};
  std::mt19937_64 random{4711};
  const std::size_t bursts = scaled(3000, 10);
  for (std::size_t i = 0; i < bursts; ++i) {
    const auto size = static_cast<std::ptrdiff_t>(1 + random() % 20);
    std::latch done{size};
    for (std::ptrdiff_t n = 0; n < size; ++n) run_on(pool, [&done] { done.count_down(); });
    done.wait();
    // From no idle time to more than a searcher's patience.
    for (std::uint64_t spins = random() % 20'000; spins > 0; --spins) {
      std::atomic_signal_fence(std::memory_order_seq_cst);
    }
  }
}

TEST_P(PoolStress, wakes_up_for_every_single_task) {
  thread_pool pool{how};
  const std::size_t tasks = scaled(5000, 10);
  for (std::size_t i = 0; i < tasks; ++i) {
    const auto answer = [](std::size_t n) -> task<std::size_t> { co_return n; };
    task<std::size_t> asked = answer(i);
    ASSERT_EQ(sync_wait(pool, asked), i);
  }
}

task<std::size_t> count_leaves(unsigned depth, std::vector<std::atomic<std::uint8_t>>& runs,
                               std::size_t number) {
  if (depth == 0) {
    runs[number].fetch_add(1, std::memory_order_relaxed);
    co_return 1;
  }
  auto [left, right] = co_await when_all(count_leaves(depth - 1, runs, 2 * number),
                                         count_leaves(depth - 1, runs, 2 * number + 1));
  co_return left + right;
}

TEST_P(PoolStress, every_leaf_of_a_fork_join_storm_is_run_once) {
  thread_pool pool{how};
  const std::size_t storms = scaled(30, 10);
  constexpr unsigned depth = 10;
  for (std::size_t i = 0; i < storms; ++i) {
    std::vector<std::atomic<std::uint8_t>> runs(std::size_t{1} << depth);
    ASSERT_EQ(sync_wait(pool, count_leaves(depth, runs, 0)), runs.size());
    for (const auto& each : runs) ASSERT_EQ(each.load(), 1);
  }
}

TEST_P(PoolStress, tasks_of_many_threads_at_once_are_run_once_each) {
  thread_pool pool{how};
  constexpr std::size_t threads = 4;
  const std::size_t each = scaled(5000, 10);
  std::vector<std::atomic<std::uint8_t>> runs(threads * each);
  std::latch done{static_cast<std::ptrdiff_t>(runs.size())};
  std::vector<std::thread> outside;
  for (std::size_t t = 0; t < threads; ++t) {
    outside.emplace_back([&, t] {
      for (std::size_t i = 0; i < each; ++i) {
        auto& mine = runs[t * each + i];
        run_on(pool, [&mine, &done] {
          mine.fetch_add(1, std::memory_order_relaxed);
          done.count_down();
        });
      }
    });
  }
  for (std::thread& thread : outside) thread.join();
  done.wait();
  for (const auto& mine : runs) ASSERT_EQ(mine.load(), 1);
}

task<> hop(std::size_t hops, std::atomic<std::size_t>& turns) {
  for (std::size_t i = 0; i < hops; ++i) {
    turns.fetch_add(1, std::memory_order_relaxed);
    co_await reschedule();
  }
}

TEST_P(PoolStress, tasks_that_go_to_the_back_again_and_again_all_get_their_turns) {
  thread_pool pool{how};
  const std::size_t hops = scaled(500, 10);
  std::atomic<std::size_t> turns{0};
  std::vector<task<>> all;
  for (int i = 0; i < 100; ++i) all.push_back(hop(hops, turns));
  sync_wait(pool, when_all(std::move(all)));
  EXPECT_EQ(turns, 100 * hops);
}

/// Call it on a worker.
void fork(const errand& child) {
  worker_scope::current()->fork_all(std::span{&child.place(), 1});
}

void run_and_fork(thread_pool& pool, std::atomic<std::size_t>& runs, unsigned generations) {
  runs.fetch_add(1, std::memory_order_relaxed);
  if (generations == 0) return;
  run_on(pool, [&pool, &runs, generations] { run_and_fork(pool, runs, generations - 1); });
  fork(make_errand(
      [&pool, &runs, generations] { run_and_fork(pool, runs, generations - 1); }));
}

TEST_P(PoolStress, pools_that_are_destroyed_with_work_in_flight_finish_it) {
  const std::size_t lives = scaled(400, 10);
  std::mt19937_64 random{42};
  for (std::size_t i = 0; i < lives; ++i) {
    std::atomic<std::size_t> runs{0};
    const std::size_t injected = random() % 8;
    {
      thread_pool pool{how};
      for (std::size_t n = 0; n < injected; ++n) {
        run_on(pool, [&pool, &runs] { run_and_fork(pool, runs, 4); });
      }
    }
    ASSERT_EQ(runs, injected * 31) << "life " << i;
  }
}

/// Destruction meets workers that search, fall asleep or have not begun.
TEST_P(PoolStress, pools_that_are_destroyed_at_any_moment_do_not_hang) {
  const std::size_t lives = scaled(400, 10);
  std::mt19937_64 random{7};
  for (std::size_t i = 0; i < lives; ++i) {
    std::atomic<bool> is_run{false};
    thread_pool pool{how};
    if (random() % 2 == 0) {
      run_on(pool, [&is_run] { is_run = true; });
      while (random() % 4 != 0 && !is_run) std::this_thread::yield();
    }
    for (std::uint64_t spins = random() % 20'000; spins > 0; --spins) {
      std::atomic_signal_fence(std::memory_order_seq_cst);
    }
  }
}

/// All workers meet.  Each of them is needed, so a task that an idle worker cannot reach
/// leaves them waiting for ever.
TEST_P(PoolStress, all_workers_come_to_a_meeting_however_the_tasks_were_spread) {
  thread_pool pool{how};
  const std::size_t meetings = scaled(1000, 10);
  for (std::size_t i = 0; i < meetings; ++i) {
    const auto size = static_cast<std::ptrdiff_t>(how.threads);
    std::latch everybody{size};
    std::latch done{size};
    const auto meet = [&] {
      everybody.arrive_and_wait();
      done.count_down();
    };
    if (i % 2 == 0) {
      for (std::ptrdiff_t n = 0; n < size; ++n) run_on(pool, meet);
    } else {
      run_on(pool, [&] {
        for (std::ptrdiff_t n = 1; n < size; ++n) {
          if (i % 4 == 1) {
            run_on(pool, meet);
          } else {
            fork(make_errand(meet));
          }
        }
        run_on(pool, meet);
      });
    }
    done.wait();
  }
}

TEST(PoolStressOnTwoNodes, work_crosses_nodes_and_nothing_is_lost) {
  std::vector<cpu> cpus;
  for (unsigned i = 0; i < 8; ++i) cpus.push_back({i, i, i / 2, i / 4});
  thread_pool pool{options{.threads = 8, .machine = topology::described(std::move(cpus))}};
  const std::size_t storms = scaled(50, 10);
  for (std::size_t i = 0; i < storms; ++i) {
    std::vector<std::atomic<std::uint8_t>> runs(std::size_t{1} << 10);
    ASSERT_EQ(sync_wait(pool, count_leaves(10, runs, 0)), runs.size());
    for (const auto& each : runs) ASSERT_EQ(each.load(), 1);
  }
}

std::chrono::duration<double> cpu_time_of_process() {
  std::timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return std::chrono::seconds{time.tv_sec} + std::chrono::nanoseconds{time.tv_nsec};
}

double percent_used_during(std::chrono::milliseconds wall) {
  const auto before = cpu_time_of_process();
  std::this_thread::sleep_for(wall);
  const std::chrono::duration<double> used = cpu_time_of_process() - before;
  return 100 * used / std::chrono::duration<double>{wall};
}

/// The limit is generous: 0.001 % was measured, and a single worker that polls or spins
/// takes far more, all the time.  Workers look around before they sleep, and beside other
/// programs that may take any time: so the pool need only come to rest eventually.
TEST(IdlePool, uses_no_cpu_time) {
  thread_pool pool{options{.threads = 8}};
  std::vector<std::atomic<std::uint8_t>> runs(std::size_t{1} << 10);
  ASSERT_EQ(sync_wait(pool, count_leaves(10, runs, 0)), runs.size());
  const auto wall = std::chrono::milliseconds{10 * scaled(500, 10)};
  double percent = 100;
  for (int look = 0; look < 50 && percent >= 1.0; ++look) {
    percent = percent_used_during(wall);
  }
  RecordProperty("percent", std::to_string(percent));
  EXPECT_LT(percent, 1.0);
}

}  // namespace
}  // namespace hotseat
