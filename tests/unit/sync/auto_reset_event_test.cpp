// hotseat/tests/unit/sync/auto_reset_event_test.cpp — a signal that lets exactly one in.
// What it shares with other gates is in tests/conformance.
#include <gtest/gtest.h>

#include <concepts>
#include <hotseat/sched/handoff.hpp>
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

static_assert(std::same_as<auto_reset_event, basic_auto_reset_event<handoff::exchange>>);

template <class Handoff>
class AutoResetEvent : public ::testing::Test {
 protected:
  void start(owned& task) {
    task.start_on(ex);
    ex.run_all();
  }
  basic_auto_reset_event<Handoff> e;
  manual_executor ex{2};
  std::string log;
};
TYPED_TEST_SUITE(AutoResetEvent, testing::handoffs);

TYPED_TEST(AutoResetEvent, is_constant_initialized_and_may_start_as_set) {
  static constinit basic_auto_reset_event<TypeParam> constant{true};
  owned a = wait_for_ever(constant, this->log, 'a');
  this->start(a);
  EXPECT_EQ(this->log, "a");
}

TYPED_TEST(AutoResetEvent, each_signal_lets_in_one_in_order_of_arrival) {
  std::vector<owned> tasks;
  for (const char name : {'a', 'b', 'c'}) {
    tasks.push_back(wait_for_ever(this->e, this->log, name));
    this->start(tasks.back());
  }
  for (const char* const expected : {"a", "ab", "abc"}) {
    this->e.set_dispatch();
    this->ex.run_all();
    EXPECT_EQ(this->log, expected);
  }
}

TYPED_TEST(AutoResetEvent, a_signal_that_nobody_takes_stays_and_is_not_counted) {
  this->e.set_dispatch();
  this->e.set_dispatch();
  owned a = wait_for_ever(this->e, this->log, 'a');
  owned b = wait_for_ever(this->e, this->log, 'b');
  this->start(a);
  this->start(b);
  EXPECT_EQ(this->log, "a");
  this->e.set_dispatch();
  this->ex.run_all();
  EXPECT_EQ(this->log, "ab");
}

TYPED_TEST(AutoResetEvent, try_wait_takes_a_signal_that_is_there) {
  EXPECT_FALSE(this->e.is_set());
  EXPECT_FALSE(this->e.try_wait());
  this->e.set_dispatch();
  EXPECT_TRUE(this->e.is_set());
  EXPECT_TRUE(this->e.is_set()) << "a look takes nothing";
  EXPECT_TRUE(this->e.try_wait());
  EXPECT_FALSE(this->e.is_set());
  EXPECT_FALSE(this->e.try_wait());
}

TYPED_TEST(AutoResetEvent, set_dispatch_says_whether_it_let_one_in) {
  owned a = wait_for_ever(this->e, this->log, 'a');
  owned b = wait_for_ever(this->e, this->log, 'b');
  this->start(a);
  this->start(b);
  EXPECT_EQ(this->e.set_dispatch(), 1U);
  EXPECT_FALSE(this->e.is_set()) << "the waiter took it";
  EXPECT_FALSE(this->e.try_wait()) << "others wait";
  EXPECT_EQ(this->e.set_dispatch(), 1U);
  EXPECT_EQ(this->e.set_dispatch(), 0U);
  EXPECT_TRUE(this->e.is_set());
  this->ex.run_all();
  EXPECT_EQ(this->log, "ab");
}

TYPED_TEST(AutoResetEvent, reset_takes_back_what_nobody_has_taken) {
  this->e.set_dispatch();
  this->e.reset();
  owned a = wait_for_ever(this->e, this->log, 'a');
  this->start(a);
  EXPECT_EQ(this->log, "");
  this->e.reset();
  this->e.set_dispatch();
  this->e.reset();  // Too late: it has been let in.
  this->ex.run_all();
  EXPECT_EQ(this->log, "a");
}

}  // namespace
}  // namespace hotseat
