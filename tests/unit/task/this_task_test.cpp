// hotseat/tests/unit/task/this_task_test.cpp — what a task can ask about itself.
#include <gtest/gtest.h>

#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/task.hpp>
#include <hotseat/task/this_task.hpp>
#include <stop_token>
#include <support/probes.hpp>

namespace hotseat {
namespace {

task<std::stop_token> own_token() { co_return co_await this_task::stop_token(); }

testing::owned token_of_another_type(bool& can_be_stopped) {
  const std::stop_token token = co_await this_task::stop_token();
  can_be_stopped = token.stop_possible();
}

TEST(ThisTask, the_stop_token_is_that_of_its_starter) {
  testing::immediate_executor now;
  std::stop_source source;
  const std::stop_token token = sync_wait(now, own_token(), source.get_token());
  EXPECT_EQ(token, source.get_token());
}

TEST(ThisTask, a_task_that_cannot_be_stopped_has_an_empty_token) {
  testing::immediate_executor now;
  EXPECT_FALSE(sync_wait(now, own_token()).stop_possible());
}

TEST(ThisTask, a_coroutine_of_another_type_has_an_empty_token) {
  bool can_be_stopped = true;
  const testing::owned task = token_of_another_type(can_be_stopped);
  task.run();
  EXPECT_FALSE(can_be_stopped);
}

TEST(ThisTask, asking_does_not_suspend) {
  testing::manual_executor ex{1};
  bool can_be_stopped = true;
  testing::owned task = token_of_another_type(can_be_stopped);
  task.start_on(ex);
  ASSERT_TRUE(ex.step());
  EXPECT_TRUE(task.done());
}

}  // namespace
}  // namespace hotseat
