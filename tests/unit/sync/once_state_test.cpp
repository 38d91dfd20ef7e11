// hotseat/tests/unit/sync/once_state_test.cpp — whether something has been done once.
#include <gtest/gtest.h>

#include <deque>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sync/detail/once_state.hpp>
#include <support/spinning.hpp>
#include <support/threads.hpp>
#include <support/waiters.hpp>
#include <vector>

namespace hotseat::detail {
namespace {

using testing::listed;

class OnceState : public ::testing::Test {
 protected:
  once_waiter& enqueue() {
    once_waiter& w = waiters.emplace_back();
    EXPECT_EQ(state.enter_or_enqueue(w), once_turn::wait);
    return w;
  }
  once_state state;
  std::deque<once_waiter> waiters;
};

TEST_F(OnceState, O1_at_most_one_is_running) {
  EXPECT_TRUE(state.try_enter());
  EXPECT_TRUE(state.is_running());
  EXPECT_FALSE(state.try_enter());
  enqueue();
  EXPECT_FALSE(state.try_enter());
  EXPECT_EQ(listed(state.fail()).size(), 1U);
  EXPECT_FALSE(state.try_enter()) << "it is the turn of the one that waited";
  EXPECT_TRUE(listed(state.fail()).empty());
  EXPECT_TRUE(state.try_enter());
  EXPECT_TRUE(listed(state.succeed()).empty());
}

TEST_F(OnceState, O1_the_slow_way_in_gives_the_turn_to_one) {
  once_waiter first;
  EXPECT_EQ(state.enter_or_enqueue(first), once_turn::ours);
  enqueue();
  EXPECT_EQ(listed(state.succeed()).size(), 1U);
  EXPECT_EQ(state.enter_or_enqueue(first), once_turn::done);
}

TEST_F(OnceState, O2_every_later_caller_sees_success) {
  EXPECT_FALSE(state.is_done());
  EXPECT_TRUE(state.try_enter());
  EXPECT_FALSE(state.is_done());
  once_waiter& a = enqueue();
  once_waiter& b = enqueue();
  EXPECT_EQ(listed(state.succeed()), (std::vector<waiter*>{&a, &b}));
  EXPECT_EQ(a.found, once_turn::done);
  EXPECT_EQ(b.found, once_turn::done);
  EXPECT_TRUE(state.is_done());
  EXPECT_FALSE(state.is_running());
  EXPECT_FALSE(state.try_enter());
}

TEST_F(OnceState, O3_a_failure_lets_in_the_one_that_has_waited_longest) {
  EXPECT_TRUE(state.try_enter());
  once_waiter& a = enqueue();
  once_waiter& b = enqueue();
  EXPECT_EQ(listed(state.fail()), (std::vector<waiter*>{&a}));
  EXPECT_EQ(a.found, once_turn::ours);
  EXPECT_TRUE(b.is_in_line);
  EXPECT_FALSE(state.is_done());
  EXPECT_EQ(listed(state.fail()), (std::vector<waiter*>{&b}));
  EXPECT_EQ(b.found, once_turn::ours);
  EXPECT_TRUE(listed(state.succeed()).empty());
}

TEST_F(OnceState, W1_a_waiter_that_left_is_not_given_the_turn) {
  EXPECT_TRUE(state.try_enter());
  once_waiter& a = enqueue();
  once_waiter& b = enqueue();
  EXPECT_TRUE(state.leave(a));
  EXPECT_FALSE(state.leave(a));
  EXPECT_EQ(listed(state.fail()), (std::vector<waiter*>{&b}));
  EXPECT_TRUE(listed(state.fail()).empty());
  EXPECT_FALSE(state.is_running());
}

// Half of the attempts fail; plain data, so that ThreadSanitizer sees a missing edge.
TEST_F(OnceState, threads_that_try_and_fail_and_leave) {
  constexpr int threads = 4;
  using place = testing::spinning<once_waiter>;
  for (int round = 0; round < 300; ++round) {
    once_state once;
    int attempts = 0;
    testing::on_threads(threads, [&] {
      for (;;) {
        place self;
        once_turn turn = once.enter_or_enqueue(self);
        if (turn == once_turn::wait) {
          self.await_turn_elsewhere();
          turn = self.found;
        }
        if (turn == once_turn::done) break;
        if (++attempts < 5) {
          testing::let_in<once_waiter>(once.fail());
        } else {
          testing::let_in<once_waiter>(once.succeed());
        }
      }
      EXPECT_EQ(attempts, 5);
    });
    EXPECT_TRUE(once.is_done());
  }
}

}  // namespace
}  // namespace hotseat::detail
