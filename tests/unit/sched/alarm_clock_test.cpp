// hotseat/tests/unit/sched/alarm_clock_test.cpp — what a clock owes its alarms.
// The clocks of the library are tested in timer_queue_test.cpp and blocking_test.cpp.
#include <gtest/gtest.h>

#include <chrono>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sched/alarm_clock.hpp>
#include <string>
#include <support/manual_clock.hpp>
#include <type_traits>

namespace hotseat {
namespace {

using alarm = alarm_clock::alarm;
using namespace std::chrono_literals;
using testing::manual_clock;

static_assert(!std::is_copy_constructible_v<alarm_clock>);
static_assert(!std::is_destructible_v<alarm_clock>, "nobody deletes through the base");

/// Notes its name when it rings.
struct named_alarm : alarm {
  named_alarm(std::string& where, char what, platform::clock::duration time)
      : log{where}, name{what} {
    due = platform::clock::time_point{time};
    ring = &note;
  }
  static void note(alarm& self) noexcept {
    const auto& me = static_cast<named_alarm&>(self);
    me.log += me.name;
  }
  std::string& log;
  char name;
};

class Alarm : public ::testing::Test {
 protected:
  manual_clock clock;
  alarm_clock& face = clock;  // What an operation sees of it.
  std::string log;
  named_alarm a{log, 'a', 1s};
  named_alarm b{log, 'b', 2s};
  named_alarm c{log, 'c', 3s};
};

TEST(AlarmAlone, starts_without_a_ring_and_in_no_clock) {
  const alarm a;
  EXPECT_EQ(a.ring, nullptr);
  EXPECT_EQ(a.back, nullptr);
  EXPECT_FALSE(a.is_early);
}

TEST_F(Alarm, those_that_are_due_ring_once_in_order_of_their_time) {
  face.start();
  ASSERT_TRUE(face.set(c));
  ASSERT_TRUE(face.set(a));
  ASSERT_TRUE(face.set(b));
  clock.advance_to(b.due);
  EXPECT_EQ(log, "ab");
  clock.ring_all();
  clock.ring_all();
  EXPECT_EQ(log, "abc");
  EXPECT_FALSE(c.is_early);
}

TEST_F(Alarm, one_that_is_withdrawn_does_not_ring) {
  ASSERT_TRUE(face.set(a));
  ASSERT_TRUE(face.set(b));
  face.withdraw(a);
  clock.ring_all();
  EXPECT_EQ(log, "b");
}

TEST_F(Alarm, withdrawing_one_that_has_rung_or_was_never_set_does_nothing) {
  ASSERT_TRUE(face.set(a));
  clock.ring_all();
  face.withdraw(a);
  face.withdraw(b);
  EXPECT_TRUE(clock.is_empty());
  EXPECT_EQ(log, "a");
}

TEST_F(Alarm, can_be_set_again) {
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(face.set(a));
    clock.ring_all();
  }
  EXPECT_EQ(log, "aaa");
}

TEST_F(Alarm, a_clock_that_is_closed_rings_early_and_takes_no_more) {
  ASSERT_TRUE(face.set(a));
  clock.close();
  EXPECT_EQ(log, "a");
  EXPECT_TRUE(a.is_early);
  EXPECT_FALSE(face.set(b));
}

}  // namespace
}  // namespace hotseat
