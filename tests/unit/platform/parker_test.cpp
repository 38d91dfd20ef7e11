// hotseat/tests/unit/platform/parker_test.cpp — no token is lost, none is taken twice.
#include <gtest/gtest.h>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <hotseat/platform/parker.hpp>
#include <hotseat/platform/seam.hpp>
#include <memory>
#include <support/refused_syscalls.hpp>
#include <thread>

namespace hotseat {
namespace {

using namespace std::chrono_literals;
using platform::parker;

constexpr auto far_future = 1h;

/// Two threads that wake each other in turns.  Returns how often both were woken.
int ping_pong(int rounds) {
  parker here;
  parker there;
  int ball = 0;
  std::thread other{[&] {
    for (int i = 0; i < rounds; ++i) {
      there.park();
      ++ball;
      here.unpark();
    }
  }};
  for (int i = 0; i < rounds; ++i) {
    ++ball;
    there.unpark();
    here.park();
  }
  other.join();
  return ball / 2;
}

TEST(Parker, a_token_that_comes_before_park_is_not_lost) {
  parker bed;
  bed.unpark();
  bed.park();  // Would sleep for ever.
  SUCCEED();
}

TEST(Parker, holds_one_token_at_most) {
  parker bed;
  bed.unpark();
  bed.unpark();
  EXPECT_TRUE(bed.park_until(platform::now() + far_future));
  EXPECT_FALSE(bed.park_until(platform::now()));
}

TEST(Parker, a_deadline_that_has_passed_returns_false) {
  parker bed;
  EXPECT_FALSE(bed.park_until(platform::now()));
  EXPECT_FALSE(bed.park_until(platform::clock::time_point::min()));
}

TEST(Parker, a_token_counts_even_after_the_deadline) {
  parker bed;
  bed.unpark();
  EXPECT_TRUE(bed.park_until(platform::clock::time_point::min()));
}

TEST(Parker, park_until_returns_false_and_not_before_the_deadline) {
  parker bed;
  const auto deadline = platform::now() + 5ms;
  EXPECT_FALSE(bed.park_until(deadline));
  EXPECT_GE(platform::now(), deadline);
}

TEST(Parker, can_be_used_again_after_a_timeout) {
  parker bed;
  EXPECT_FALSE(bed.park_until(platform::now() + 1ms));
  bed.unpark();
  EXPECT_TRUE(bed.park_until(platform::now() + far_future));
}

TEST(Parker, is_woken_by_another_thread) {
  parker bed;
  int data = 0;
  std::thread other{[&] {
    data = 1;
    bed.unpark();
  }};
  bed.park();
  EXPECT_EQ(data, 1) << "what happened before unpark is visible after park";
  other.join();
}

TEST(Parker, is_woken_before_the_deadline) {
  parker bed;
  std::thread other{[&] { bed.unpark(); }};
  EXPECT_TRUE(bed.park_until(platform::clock::time_point::max()));
  other.join();
}

TEST(Parker, two_threads_wake_each_other_in_turns) { EXPECT_EQ(ping_pong(2000), 2000); }

TEST(Parker, may_be_destroyed_as_soon_as_park_returns) {
  for (int i = 0; i < 200; ++i) {
    auto bed = std::make_unique<parker>();
    std::thread other{[&waker = *bed] { waker.unpark(); }};
    bed->park();
    bed.reset();
    other.join();
  }
  SUCCEED();
}

TEST(Parker, works_where_the_kernel_refuses_futexes) {
  // The library's calls only: those of the C library use other operations.
  if (const auto outcome = testing::run_refused(
          {{SYS_futex, true, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG},
           {SYS_futex, true, FUTEX_WAKE_BITSET | FUTEX_PRIVATE_FLAG}})) {
    if (outcome == testing::refused_process::no_filters) GTEST_SKIP() << "no seccomp here";
    EXPECT_EQ(outcome, testing::refused_process::passed);
    return;
  }
  std::uint32_t word = 0;
  ASSERT_EQ(syscall(SYS_futex, &word, FUTEX_WAKE_BITSET | FUTEX_PRIVATE_FLAG, 1, nullptr,
                    nullptr, FUTEX_BITSET_MATCH_ANY),
            -1);
  ASSERT_EQ(errno, EPERM);
  EXPECT_EQ(ping_pong(50), 50);
  parker bed;
  const auto deadline = platform::now() + 5ms;
  EXPECT_FALSE(bed.park_until(deadline));
  EXPECT_GE(platform::now(), deadline);
}

}  // namespace
}  // namespace hotseat
