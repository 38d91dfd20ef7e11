// hotseat/tests/unit/core/waiter_test.cpp — a place in line.
#include <gtest/gtest.h>

#include <hotseat/core/waiter.hpp>
#include <support/probes.hpp>
#include <type_traits>

namespace hotseat {
namespace {

// A frame that is destroyed while it waits has nothing to do for its place.
static_assert(std::is_trivially_destructible_v<waiter>);

testing::owned set(bool& flag) {
  flag = true;
  co_return;
}

TEST(Waiter, starts_without_task_line_home_and_locks) {
  const waiter w;
  EXPECT_FALSE(w.task);
  EXPECT_EQ(w.next, nullptr);
  EXPECT_EQ(w.home, nullptr);
  EXPECT_EQ(w.locks_held, 0U);
}

TEST(Waiter, resumes_the_task_it_describes) {
  bool has_run = false;
  const testing::owned task = set(has_run);
  waiter w;
  w.task = task.handle();
  EXPECT_FALSE(has_run);
  w.task.resume();
  EXPECT_TRUE(has_run);
}

}  // namespace
}  // namespace hotseat
