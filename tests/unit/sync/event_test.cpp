// hotseat/tests/unit/sync/event_test.cpp — something that has happened, until it is reset.
// What all gates share is in tests/conformance.
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <hotseat/sync/event.hpp>
#include <string>
#include <support/gate_kinds.hpp>
#include <support/manual_executor.hpp>
#include <support/probes.hpp>

namespace hotseat {
namespace {

using testing::manual_executor;
using testing::owned;
using testing::wait_for_ever;

class Event : public ::testing::Test {
 protected:
  void start(owned& task) {
    task.start_on(ex);
    ex.run_all();
  }
  event e;
  manual_executor ex{2};
  std::string log;
};

TEST_F(Event, is_constant_initialized_and_may_start_as_set) {
  static constinit event constant{true};
  EXPECT_TRUE(constant.is_set());
  EXPECT_FALSE(e.is_set());
}

TEST_F(Event, stays_set_until_it_is_reset) {
  e.set_dispatch();
  EXPECT_TRUE(e.is_set());
  owned a = wait_for_ever(e, log, 'a');
  owned b = wait_for_ever(e, log, 'b');
  start(a);
  start(b);
  EXPECT_EQ(log, "ab");
  e.reset();
  EXPECT_FALSE(e.is_set());
  owned c = wait_for_ever(e, log, 'c');
  start(c);
  EXPECT_EQ(log, "ab");
  e.set_dispatch();
  ex.run_all();
  EXPECT_EQ(log, "abc");
}

TEST_F(Event, setting_it_twice_is_setting_it_once) {
  e.set_dispatch();
  e.set_dispatch();
  e.reset();
  EXPECT_FALSE(e.is_set());
  e.reset();
  EXPECT_FALSE(e.is_set());
}

TEST_F(Event, set_dispatch_says_how_many_it_lets_out) {
  EXPECT_EQ(e.set_dispatch(), 0U);
  e.reset();
  owned a = wait_for_ever(e, log, 'a');
  owned b = wait_for_ever(e, log, 'b');
  start(a);
  start(b);
  EXPECT_EQ(e.set_dispatch(), 2U);
  EXPECT_EQ(e.set_dispatch(), 0U);
  ex.run_all();
}

TEST_F(Event, a_waiter_let_out_while_it_arms_is_counted) {
  const auto wait_in_time = [](event& set) -> owned {
    auto operation = set.wait_for(std::chrono::hours{1});
    const bool is_set = co_await operation;
    EXPECT_TRUE(is_set);
  };
  std::size_t count = 0;
  ex.clock.on_set = [&] { count = e.set_dispatch(); };
  owned a = wait_in_time(e);
  start(a);
  EXPECT_EQ(count, 1U);
  EXPECT_TRUE(a.done());
}

TEST_F(Event, a_task_that_is_let_out_goes_on_although_a_reset_comes_before_it_runs) {
  owned a = wait_for_ever(e, log, 'a');
  owned b = wait_for_ever(e, log, 'b');
  start(a);
  e.set_dispatch();
  e.reset();
  start(b);
  EXPECT_TRUE(a.done());
  EXPECT_FALSE(b.done());
}

TEST_F(Event, a_reset_does_not_disturb_tasks_that_wait) {
  owned a = wait_for_ever(e, log, 'a');
  start(a);
  e.reset();
  EXPECT_FALSE(a.done());
  e.set_dispatch();
  ex.run_all();
  EXPECT_TRUE(a.done());
}

}  // namespace
}  // namespace hotseat
