// hotseat/tests/unit/trace/trace_test.cpp — what is recorded, and what is not.
#include <hotseat/trace/recording.hpp>
#include <hotseat/trace/trace.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <thread>
#include <vector>

namespace hotseat::trace {
namespace {

class Trace : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!config::records_traces) GTEST_SKIP() << "built without the recorder";
  }
};

TEST_F(Trace, nothing_is_recorded_unless_asked) {
  EXPECT_FALSE(is_on());
  note(kind::task_ends);
  start();
  EXPECT_TRUE(is_on());
  const recording what = stop();
  EXPECT_FALSE(is_on());
  EXPECT_TRUE(what.threads.empty());
}

TEST_F(Trace, events_keep_their_order_and_their_contents) {
  const int frame = 0;
  start();
  note(kind::task_begins, &frame);
  note(kind::section_entered, &frame, entry_waited);
  note(kind::stolen, nullptr, 7);
  const recording what = stop();
  ASSERT_EQ(what.threads.size(), 1);
  const std::vector<event>& events = what.threads[0].events;
  ASSERT_EQ(events.size(), 3);
  EXPECT_EQ(events[0].what, kind::task_begins);
  EXPECT_EQ(events[0].whom, &frame);
  EXPECT_EQ(events[1].number, entry_waited);
  EXPECT_EQ(events[2].what, kind::stolen);
  EXPECT_EQ(events[2].number, 7);
  EXPECT_LE(events[0].ticks, events[1].ticks);
  EXPECT_GT(what.ticks_per_microsecond, 0);
}

TEST_F(Trace, a_section_and_a_name_are_two_events_and_one) {
  start();
  {
    const section part{"part"};
    name_task("me");
  }
  const recording what = stop();
  ASSERT_EQ(what.threads.size(), 1);
  ASSERT_EQ(what.threads[0].events.size(), 3);
  EXPECT_EQ(what.threads[0].events[0].what, kind::mark_begins);
  EXPECT_EQ(what.threads[0].events[1].what, kind::task_named);
  EXPECT_STREQ(static_cast<const char*>(what.threads[0].events[1].whom), "me");
  EXPECT_EQ(what.threads[0].events[2].what, kind::mark_ends);
}

}  // namespace
}  // namespace hotseat::trace
