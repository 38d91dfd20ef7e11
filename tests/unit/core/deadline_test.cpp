// tests/unit/core/deadline_test.cpp — times of any unit and clock, up to their limits.
#include <hotseat/core/deadline.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <limits>
#include <ratio>

namespace hotseat::detail {
namespace {

using namespace std::chrono_literals;
using std::chrono::duration;
using std::chrono::time_point;

/// Stands still, so that sums are exact.
template <class Unit, int Now>
struct still_clock {
  using duration = Unit;
  using rep = typename duration::rep;
  using period = typename duration::period;
  using time_point = std::chrono::time_point<still_clock>;
  static constexpr bool is_steady = true;
  static time_point now() noexcept { return time_point{std::chrono::seconds{Now}}; }
};
using ours = still_clock<std::chrono::nanoseconds, 1000>;
using other = still_clock<std::chrono::nanoseconds, 50>;
using coarse = still_clock<std::chrono::seconds, 50>;
using floating = still_clock<duration<double>, 50>;

const ours::time_point now = ours::now();
constexpr auto last = ours::time_point::max();
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

TEST(Later, adds_whatever_the_unit) {
  EXPECT_EQ(later(now, 3ns), now + 3ns);
  EXPECT_EQ(later(now, 2h), now + 2h);
  EXPECT_EQ(later(now, duration<double>{1.5}), now + 1500ms);
  EXPECT_EQ(later(now, duration<std::int64_t, std::ratio<1, 3>>{30}), now + 10s);
}

TEST(Later, rounds_up) {
  EXPECT_EQ(later(now, duration<std::int64_t, std::pico>{1}), now + 1ns);
  EXPECT_EQ(later(now, duration<double, std::nano>{1.25}), now + 2ns);
}

TEST(Later, too_far_to_represent_is_the_last_moment) {
  EXPECT_EQ(later(now, std::chrono::hours::max()), last);
  EXPECT_EQ(later(now, std::chrono::nanoseconds::max()), last);
  EXPECT_EQ(later(now, last - now), last);
  EXPECT_EQ(later(now, last - now - 1ns), last - 1ns);
  EXPECT_EQ(later(now, duration<double>{infinity}), last);
  EXPECT_EQ(later(now, duration<std::int64_t, std::ratio<1, 3>>::max()), last);
}

TEST(Later, zero_negative_and_nan_are_over_now) {
  EXPECT_EQ(later(now, 0ns), now);
  EXPECT_EQ(later(now, -1ns), now);
  EXPECT_EQ(later(now, std::chrono::hours::min()), now);
  EXPECT_EQ(later(now, std::chrono::nanoseconds::min()), now);
  EXPECT_EQ(later(now, duration<double>{-infinity}), now);
  EXPECT_EQ(later(now, duration<double>{not_a_number}), now);
}

TEST(MomentOf, our_own_clock_is_that_time) {
  EXPECT_EQ(moment_of<ours>(now + 3s), now + 3s);
  EXPECT_EQ(moment_of<ours>(last), last);
  EXPECT_EQ(moment_of<ours>(time_point<ours, std::chrono::hours>{2h}).time_since_epoch(),
            2h);
  EXPECT_EQ(moment_of<ours>(time_point<ours, std::chrono::seconds>::max()), last);
  EXPECT_LE(moment_of<ours>(time_point<ours, std::chrono::hours>::min()), now);
}

TEST(MomentOf, another_clock_is_as_far_from_now) {
  EXPECT_EQ(moment_of<ours>(other::now() + 1h), now + 1h);
  EXPECT_EQ(moment_of<ours>(coarse::now() + 1h), now + 1h);
  EXPECT_EQ(moment_of<ours>(floating::now() + duration<double>{0.5}), now + 500ms);
}

TEST(MomentOf, another_clock_may_be_at_its_limits) {
  EXPECT_EQ(moment_of<ours>(other::time_point::max()), last);
  EXPECT_EQ(moment_of<ours>(coarse::time_point::max()), last);
  EXPECT_EQ(moment_of<ours>(time_point<other, std::chrono::hours>::max()), last);
  EXPECT_EQ(moment_of<ours>(other::time_point::min()), now);
  EXPECT_EQ(moment_of<ours>(coarse::time_point::min()), now);
  EXPECT_EQ(moment_of<ours>(floating::time_point{duration<double>{not_a_number}}), now);
}

}  // namespace
}  // namespace hotseat::detail
