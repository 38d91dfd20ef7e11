// hotseat/tests/unit/task/root_test.cpp — started on an executor, owned by itself.
#include <gtest/gtest.h>

#include <hotseat/task/detail/root.hpp>
#include <hotseat/task/task.hpp>
#include <hotseat/task/this_task.hpp>
#include <memory>
#include <stop_token>
#include <support/probes.hpp>

namespace hotseat::detail {
namespace {

using testing::manual_executor;

root count(std::shared_ptr<int> life, executor*& ran_on) {
  ran_on = executor::current();
  ++*life;
  co_return;
}

root look_at_the_token(bool& is_asked) {
  const std::stop_token token = co_await this_task::stop_token();
  is_asked = token.stop_requested();
}

TEST(Root, runs_when_the_executor_says_so_and_there) {
  manual_executor ex{1};
  const auto life = std::make_shared<int>(0);
  executor* ran_on = nullptr;
  start(count(life, ran_on), ex, nullptr);
  EXPECT_EQ(*life, 0);
  EXPECT_EQ(ex.ready().size(), 1U);
  ex.run_all();
  EXPECT_EQ(*life, 1);
  EXPECT_EQ(ran_on, &ex);
}

TEST(Root, destroys_itself_at_its_end) {
  manual_executor ex{1};
  const auto life = std::make_shared<int>(0);
  executor* ran_on = nullptr;
  start(count(life, ran_on), ex, nullptr);
  EXPECT_EQ(life.use_count(), 2);
  ex.run_all();
  EXPECT_EQ(life.use_count(), 1);
}

TEST(Root, may_be_over_before_start_returns) {
  testing::immediate_executor ex;
  const auto life = std::make_shared<int>(0);
  executor* ran_on = nullptr;
  start(count(life, ran_on), ex, nullptr);
  EXPECT_EQ(*life, 1);
  EXPECT_EQ(life.use_count(), 1);
}

TEST(Root, gives_its_token_to_the_tasks_below) {
  manual_executor ex{1};
  std::stop_source source;
  source.request_stop();
  const std::stop_token token = source.get_token();
  bool is_asked = false;
  start(look_at_the_token(is_asked), ex, &token);
  ex.run_all();
  EXPECT_TRUE(is_asked);
}

}  // namespace
}  // namespace hotseat::detail
