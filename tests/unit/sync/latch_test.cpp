// hotseat/tests/unit/sync/latch_test.cpp — opens, once, when enough has been counted down.
// What it shares with other gates is in tests/conformance.
#include <gtest/gtest.h>

#include <chrono>
#include <concepts>
#include <cstdint>
#include <hotseat/sched/handoff.hpp>
#include <hotseat/sync/latch.hpp>
#include <stop_token>
#include <string>
#include <support/gate_kinds.hpp>
#include <support/manual_executor.hpp>
#include <support/probes.hpp>
#include <type_traits>
#include <utility>

namespace hotseat {
namespace {

using namespace std::chrono_literals;
using testing::manual_executor;
using testing::owned;
using testing::wait_for_ever;

static_assert(std::same_as<latch, basic_latch<handoff::exchange>>);

template <class Handoff>
owned arrive(basic_latch<Handoff>& l, std::uint64_t n, std::string& log, char name) {
  co_await l.arrive_and_wait(n);
  log += name;
}

template <class Handoff>
class Latch : public ::testing::Test {
 protected:
  void start(owned& task) {
    task.start_on(ex);
    ex.run_all();
  }
  basic_latch<Handoff> l{3};
  manual_executor ex{2};
  std::string log;
};
TYPED_TEST_SUITE(Latch, testing::handoffs);

TYPED_TEST(Latch, is_constant_initialized_and_may_be_open_from_the_start) {
  static constinit basic_latch<TypeParam> constant{0};
  EXPECT_TRUE(constant.try_wait());
  EXPECT_FALSE(this->l.try_wait());
}

TYPED_TEST(Latch, opens_at_zero_and_stays_open) {
  owned a = wait_for_ever(this->l, this->log, 'a');
  this->start(a);
  this->l.count_down_dispatch(2);
  this->ex.run_all();
  EXPECT_FALSE(this->l.try_wait());
  EXPECT_EQ(this->log, "");
  this->l.count_down_dispatch();
  EXPECT_TRUE(this->l.try_wait());
  owned b = wait_for_ever(this->l, this->log, 'b');
  this->start(b);
  EXPECT_EQ(this->log, "ab");
}

TYPED_TEST(Latch, says_how_much_is_left_and_how_many_it_lets_out) {
  owned a = wait_for_ever(this->l, this->log, 'a');
  owned b = wait_for_ever(this->l, this->log, 'b');
  this->start(a);
  this->start(b);
  EXPECT_EQ(this->l.remaining(), 3U);
  EXPECT_EQ(this->l.count_down_dispatch(2), 0U);
  EXPECT_EQ(this->l.remaining(), 1U);
  EXPECT_EQ(this->l.count_down_dispatch(), 2U);
  EXPECT_EQ(this->l.remaining(), 0U);
  this->ex.run_all();
}

TYPED_TEST(Latch, a_count_down_that_does_not_open_it_suspends_nobody) {
  owned a = wait_for_ever(this->l, this->log, 'a');
  this->start(a);
  auto operation = this->l.count_down(2);
  owned counting = testing::release_and_note(operation, this->log, '.');
  counting.start_on(this->ex);
  ASSERT_TRUE(this->ex.step());
  EXPECT_EQ(this->log, ".");
  EXPECT_TRUE(this->ex.is_idle());
  this->l.count_down_dispatch();
  this->ex.run_all();
}

TYPED_TEST(Latch, counting_down_by_nothing_changes_nothing) {
  this->l.count_down_dispatch(0);
  EXPECT_FALSE(this->l.try_wait());
  this->l.count_down_dispatch(3);
  this->l.count_down_dispatch(0);
  EXPECT_TRUE(this->l.try_wait());
}

TYPED_TEST(Latch, the_last_to_arrive_goes_on_here) {
  owned a = arrive(this->l, 1, this->log, 'a');
  owned w = wait_for_ever(this->l, this->log, 'w');
  owned last = arrive(this->l, 2, this->log, 'z');
  this->start(a);
  this->start(w);
  last.start_on(this->ex);
  ASSERT_TRUE(this->ex.step(1));
  EXPECT_TRUE(last.done());
  if (std::is_same_v<TypeParam, handoff::resume_inline>) {
    EXPECT_EQ(this->log, "awz");
  } else {
    EXPECT_EQ(this->log, "z");
    EXPECT_EQ(this->ex.ready().size(), 2U);
  }
  this->ex.run_all();
  EXPECT_TRUE(a.done() && w.done());
}

TYPED_TEST(Latch, one_that_arrives_alone_does_not_suspend) {
  owned a = arrive(this->l, 3, this->log, 'a');
  a.start_on(this->ex);
  ASSERT_TRUE(this->ex.step());
  EXPECT_EQ(this->ex.requests().size(), 1U);
  EXPECT_EQ(this->log, "a");
}

TYPED_TEST(Latch, who_is_destroyed_while_it_waits_has_arrived) {
  {
    owned destroyed = arrive(this->l, 2, this->log, 'a');
    this->start(destroyed);
  }
  this->l.count_down_dispatch(1);
  EXPECT_TRUE(this->l.try_wait());
}

/// Notes its name in capitals if it is not open yet.
template <class Handoff>
owned arrive_until(basic_latch<Handoff>& l, std::stop_token stop, std::string& log,
                   char name) {
  auto operation = l.arrive_and_wait_for(1h, 1, std::move(stop));
  const bool is_open = co_await operation;
  log += is_open ? name : static_cast<char>(name - 'a' + 'A');
}

TYPED_TEST(Latch, who_is_late_or_told_to_stop_has_arrived) {
  std::stop_source source;
  owned a = arrive_until(this->l, {}, this->log, 'a');
  owned b = arrive_until(this->l, source.get_token(), this->log, 'b');
  this->start(a);
  this->ex.clock.ring_all();
  this->ex.run_all();
  EXPECT_EQ(this->log, "A");
  this->start(b);
  source.request_stop();
  this->ex.run_all();
  EXPECT_EQ(this->log, "AB");
  owned c = arrive_until(this->l, source.get_token(), this->log, 'c');
  this->start(c);
  EXPECT_EQ(this->log, "ABc") << "the last to arrive need not wait";
  EXPECT_TRUE(this->l.try_wait());
  EXPECT_TRUE(this->ex.clock.is_empty());
}

}  // namespace
}  // namespace hotseat
