// hotseat/tests/unit/sync/condition_state_test.cpp — who waits for a condition.
#include <gtest/gtest.h>

#include <cstdint>
#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/waiter_queue.hpp>
#include <hotseat/sync/detail/condition_state.hpp>
#include <hotseat/sync/detail/lock_state.hpp>

namespace hotseat::detail {
namespace {

TEST(ConditionState, nobody_is_notified_where_nobody_waits) {
  condition_state state;
  EXPECT_FALSE(state.is_waited());
  EXPECT_TRUE(state.notify(SIZE_MAX).empty());
}

TEST(ConditionState, notifies_the_oldest_first_and_no_more_than_wanted) {
  condition_state state;
  condition_waiter a;
  condition_waiter b;
  condition_waiter c;
  for (condition_waiter* const w : {&a, &b, &c}) state.join(*w);
  waiter_queue notified = state.notify(2);
  EXPECT_EQ(&notified.pop_front(), &a);
  EXPECT_EQ(&notified.pop_front(), &b);
  EXPECT_TRUE(notified.empty());
  EXPECT_TRUE(a.is_notified);
  EXPECT_FALSE(c.is_notified);
  EXPECT_TRUE(state.is_waited());
  EXPECT_EQ(&state.notify(SIZE_MAX).pop_front(), &c);
  EXPECT_FALSE(state.is_waited());
}

TEST(ConditionState, C1_a_waiter_is_found_by_whoever_looks_after_it_has_joined) {
  condition_state state;
  condition_waiter w;
  state.join(w);
  EXPECT_TRUE(state.is_waited());
  EXPECT_EQ(state.notify(1).front(), &w);
}

TEST(ConditionState, C2_a_waiter_leaves_once) {
  condition_state state;
  condition_waiter gone;
  condition_waiter notified;
  state.join(gone);
  state.join(notified);
  EXPECT_TRUE(state.leave(gone));
  EXPECT_FALSE(state.leave(gone));
  EXPECT_FALSE(gone.is_notified);
  EXPECT_EQ(state.notify(SIZE_MAX).front(), &notified);
  EXPECT_FALSE(state.leave(notified));
  EXPECT_FALSE(state.is_waited());
}

TEST(ConditionState, a_waiter_goes_to_its_mutex_whatever_its_type) {
  lock_state mutex;
  condition_waiter first;
  condition_waiter second;
  for (condition_waiter* const w : {&first, &second}) {
    w->mutex = &mutex;
    w->verbs = &verbs_of<lock_state>;
  }
  EXPECT_TRUE(first.go_to_mutex());
  EXPECT_FALSE(second.go_to_mutex());
  EXPECT_EQ(first.release_mutex(), &second);
  EXPECT_EQ(second.release_mutex(), nullptr);
}

}  // namespace
}  // namespace hotseat::detail
