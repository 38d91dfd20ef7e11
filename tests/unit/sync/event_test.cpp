// hotseat/tests/unit/sync/event_test.cpp — something that has happened, until it is reset.
// What it shares with other gates is in tests/conformance.
#include <gtest/gtest.h>

#include <chrono>
#include <concepts>
#include <cstddef>
#include <hotseat/sched/handoff.hpp>
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

static_assert(std::same_as<event, basic_event<handoff::exchange>>);

template <class Handoff>
class Event : public ::testing::Test {
 protected:
  void start(owned& task) {
    task.start_on(ex);
    ex.run_all();
  }
  basic_event<Handoff> e;
  manual_executor ex{2};
  std::string log;
};
TYPED_TEST_SUITE(Event, testing::handoffs);

TYPED_TEST(Event, is_constant_initialized_and_may_start_as_set) {
  static constinit basic_event<TypeParam> constant{true};
  EXPECT_TRUE(constant.is_set());
  EXPECT_FALSE(this->e.is_set());
}

TYPED_TEST(Event, stays_set_until_it_is_reset) {
  this->e.set_dispatch();
  EXPECT_TRUE(this->e.is_set());
  owned a = wait_for_ever(this->e, this->log, 'a');
  owned b = wait_for_ever(this->e, this->log, 'b');
  this->start(a);
  this->start(b);
  EXPECT_EQ(this->log, "ab");
  this->e.reset();
  EXPECT_FALSE(this->e.is_set());
  owned c = wait_for_ever(this->e, this->log, 'c');
  this->start(c);
  EXPECT_EQ(this->log, "ab");
  this->e.set_dispatch();
  this->ex.run_all();
  EXPECT_EQ(this->log, "abc");
}

TYPED_TEST(Event, setting_it_twice_is_setting_it_once) {
  this->e.set_dispatch();
  this->e.set_dispatch();
  this->e.reset();
  EXPECT_FALSE(this->e.is_set());
  this->e.reset();
  EXPECT_FALSE(this->e.is_set());
}

TYPED_TEST(Event, set_dispatch_says_how_many_it_lets_out) {
  EXPECT_EQ(this->e.set_dispatch(), 0U);
  this->e.reset();
  owned a = wait_for_ever(this->e, this->log, 'a');
  owned b = wait_for_ever(this->e, this->log, 'b');
  this->start(a);
  this->start(b);
  EXPECT_EQ(this->e.set_dispatch(), 2U);
  EXPECT_EQ(this->e.set_dispatch(), 0U);
  this->ex.run_all();
}

TYPED_TEST(Event, a_waiter_let_out_while_it_arms_is_counted) {
  const auto wait_in_time = [](basic_event<TypeParam>& set) -> owned {
    auto operation = set.wait_for(std::chrono::hours{1});
    const bool is_set = co_await operation;
    EXPECT_TRUE(is_set);
  };
  std::size_t count = 0;
  this->ex.clock.on_set = [&] { count = this->e.set_dispatch(); };
  owned a = wait_in_time(this->e);
  this->start(a);
  EXPECT_EQ(count, 1U);
  EXPECT_TRUE(a.done());
}

TYPED_TEST(Event, who_has_been_let_out_goes_on_although_it_is_reset_before_it_runs) {
  owned a = wait_for_ever(this->e, this->log, 'a');
  owned b = wait_for_ever(this->e, this->log, 'b');
  this->start(a);
  this->e.set_dispatch();
  this->e.reset();
  this->start(b);
  EXPECT_TRUE(a.done());
  EXPECT_FALSE(b.done());
}

TYPED_TEST(Event, a_reset_does_not_disturb_those_who_wait) {
  owned a = wait_for_ever(this->e, this->log, 'a');
  this->start(a);
  this->e.reset();
  EXPECT_FALSE(a.done());
  this->e.set_dispatch();
  this->ex.run_all();
  EXPECT_TRUE(a.done());
}

}  // namespace
}  // namespace hotseat
