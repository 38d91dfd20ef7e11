// hotseat/tests/unit/sync/guarded_line_test.cpp — the word knows whether the line is empty.
#include <gtest/gtest.h>

#include <hotseat/core/line_waiter.hpp>
#include <hotseat/sync/detail/guarded_line.hpp>
#include <support/waiters.hpp>

#include <array>
#include <vector>

namespace hotseat::detail {
namespace {

using testing::listed;

class GuardedLine : public ::testing::Test {
 protected:
  void fill() {
    EXPECT_EQ(line.guard(), 5U);
    for (line_waiter& each : tasks) line.push_back(each);
    line.unguard(4);
  }

  guarded_line line{5};
  std::array<line_waiter, 3> tasks;
};

TEST_F(GuardedLine, is_empty_at_first) {
  EXPECT_TRUE(line.is_empty());
  EXPECT_EQ(line.front(), nullptr);
  EXPECT_FALSE(line.is_waited());
  EXPECT_EQ(line.value(), 5U);
}

TEST_F(GuardedLine, the_end_of_the_guard_says_whether_a_task_waits) {
  fill();
  EXPECT_TRUE(line.is_waited());
  EXPECT_EQ(line.value(), 4U);
  static_cast<void>(line.guard());
  EXPECT_EQ(listed(line.pop_all()),
            (std::vector<waiter*>{&tasks[0], &tasks[1], &tasks[2]}));
  line.unguard(9);
  EXPECT_FALSE(line.is_waited());
  EXPECT_EQ(line.value(), 9U);
}

TEST_F(GuardedLine, gives_the_oldest_first) {
  fill();
  static_cast<void>(line.guard());
  EXPECT_EQ(line.front(), &tasks[0]);
  EXPECT_EQ(&line.pop_front(), &tasks[0]);
  EXPECT_EQ(line.front(), &tasks[1]);
  line.unguard(0);
  EXPECT_TRUE(line.is_waited());
}

TEST_F(GuardedLine, a_waiter_leaves_once_and_the_value_stays) {
  fill();
  EXPECT_TRUE(line.leave(tasks[1]));
  EXPECT_FALSE(line.leave(tasks[1]));
  EXPECT_TRUE(line.leave(tasks[0]));
  EXPECT_TRUE(line.is_waited());
  EXPECT_TRUE(line.leave(tasks[2]));
  EXPECT_FALSE(line.is_waited());
  EXPECT_EQ(line.value(), 4U);
}

}  // namespace
}  // namespace hotseat::detail
