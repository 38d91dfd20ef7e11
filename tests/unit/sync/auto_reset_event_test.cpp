// hotseat/tests/unit/sync/auto_reset_event_test.cpp — a signal that lets exactly one task
// in. What all gates share is in tests/conformance.
#include <gtest/gtest.h>

#include <hotseat/sync/auto_reset_event.hpp>
#include <string>
#include <support/gate_kinds.hpp>
#include <support/manual_executor.hpp>
#include <support/probes.hpp>
#include <vector>

namespace hotseat {
namespace {

using testing::manual_executor;
using testing::owned;
using testing::wait_for_ever;

class AutoResetEvent : public ::testing::Test {
 protected:
  void start(owned& task) {
    task.start_on(ex);
    ex.run_all();
  }
  auto_reset_event e;
  manual_executor ex{2};
  std::string log;
};

TEST_F(AutoResetEvent, is_constant_initialized_and_may_start_as_set) {
  static constinit auto_reset_event constant{true};
  owned a = wait_for_ever(constant, log, 'a');
  start(a);
  EXPECT_EQ(log, "a");
  constant.set_dispatch();  // Back to its initial state, for repeated runs.
}

TEST_F(AutoResetEvent, each_signal_lets_in_one_in_order_of_arrival) {
  std::vector<owned> tasks;
  for (const char name : {'a', 'b', 'c'}) {
    tasks.push_back(wait_for_ever(e, log, name));
    start(tasks.back());
  }
  for (const char* const expected : {"a", "ab", "abc"}) {
    e.set_dispatch();
    ex.run_all();
    EXPECT_EQ(log, expected);
  }
}

TEST_F(AutoResetEvent, a_signal_that_is_not_taken_stays_and_is_not_counted) {
  e.set_dispatch();
  e.set_dispatch();
  owned a = wait_for_ever(e, log, 'a');
  owned b = wait_for_ever(e, log, 'b');
  start(a);
  start(b);
  EXPECT_EQ(log, "a");
  e.set_dispatch();
  ex.run_all();
  EXPECT_EQ(log, "ab");
}

TEST_F(AutoResetEvent, try_wait_takes_a_signal_that_is_there) {
  EXPECT_FALSE(e.is_set());
  EXPECT_FALSE(e.try_wait());
  e.set_dispatch();
  EXPECT_TRUE(e.is_set());
  EXPECT_TRUE(e.is_set()) << "a look takes nothing";
  EXPECT_TRUE(e.try_wait());
  EXPECT_FALSE(e.is_set());
  EXPECT_FALSE(e.try_wait());
}

TEST_F(AutoResetEvent, set_dispatch_says_whether_it_let_one_in) {
  owned a = wait_for_ever(e, log, 'a');
  owned b = wait_for_ever(e, log, 'b');
  start(a);
  start(b);
  EXPECT_EQ(e.set_dispatch(), 1U);
  EXPECT_FALSE(e.is_set()) << "the waiter took it";
  EXPECT_FALSE(e.try_wait()) << "others wait";
  EXPECT_EQ(e.set_dispatch(), 1U);
  EXPECT_EQ(e.set_dispatch(), 0U);
  EXPECT_TRUE(e.is_set());
  ex.run_all();
  EXPECT_EQ(log, "ab");
}

TEST_F(AutoResetEvent, reset_takes_back_a_signal_that_is_not_taken) {
  e.set_dispatch();
  e.reset();
  owned a = wait_for_ever(e, log, 'a');
  start(a);
  EXPECT_EQ(log, "");
  e.reset();
  e.set_dispatch();
  e.reset();  // Too late: a has been let in.
  ex.run_all();
  EXPECT_EQ(log, "a");
}

}  // namespace
}  // namespace hotseat
