// hotseat/tests/unit/sync/spin_locked_state_test.cpp — what the guarded queue adds.
// What it shares with the lock-free word is in lock_free_state_test.cpp.
#include <gtest/gtest.h>

#include <array>
#include <hotseat/core/line_waiter.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sync/detail/spin_locked_state.hpp>
#include <support/lock_state_hammer.hpp>
#include <thread>

namespace hotseat::detail {
namespace {

TEST(SpinLockedState, fits_into_four_words) { EXPECT_LE(sizeof(spin_locked_state), 32U); }

// The last waiter clears the mark of contention: the next release needs no guard.
TEST(SpinLockedState, I1_waited_is_set_exactly_while_the_line_is_not_empty) {
  spin_locked_state state;
  std::array<line_waiter, 2> w;
  ASSERT_TRUE(state.try_acquire());
  for (int round = 0; round < 3; ++round) {
    ASSERT_FALSE(state.acquire_or_enqueue(w[0]));
    ASSERT_FALSE(state.acquire_or_enqueue(w[1]));
    EXPECT_EQ(state.release(), &w[0]);
    EXPECT_EQ(state.release(), &w[1]);
  }
  EXPECT_EQ(state.release(), nullptr);
  EXPECT_TRUE(state.is_free());
}

TEST(SpinLockedState, I1_the_last_waiter_that_leaves_takes_the_mark_along) {
  spin_locked_state state;
  std::array<line_waiter, 2> w;
  ASSERT_TRUE(state.try_acquire());
  ASSERT_FALSE(state.acquire_or_enqueue(w[0]));
  ASSERT_FALSE(state.acquire_or_enqueue(w[1]));
  EXPECT_TRUE(state.leave(w[1]));
  EXPECT_EQ(state.release(), &w[0]) << "the other one is still in line";
  ASSERT_FALSE(state.acquire_or_enqueue(w[1]));
  EXPECT_TRUE(state.leave(w[1]));
  EXPECT_EQ(state.release(), nullptr);
  EXPECT_TRUE(state.is_free());
}

// try_acquire does not take the guard; it must neither succeed nor disturb the thread that
// has it.
TEST(SpinLockedState, I2_a_try_from_aside_does_not_disturb_the_queue) {
  spin_locked_state state;
  ASSERT_TRUE(state.try_acquire());
  platform::atomic<bool> is_over{false};
  platform::atomic<int> stolen{0};
  std::thread intruder{[&] {
    while (!is_over.load(std::memory_order_acquire)) {
      if (state.try_acquire()) stolen.fetch_add(1, std::memory_order_relaxed);
      platform::yield_core();
    }
  }};
  line_waiter w;
  for (int i = 0; i < 2000; ++i) {
    EXPECT_FALSE(state.acquire_or_enqueue(w));
    EXPECT_EQ(state.release(), &w);
  }
  is_over.store(true, std::memory_order_release);
  intruder.join();
  EXPECT_EQ(stolen.load(), 0);
}

TEST(SpinLockedState, I3_the_order_of_arrival_survives_an_empty_queue) {
  spin_locked_state state;
  std::array<line_waiter, 3> w;
  ASSERT_TRUE(state.try_acquire());
  ASSERT_FALSE(state.acquire_or_enqueue(w[0]));
  EXPECT_EQ(state.release(), &w[0]);
  ASSERT_FALSE(state.acquire_or_enqueue(w[1]));
  ASSERT_FALSE(state.acquire_or_enqueue(w[2]));
  EXPECT_EQ(state.release(), &w[1]);
  EXPECT_EQ(state.release(), &w[2]);
  EXPECT_EQ(state.release(), nullptr);
}

}  // namespace
}  // namespace hotseat::detail
