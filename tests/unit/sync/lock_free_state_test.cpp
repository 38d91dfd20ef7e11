// hotseat/tests/unit/sync/lock_free_state_test.cpp — the invariants, for both states of a
// mutex. What only the guarded queue promises is in spin_locked_state_test.cpp.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <hotseat/core/line_waiter.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sync/detail/lock_free_state.hpp>
#include <hotseat/sync/detail/spin_locked_state.hpp>
#include <support/lock_state_hammer.hpp>
#include <vector>

namespace hotseat::detail {
namespace {

template <class State>
class LockState : public ::testing::Test {
 protected:
  State state;
};
using both_states = ::testing::Types<lock_free_state, spin_locked_state>;
TYPED_TEST_SUITE(LockState, both_states);

TYPED_TEST(LockState, starts_free_and_is_constant_initialized) {
  static constinit TypeParam constant;
  EXPECT_TRUE(constant.is_free());
  EXPECT_TRUE(this->state.is_free());
}

TYPED_TEST(LockState, only_one_acquires) {
  EXPECT_TRUE(this->state.try_acquire());
  EXPECT_FALSE(this->state.is_free());
  EXPECT_FALSE(this->state.try_acquire());
  EXPECT_EQ(this->state.release(), nullptr);
  EXPECT_TRUE(this->state.is_free());
}

TYPED_TEST(LockState, acquire_or_enqueue_acquires_what_is_free) {
  line_waiter w;
  EXPECT_TRUE(this->state.acquire_or_enqueue(w));
  EXPECT_EQ(this->state.release(), nullptr) << "the owner is not in line";
}

// The last release leaves no waiter behind.
TYPED_TEST(LockState, I1_free_means_that_no_task_waits) {
  line_waiter w;
  ASSERT_TRUE(this->state.try_acquire());
  ASSERT_FALSE(this->state.acquire_or_enqueue(w));
  EXPECT_EQ(this->state.release(), &w);
  EXPECT_FALSE(this->state.is_free()) << "ownership was handed over, not given up";
  EXPECT_FALSE(this->state.try_acquire());
  EXPECT_EQ(this->state.release(), nullptr);
  EXPECT_TRUE(this->state.is_free());
  ASSERT_TRUE(this->state.try_acquire());
  EXPECT_EQ(this->state.release(), nullptr);
}

// The mark of the line stays when all waiters have left, and so does the owner.
TYPED_TEST(LockState, I1_it_is_free_again_when_all_waiters_have_left) {
  std::array<line_waiter, 2> w;
  ASSERT_TRUE(this->state.try_acquire());
  for (int round = 0; round < 3; ++round) {
    ASSERT_FALSE(this->state.acquire_or_enqueue(w[0]));
    ASSERT_FALSE(this->state.acquire_or_enqueue(w[1]));
    EXPECT_TRUE(this->state.leave(w[0]));
    EXPECT_TRUE(this->state.leave(w[1]));
    EXPECT_FALSE(this->state.is_free());
    EXPECT_EQ(this->state.release(), nullptr);
    EXPECT_TRUE(this->state.is_free());
    ASSERT_TRUE(this->state.try_acquire());
  }
  EXPECT_EQ(this->state.release(), nullptr);
}

TYPED_TEST(LockState, I1_a_waiter_that_comes_after_the_last_one_left_is_served) {
  std::array<line_waiter, 2> w;
  ASSERT_TRUE(this->state.try_acquire());
  ASSERT_FALSE(this->state.acquire_or_enqueue(w[0]));
  EXPECT_TRUE(this->state.leave(w[0]));
  ASSERT_FALSE(this->state.acquire_or_enqueue(w[1]));
  EXPECT_EQ(this->state.release(), &w[1]);
  EXPECT_EQ(this->state.release(), nullptr);
}

// Threads arrive while the owner hands over: each waiter is served exactly once.
TYPED_TEST(LockState, I2_only_the_owner_touches_the_line) {
  constexpr int threads = 3;
  constexpr int times = 3000;
  const testing::hammer_result result = testing::hammer(this->state, threads, times);
  EXPECT_EQ(result.sections, threads * times);
  EXPECT_EQ(result.overlaps, 0);
  EXPECT_TRUE(this->state.is_free());
}

// The same, and some lose patience: each is served or leaves, and none does both.
TYPED_TEST(LockState, I2_waiters_that_leave_do_not_meet_the_owner_in_the_line) {
  constexpr int threads = 4;
  constexpr int times = 2000;
  const testing::hammer_result result =
      testing::hammer(this->state, threads, times, [](int i) { return i % 3 == 0; });
  EXPECT_EQ(result.sections + result.departures, threads * times);
  EXPECT_EQ(result.overlaps, 0);
  EXPECT_TRUE(this->state.is_free());
}

TYPED_TEST(LockState, W1_a_waiter_that_is_made_the_owner_cannot_leave) {
  line_waiter w;
  ASSERT_TRUE(this->state.try_acquire());
  ASSERT_FALSE(this->state.acquire_or_enqueue(w));
  EXPECT_EQ(this->state.release(), &w);
  EXPECT_FALSE(this->state.leave(w));
  EXPECT_FALSE(this->state.is_free());
  EXPECT_EQ(this->state.release(), nullptr);
}

TYPED_TEST(LockState, W1_a_waiter_that_has_left_is_not_served_and_cannot_leave_again) {
  line_waiter w;
  ASSERT_TRUE(this->state.try_acquire());
  ASSERT_FALSE(this->state.acquire_or_enqueue(w));
  EXPECT_TRUE(this->state.leave(w));
  EXPECT_FALSE(this->state.leave(w));
  EXPECT_EQ(this->state.release(), nullptr);
}

TYPED_TEST(LockState, an_owner_that_never_waited_is_in_no_line) {
  line_waiter w;
  ASSERT_TRUE(this->state.acquire_or_enqueue(w));
  EXPECT_FALSE(w.is_in_line);
  EXPECT_EQ(this->state.release(), nullptr);
}

// Waiters of all ages leave: from the stack of arrivals and from the line.
TYPED_TEST(LockState, I3_the_order_of_the_others_stays_when_some_leave) {
  for (const bool is_drained : {false, true}) {
    std::array<line_waiter, 7> w;
    ASSERT_TRUE(this->state.try_acquire());
    for (std::size_t i = 0; i < 5; ++i) {
      ASSERT_FALSE(this->state.acquire_or_enqueue(w[i]));
    }
    if (is_drained) EXPECT_EQ(this->state.release(), &w[0]);
    if (!is_drained) EXPECT_TRUE(this->state.leave(w[0]));
    EXPECT_TRUE(this->state.leave(w[2]));
    EXPECT_FALSE(this->state.acquire_or_enqueue(w[5]));
    EXPECT_FALSE(this->state.acquire_or_enqueue(w[6]));
    EXPECT_TRUE(this->state.leave(w[4]));
    EXPECT_EQ(this->state.release(), &w[1]);
    EXPECT_EQ(this->state.release(), &w[3]);
    EXPECT_TRUE(this->state.leave(w[5]));
    EXPECT_EQ(this->state.release(), &w[6]);
    EXPECT_EQ(this->state.release(), nullptr);
  }
}

TYPED_TEST(LockState, I3_waiters_are_served_in_order_of_arrival) {
  std::array<line_waiter, 5> w;
  ASSERT_TRUE(this->state.try_acquire());
  EXPECT_FALSE(this->state.acquire_or_enqueue(w[0]));
  EXPECT_FALSE(this->state.acquire_or_enqueue(w[1]));
  EXPECT_FALSE(this->state.acquire_or_enqueue(w[2]));
  EXPECT_EQ(this->state.release(), &w[0]);
  // These arrive when the others have already been moved into the line.
  EXPECT_FALSE(this->state.acquire_or_enqueue(w[3]));
  EXPECT_EQ(this->state.release(), &w[1]);
  EXPECT_FALSE(this->state.acquire_or_enqueue(w[4]));
  EXPECT_EQ(this->state.release(), &w[2]);
  EXPECT_EQ(this->state.release(), &w[3]);
  EXPECT_EQ(this->state.release(), &w[4]);
  EXPECT_EQ(this->state.release(), nullptr);
}

// The last in line leaves or is served while others arrive behind it.
TYPED_TEST(LockState, I4_no_waiter_is_taken_out_before_the_next_one_is_linked) {
  constexpr int threads = 2;
  constexpr int times = 5000;
  const testing::hammer_result result =
      testing::hammer(this->state, threads, times, [](int i) { return i % 2 == 0; });
  EXPECT_EQ(result.sections + result.departures, threads * times);
  EXPECT_EQ(result.overlaps, 0);
  EXPECT_TRUE(this->state.is_free());
}

TYPED_TEST(LockState, a_line_is_not_overtaken) {
  std::array<line_waiter, 2> w;
  ASSERT_TRUE(this->state.try_acquire());
  ASSERT_FALSE(this->state.acquire_or_enqueue(w[0]));
  EXPECT_FALSE(this->state.try_acquire());
  EXPECT_EQ(this->state.release(), &w[0]);
  EXPECT_FALSE(this->state.try_acquire());
  EXPECT_FALSE(this->state.acquire_or_enqueue(w[1]));
  EXPECT_EQ(this->state.release(), &w[1]);
  EXPECT_EQ(this->state.release(), nullptr);
}

TYPED_TEST(LockState, a_waiter_can_stand_in_line_again_and_again) {
  line_waiter w;
  line_waiter other;
  ASSERT_TRUE(this->state.try_acquire());
  for (int i = 0; i < 100; ++i) {
    ASSERT_FALSE(this->state.acquire_or_enqueue(w));
    ASSERT_FALSE(this->state.acquire_or_enqueue(other));
    EXPECT_EQ(this->state.release(), &w);
    EXPECT_EQ(this->state.release(), &other);
  }
  EXPECT_EQ(this->state.release(), nullptr);
}

}  // namespace
}  // namespace hotseat::detail
