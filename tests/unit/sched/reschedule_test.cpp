// hotseat/tests/unit/sched/reschedule_test.cpp — to the back of the line, or to another
// executor.
#include <gtest/gtest.h>

#include <cstdint>
#include <hotseat/sched/current.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/sched/reschedule.hpp>
#include <string>
#include <support/probes.hpp>
#include <vector>

namespace hotseat {
namespace {

using testing::manual_executor;

testing::owned twice(std::string& log, char name) {
  log += name;
  co_await reschedule();
  log += static_cast<char>(name - 'a' + 'A');
}

testing::owned with_locks(std::uint32_t& after) {
  detail::current().locks_held = 3;
  co_await reschedule();
  after = detail::current().locks_held;
}

testing::owned visit(executor& other, std::vector<executor*>& seen) {
  seen.push_back(executor::current());
  co_await resume_on(other);
  seen.push_back(executor::current());
}

testing::owned visit_with_locks(executor& other, std::uint32_t& after) {
  detail::current().locks_held = 3;
  co_await resume_on(other);
  after = detail::current().locks_held;
}

TEST(Reschedule, everything_that_is_ready_runs_first) {
  manual_executor ex{1};
  std::string log;
  testing::owned a = twice(log, 'a');
  testing::owned b = twice(log, 'b');
  a.start_on(ex);
  b.start_on(ex);
  ex.run_all();
  EXPECT_EQ(log, "abAB");
}

TEST(Reschedule, the_locks_travel_with_the_task) {
  manual_executor ex{2};
  std::uint32_t after = 0;
  testing::owned task = with_locks(after);
  task.start_on(ex);
  ASSERT_TRUE(ex.step(0));
  ASSERT_TRUE(ex.step(1));
  EXPECT_EQ(after, 3U);
}

TEST(Reschedule, does_nothing_on_a_thread_without_an_executor) {
  std::string log;
  const testing::owned task = twice(log, 'a');
  task.run();
  EXPECT_EQ(log, "aA");
}

TEST(ResumeOn, continues_on_the_other_executor) {
  manual_executor here{1};
  manual_executor there{1};
  std::vector<executor*> seen;
  testing::owned task = visit(there, seen);
  task.start_on(here);
  here.run_all();
  EXPECT_EQ(seen.size(), 1U);
  there.run_all();
  EXPECT_EQ(seen, (std::vector<executor*>{&here, &there}));
}

TEST(ResumeOn, resuming_on_the_current_executor_does_not_suspend) {
  manual_executor here{1};
  std::vector<executor*> seen;
  testing::owned task = visit(here, seen);
  task.start_on(here);
  ASSERT_TRUE(here.step());
  EXPECT_TRUE(task.done());
}

TEST(ResumeOn, brings_a_task_of_a_plain_thread_to_an_executor) {
  manual_executor there{1};
  std::vector<executor*> seen;
  const testing::owned task = visit(there, seen);
  task.run();
  there.run_all();
  EXPECT_EQ(seen, (std::vector<executor*>{nullptr, &there}));
}

TEST(ResumeOn, the_locks_travel_with_the_task) {
  manual_executor here{1};
  manual_executor there{1};
  std::uint32_t after = 0;
  testing::owned task = visit_with_locks(there, after);
  task.start_on(here);
  here.run_all();
  there.run_all();
  EXPECT_EQ(after, 3U);
}

// Publish last: the task ends, and its frame is gone, before schedule returns.
testing::detached hurry(executor& where, int& ended) {
  co_await resume_on(where);
  co_await reschedule();
  ++ended;
}

TEST(Reschedule, the_operation_may_be_gone_before_schedule_returns) {
  testing::immediate_executor ex;
  int ended = 0;
  hurry(ex, ended);
  EXPECT_EQ(ended, 1);
}

}  // namespace
}  // namespace hotseat
