// hotseat/tests/unit/sync/lock_state_test.cpp — the invariants, for both states of a mutex.
// What only the guarded queue promises is in spin_lock_state_test.cpp.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <hotseat/core/waiter.hpp>
#include <hotseat/platform/atomic.hpp>
#include <hotseat/sync/detail/lock_state.hpp>
#include <hotseat/sync/detail/spin_lock_state.hpp>
#include <support/lock_state_hammer.hpp>
#include <vector>

namespace hotseat::detail {
namespace {

template <class State>
class LockState : public ::testing::Test {
 protected:
  State state;
};
using both_states = ::testing::Types<lock_state, spin_lock_state>;
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
  waiter w;
  EXPECT_TRUE(this->state.acquire_or_enqueue(w));
  EXPECT_EQ(this->state.release(), nullptr) << "the owner is not in line";
}

// Whoever releases the last time leaves nobody behind.
TYPED_TEST(LockState, I1_free_means_that_nobody_waits) {
  waiter w;
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

// Arrivals from several threads while the owner hands over: each is served exactly once.
TYPED_TEST(LockState, I2_only_the_owner_touches_the_line) {
  constexpr int threads = 3;
  constexpr int times = 3000;
  const testing::hammer_result result = testing::hammer(this->state, threads, times);
  EXPECT_EQ(result.sections, threads * times);
  EXPECT_EQ(result.overlaps, 0);
  EXPECT_TRUE(this->state.is_free());
}

TYPED_TEST(LockState, I3_waiters_are_served_in_order_of_arrival) {
  std::array<waiter, 5> w;
  ASSERT_TRUE(this->state.try_acquire());
  EXPECT_FALSE(this->state.acquire_or_enqueue(w[0]));
  EXPECT_FALSE(this->state.acquire_or_enqueue(w[1]));
  EXPECT_FALSE(this->state.acquire_or_enqueue(w[2]));
  EXPECT_EQ(this->state.release(), &w[0]);
  // These arrive when the others have been taken over into the line.
  EXPECT_FALSE(this->state.acquire_or_enqueue(w[3]));
  EXPECT_EQ(this->state.release(), &w[1]);
  EXPECT_FALSE(this->state.acquire_or_enqueue(w[4]));
  EXPECT_EQ(this->state.release(), &w[2]);
  EXPECT_EQ(this->state.release(), &w[3]);
  EXPECT_EQ(this->state.release(), &w[4]);
  EXPECT_EQ(this->state.release(), nullptr);
}

TYPED_TEST(LockState, nobody_overtakes_a_line) {
  std::array<waiter, 2> w;
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
  waiter w;
  waiter other;
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
