// hotseat/tests/unit/sync/condition_state_test.cpp — the line of a condition, and the way
// from there to a mutex.
#include <gtest/gtest.h>

#include <cstdint>
#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/sync/detail/condition_state.hpp>
#include <hotseat/sync/detail/lock_free_state.hpp>
#include <hotseat/sync/detail/spin_locked_state.hpp>

namespace hotseat::detail {
namespace {

TEST(ConditionState, notifies_nothing_where_no_task_waits) {
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

TEST(ConditionState, C1_a_waiter_that_has_joined_is_found) {
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

template <class State>
class AnyMutex : public ::testing::Test {};
using states_of_mutexes = ::testing::Types<lock_free_state, spin_locked_state>;
TYPED_TEST_SUITE(AnyMutex, states_of_mutexes);

TYPED_TEST(AnyMutex, a_waiter_goes_to_its_mutex_whatever_its_type) {
  TypeParam mutex;
  condition_waiter first;
  condition_waiter second;
  condition_waiter third;
  for (condition_waiter* const w : {&first, &second, &third}) {
    w->mutex = {&mutex, &verbs_of<TypeParam, true>};
  }
  EXPECT_TRUE(first.go_to_mutex());
  EXPECT_FALSE(second.go_to_mutex());
  EXPECT_FALSE(third.go_to_mutex());
  EXPECT_TRUE(third.mutex.leave(third));
  EXPECT_FALSE(third.mutex.leave(third));
  EXPECT_EQ(first.mutex.release(), &second);
  EXPECT_EQ(second.mutex.release(), nullptr);
  EXPECT_TRUE(mutex.is_free());
}

static_assert(verbs_of<lock_free_state, true>.exchanges);
static_assert(!verbs_of<lock_free_state, false>.exchanges);

}  // namespace
}  // namespace hotseat::detail
