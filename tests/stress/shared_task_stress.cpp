// hotseat/tests/stress/shared_task_stress.cpp — tasks that thousands of tasks await, with
// handles that come and go.  Layer: task.
// HOTSEAT_STRESS_SCALE (1) scales the numbers of rounds.
#include <hotseat/runtime/thread_pool.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/sched/reschedule.hpp>
#include <hotseat/task/shared_task.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/task.hpp>
#include <hotseat/task/task_group.hpp>
#include <hotseat/task/when_all.hpp>
#include <support/scaled.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <stop_token>
#include <utility>
#include <vector>

namespace hotseat {
namespace {

using namespace std::chrono_literals;
using testing::scaled;

/// Plain data, so that ThreadSanitizer sees a missing edge, and memory, so that
/// AddressSanitizer sees an end that comes too early.
using table = std::vector<int>;

task<table> make_table(std::atomic<int>& runs) {
  ++runs;
  co_await reschedule();
  co_return table(16, 1);
}

int sum_of(const table& all) {
  int sum = 0;
  for (const int each : all) sum += each;
  return sum;
}

task<> use(shared_task<table> shared, executor& home, std::size_t self,
           std::atomic<int>& mistakes) {
  co_await resume_on(home);
  if (self % 3 == 0) {
    const bool has_ended = co_await shared.wait_for(std::chrono::microseconds{self % 50});
    if (has_ended && sum_of(shared.result()) != 16) ++mistakes;
    co_return;
  }
  if (self % 3 == 1) {
    const table copy = co_await std::move(shared);
    if (sum_of(copy) != 16) ++mistakes;
    co_return;
  }
  const table& seen = co_await shared;
  if (sum_of(seen) != 16) ++mistakes;
}

TEST(SharedTaskStress, awaiters_of_two_pools_with_and_without_limits) {
  thread_pool pool{3};
  thread_pool other{2};
  std::atomic<int> runs{0};
  std::atomic<int> mistakes{0};
  const std::size_t rounds = scaled(2'000);
  for (std::size_t round = 0; round < rounds; ++round) {
    std::vector<task<>> tasks;
    {
      const shared_task<table> shared{make_table(runs)};
      for (std::size_t i = 0; i < 24; ++i) {
        tasks.push_back(use(shared, i % 4 == 0 ? other : pool, round + i, mistakes));
      }
    }
    sync_wait(pool, when_all(std::move(tasks)));
  }
  EXPECT_EQ(runs.load(), static_cast<int>(rounds));
  EXPECT_EQ(mistakes.load(), 0);
}

task<> give_up(shared_task<table> shared, std::stop_token stop) {
  const bool has_ended = co_await shared.wait(std::move(stop));
  static_cast<void>(has_ended);
}

TEST(SharedTaskStress, handles_go_while_it_runs_and_ends) {
  std::atomic<int> runs{0};
  const std::size_t rounds = scaled(5'000);
  {
    thread_pool pool{3};
    for (std::size_t round = 0; round < rounds; ++round) {
      std::stop_source source;
      task_group group{pool};
      {
        const shared_task<table> shared{make_table(runs)};
        for (int i = 0; i < 4; ++i) group.spawn(give_up(shared, source.get_token()));
      }
      source.request_stop();
      sync_wait(pool, group.join());
    }
  }
  EXPECT_EQ(runs.load(), static_cast<int>(rounds)) << "each has been started";
}

}  // namespace
}  // namespace hotseat
