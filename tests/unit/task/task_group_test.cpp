// hotseat/tests/unit/task/task_group_test.cpp — started one by one, joined together.
#include <gtest/gtest.h>

#include <cstdint>
#include <hotseat/core/waiter.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/runtime/thread_pool.hpp>
#include <hotseat/sched/current.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/sched/reschedule.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/task.hpp>
#include <hotseat/task/task_group.hpp>
#include <hotseat/task/this_task.hpp>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <support/probes.hpp>
#include <support/tasks.hpp>

namespace hotseat {
namespace {

using testing::count;
using testing::fail;

using testing::manual_executor;

testing::owned join(task_group& group, std::string& outcome) {
  try {
    co_await group.join();
    outcome += "joined";
  } catch (const std::runtime_error& error) {
    outcome += error.what();
  }
}

TEST(TaskGroup, spawn_schedules_and_join_waits_for_all) {
  manual_executor ex{1};
  task_group group{ex};
  int ended = 0;
  std::string outcome;
  testing::owned joiner = join(group, outcome);
  joiner.start_on(ex);
  ASSERT_TRUE(ex.step());
  EXPECT_EQ(outcome, "joined") << "an empty group needs no waiting";

  testing::owned second = join(group, outcome);
  outcome.clear();
  group.spawn(count(ended));
  group.spawn(count(ended));
  EXPECT_EQ(ended, 0);
  second.start_on(ex);
  ASSERT_TRUE(ex.step());
  EXPECT_EQ(ended, 1);
  ex.run_all();
  EXPECT_EQ(ended, 2);
  EXPECT_EQ(outcome, "joined");
}

TEST(TaskGroup, size_says_how_many_have_not_ended) {
  manual_executor ex{1};
  task_group group{ex};
  EXPECT_EQ(group.size(), 0U);
  int ended = 0;
  std::string outcome;
  group.spawn(count(ended));
  group.spawn(count(ended));
  EXPECT_EQ(group.size(), 2U);
  ASSERT_TRUE(ex.step());
  EXPECT_EQ(group.size(), 1U);
  const testing::owned joiner = join(group, outcome);
  joiner.run();
  EXPECT_EQ(group.size(), 1U) << "a joiner does not count";
  ex.run_all();
  EXPECT_EQ(group.size(), 0U);
  EXPECT_EQ(outcome, "joined");
}

TEST(TaskGroup, join_after_all_have_ended_does_not_wait) {
  manual_executor ex{1};
  task_group group{ex};
  int ended = 0;
  group.spawn(count(ended));
  ex.run_all();
  std::string outcome;
  const testing::owned joiner = join(group, outcome);
  joiner.run();
  EXPECT_EQ(outcome, "joined");
}

TEST(TaskGroup, a_joiner_that_lives_elsewhere_is_sent_home) {
  manual_executor here{1};
  manual_executor there{1};
  task_group group{here};
  int ended = 0;
  group.spawn(count(ended));
  std::string outcome;
  testing::owned joiner = join(group, outcome);
  joiner.start_on(there);
  there.run_all();
  here.run_all();
  EXPECT_EQ(outcome, "");
  EXPECT_FALSE(there.is_idle());
  there.run_all();
  EXPECT_EQ(outcome, "joined");
}

TEST(TaskGroup, the_first_exception_is_thrown_when_all_have_ended) {
  manual_executor ex{1};
  task_group group{ex};
  int ended = 0;
  group.spawn(fail("first"));
  group.spawn(fail("second"));
  group.spawn(count(ended));
  std::string outcome;
  testing::owned joiner = join(group, outcome);
  joiner.start_on(ex);
  ex.run_all();
  EXPECT_EQ(outcome, "first");
  EXPECT_EQ(ended, 1);
}

TEST(TaskGroup, can_be_used_again_after_a_join_that_threw) {
  manual_executor ex{1};
  task_group group{ex};
  for (const std::string what : {"one", "two"}) {
    std::string outcome;
    testing::owned joiner = join(group, outcome);
    group.spawn(fail(what));
    joiner.start_on(ex);
    ex.run_all();
    EXPECT_EQ(outcome, what);
  }
  std::string outcome;
  const testing::owned joiner = join(group, outcome);
  joiner.run();
  EXPECT_EQ(outcome, "joined");
}

task<> grow(task_group& group, int depth, int& ended) {
  ++ended;
  if (depth > 0) {
    group.spawn(grow(group, depth - 1, ended));
    group.spawn(grow(group, depth - 1, ended));
  }
  co_return;
}

TEST(TaskGroup, its_tasks_may_spawn_more) {
  manual_executor ex{2};
  task_group group{ex};
  int ended = 0;
  group.spawn(grow(group, 4, ended));
  std::string outcome;
  testing::owned joiner = join(group, outcome);
  joiner.start_on(ex);
  ex.run_all();
  EXPECT_EQ(ended, 31);
  EXPECT_EQ(outcome, "joined");
}

task<> wait_then_count(waiter_queue& pause, int& ended) {
  co_await testing::stand_in(pause);
  ++ended;
}

TEST(TaskGroup, the_joiner_continues_on_the_worker_of_the_last_task_at_once) {
  manual_executor ex{2};
  task_group group{ex};
  int ended = 0;
  std::string outcome;
  waiter_queue pause;
  group.spawn(wait_then_count(pause, ended));
  testing::owned joiner = join(group, outcome);
  joiner.start_on(ex);
  ex.run_all();  // The task stands in line, the joiner waits for it.
  EXPECT_EQ(outcome, "");
  dispatch_task(pause.pop_front());
  ASSERT_TRUE(ex.step(1));
  EXPECT_EQ(outcome, "joined");
  EXPECT_EQ(ex.resumptions().back(), (manual_executor::resumption{1, joiner.handle()}));
}

task<> note_token(bool& is_asked) {
  const std::stop_token token = co_await this_task::stop_token();
  is_asked = token.stop_requested();
}

TEST(TaskGroup, a_stop_request_reaches_its_tasks) {
  manual_executor ex{1};
  task_group group{ex};
  bool is_asked = false;
  group.spawn(note_token(is_asked));
  EXPECT_FALSE(group.stop_token().stop_requested());
  group.request_stop();
  EXPECT_TRUE(group.stop_token().stop_requested());
  ex.run_all();
  EXPECT_TRUE(is_asked);
}

testing::owned join_with_locks(task_group& group, std::uint32_t& after) {
  detail::current().locks_held = 2;
  co_await group.join();
  after = detail::current().locks_held;
}

TEST(TaskGroup, the_joiner_keeps_its_count_of_locks) {
  manual_executor ex{1};
  task_group group{ex};
  int ended = 0;
  std::uint32_t after = 0;
  testing::owned joiner = join_with_locks(group, after);
  joiner.start_on(ex);
  group.spawn(count(ended));
  ex.run_all();
  EXPECT_EQ(after, 2U);
}

task<> keep(std::shared_ptr<int> life) {
  ++*life;
  co_return;
}

TEST(TaskGroup, a_task_is_destroyed_before_the_joiner_goes_on) {
  testing::immediate_executor now;
  task_group group{now};
  const auto life = std::make_shared<int>(0);
  group.spawn(keep(life));
  EXPECT_EQ(*life, 1);
  EXPECT_EQ(life.use_count(), 1);
}

task<> bump(platform::atomic<int>& ended) {
  co_await reschedule();
  ended.fetch_add(1, std::memory_order_relaxed);
}

task<int> spawn_and_join(thread_pool& pool, int times) {
  platform::atomic<int> ended{0};
  task_group group{pool};
  for (int i = 0; i < times; ++i) group.spawn(bump(ended));
  co_await group.join();
  co_return ended.load(std::memory_order_relaxed);
}

TEST(TaskGroup, many_tasks_on_a_pool_of_threads) {
  thread_pool pool{3};
  for (int round = 0; round < 20; ++round) {
    EXPECT_EQ(sync_wait(pool, spawn_and_join(pool, 100)), 100);
  }
}

}  // namespace
}  // namespace hotseat
