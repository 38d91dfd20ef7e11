// hotseat/tests/unit/platform/clock_test.cpp — time goes forward, ticks keep up with it.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <hotseat/platform/seam.hpp>

namespace hotseat {
namespace {

TEST(Clock, is_steady) {
  EXPECT_TRUE(platform::clock::is_steady);
  auto last = platform::now();
  for (int i = 0; i < 1000; ++i) {
    const auto next = platform::now();
    EXPECT_GE(next, last);
    last = next;
  }
}

TEST(Clock, ticks_go_on_while_time_passes) {
  const std::uint64_t first = platform::ticks();
  const auto start = platform::now();
  while (platform::now() - start < std::chrono::microseconds{50}) {
  }
  EXPECT_NE(platform::ticks(), first);
}

TEST(Clock, the_speed_of_ticks_is_measured_once) {
  const double speed = platform::ticks_per_microsecond();
  EXPECT_GT(speed, 0.0);
  EXPECT_EQ(platform::ticks_per_microsecond(), speed);
}

// The two inner readings of the counter lie between the two outer readings of the clock, so
// the ticks in between are at most what the outer time allows, however late the thread
// wakes.
TEST(Clock, ticks_and_time_agree) {
  const double speed = platform::ticks_per_microsecond();
  const auto start = platform::now();
  const std::uint64_t first = platform::ticks();
  while (platform::now() - start < std::chrono::milliseconds{2}) {
  }
  const std::uint64_t last = platform::ticks();
  const std::chrono::duration<double, std::micro> outer = platform::now() - start;
  EXPECT_LT(static_cast<double>(last - first), 2 * speed * outer.count());
  EXPECT_GT(static_cast<double>(last - first), speed * 2000 / 2);
}

}  // namespace
}  // namespace hotseat
