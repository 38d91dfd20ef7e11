// hotseat/tests/unit/sched/alarm_set_test.cpp — which alarms ring, and in which order.  Two
// threads: tests/model/timer_model.cpp.
#include <gtest/gtest.h>

#include <hotseat/platform/seam.hpp>
#include <hotseat/sched/alarm_set.hpp>

#include <chrono>
#include <string>

namespace hotseat::detail {
namespace {

using namespace std::chrono_literals;
using addition = alarm_set::addition;

struct bell : alarm_clock::alarm {
  bell(std::string& into, char letter, platform::clock::time_point when)
      : log{into}, name{letter} {
    due = when;
    ring = [](alarm& self) noexcept {
      auto& which = static_cast<bell&>(self);
      which.log += which.name;
    };
  }
  std::string& log;
  char name;
};

class AlarmSet : public ::testing::Test {
 protected:
  const platform::clock::time_point now = platform::now();
  std::string log;
  alarm_set alarms;
};

TEST_F(AlarmSet, an_empty_one_is_never_due) {
  EXPECT_EQ(alarms.next_due(), alarm_set::never);
  EXPECT_EQ(alarms.glance(), alarm_set::never);
  EXPECT_EQ(alarms.ring_due(), alarm_set::never);
}

TEST_F(AlarmSet, says_which_is_the_first) {
  bell a{log, 'a', now + 2h};
  bell b{log, 'b', now + 1h};
  bell c{log, 'c', now + 3h};
  EXPECT_EQ(alarms.add(a), addition::first);
  EXPECT_EQ(alarms.add(b), addition::first);
  EXPECT_EQ(alarms.add(c), addition::later);
  EXPECT_EQ(alarms.next_due(), b.due);
  alarms.withdraw(b);
  EXPECT_EQ(alarms.glance(), a.due);
  alarms.withdraw(a);
  alarms.withdraw(c);
  EXPECT_EQ(alarms.glance(), alarm_set::never);
}

TEST_F(AlarmSet, T1_rings_what_is_due_once_and_in_order) {
  bell a{log, 'a', now};
  bell b{log, 'b', now - 1h};
  bell c{log, 'c', now + 1h};
  static_cast<void>(alarms.add(a));
  static_cast<void>(alarms.add(b));
  static_cast<void>(alarms.add(c));
  EXPECT_EQ(alarms.ring_due(), c.due);
  EXPECT_EQ(log, "ba");
  EXPECT_EQ(alarms.ring_due(), c.due);
  EXPECT_EQ(log, "ba");
  alarms.withdraw(c);
}

TEST_F(AlarmSet, rings_all_early_when_it_is_closed_and_refuses_more) {
  bell a{log, 'a', now + 1h};
  bell b{log, 'b', now + 2h};
  static_cast<void>(alarms.add(a));
  alarms.close();
  EXPECT_TRUE(alarms.is_closed());
  EXPECT_EQ(alarms.add(b), addition::refused);
  alarms.ring_all_early();
  EXPECT_EQ(log, "a");
  EXPECT_TRUE(a.is_early);
  EXPECT_FALSE(b.is_early);
}

TEST_F(AlarmSet, an_alarm_may_withdraw_itself_as_it_rings) {
  struct shy : alarm_clock::alarm {
    alarm_set* of;
  } self;
  self.of = &alarms;
  self.due = now;
  self.ring = [](alarm_clock::alarm& a) noexcept { static_cast<shy&>(a).of->withdraw(a); };
  static_cast<void>(alarms.add(self));
  EXPECT_EQ(alarms.ring_due(), alarm_set::never);
}

}  // namespace
}  // namespace hotseat::detail
