// hotseat/tests/unit/sync/once_flag_test.cpp — whose turn it is to do something once.
// How it is used is in tests/unit/task/call_once_test.cpp.
#include <gtest/gtest.h>

#include <chrono>
#include <concepts>
#include <cstdint>
#include <hotseat/platform/clock.hpp>
#include <hotseat/sched/blocking.hpp>
#include <hotseat/sched/handoff.hpp>
#include <hotseat/sched/limits.hpp>
#include <hotseat/sync/once_flag.hpp>
#include <stop_token>
#include <string>
#include <support/counted_new.hpp>
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

static_assert(std::same_as<once_flag, basic_once_flag<handoff::exchange>>);

/// Notes its name in capitals if it is its turn; somebody else ends it.
template <class Handoff>
owned enter(basic_once_flag<Handoff>& flag, std::string& log, char name) {
  const bool is_our_turn = co_await flag.enter();
  log += is_our_turn ? static_cast<char>(name - 'a' + 'A') : name;
}

template <class Handoff>
class OnceFlag : public ::testing::Test {
 protected:
  void start(owned& task) {
    task.start_on(ex);
    ex.run_all();
  }
  basic_once_flag<Handoff> flag;
  manual_executor ex{2};
  std::string log;
};
TYPED_TEST_SUITE(OnceFlag, testing::handoffs);

TYPED_TEST(OnceFlag, is_constant_initialized) {
  static constinit basic_once_flag<TypeParam> constant;
  EXPECT_FALSE(constant.is_done());
}

TYPED_TEST(OnceFlag, the_first_to_come_has_the_turn_and_does_not_suspend) {
  owned a = enter(this->flag, this->log, 'a');
  a.start_on(this->ex);
  ASSERT_TRUE(this->ex.step());
  EXPECT_EQ(this->log, "A");
  EXPECT_FALSE(this->flag.is_done());
  this->flag.succeed_dispatch();
  EXPECT_TRUE(this->flag.is_done());
}

TYPED_TEST(OnceFlag, the_others_wait_until_it_is_done) {
  owned a = enter(this->flag, this->log, 'a');
  owned b = enter(this->flag, this->log, 'b');
  owned c = enter(this->flag, this->log, 'c');
  for (owned* const task : {&a, &b, &c}) this->start(*task);
  EXPECT_EQ(this->log, "A");
  this->flag.succeed_dispatch();
  this->ex.run_all();
  EXPECT_EQ(this->log, "Abc");
  owned d = enter(this->flag, this->log, 'd');
  d.start_on(this->ex);
  ASSERT_TRUE(this->ex.step());
  EXPECT_EQ(this->log, "Abcd");
}

TYPED_TEST(OnceFlag, after_a_failure_the_oldest_has_the_turn) {
  owned a = enter(this->flag, this->log, 'a');
  owned b = enter(this->flag, this->log, 'b');
  owned c = enter(this->flag, this->log, 'c');
  for (owned* const task : {&a, &b, &c}) this->start(*task);
  this->flag.fail_dispatch();
  this->ex.run_all();
  EXPECT_EQ(this->log, "AB");
  this->flag.succeed_dispatch();
  this->ex.run_all();
  EXPECT_EQ(this->log, "ABc");
}

TYPED_TEST(OnceFlag, after_a_failure_that_nobody_saw_the_next_to_come_has_the_turn) {
  owned a = enter(this->flag, this->log, 'a');
  owned b = enter(this->flag, this->log, 'b');
  this->start(a);
  this->flag.fail_dispatch();
  this->start(b);
  EXPECT_EQ(this->log, "AB");
  this->flag.succeed_dispatch();
}

TYPED_TEST(OnceFlag, the_hand_off_says_who_continues_here) {
  owned a = enter(this->flag, this->log, 'a');
  owned b = enter(this->flag, this->log, 'b');
  owned c = enter(this->flag, this->log, 'c');
  for (owned* const task : {&a, &b, &c}) this->start(*task);
  auto operation = this->flag.succeed();
  owned end = testing::release_and_note(operation, this->log, '.');
  end.start_on(this->ex);
  ASSERT_TRUE(this->ex.step(1));
  if (std::is_same_v<TypeParam, handoff::exchange>) {
    EXPECT_EQ(this->log, "Ab");
    ASSERT_EQ(this->ex.ready().size(), 2U);
    EXPECT_EQ(this->ex.ready()[1].task, end.handle());
  } else if (std::is_same_v<TypeParam, handoff::dispatch>) {
    EXPECT_EQ(this->log, "A.");
  } else {
    EXPECT_EQ(this->log, "Abc.");
  }
  this->ex.run_all();
}

TYPED_TEST(OnceFlag, a_failure_is_handed_over_too) {
  owned a = enter(this->flag, this->log, 'a');
  owned b = enter(this->flag, this->log, 'b');
  this->start(a);
  this->start(b);
  auto operation = this->flag.fail();
  owned end = testing::release_and_note(operation, this->log, '.');
  this->start(end);
  EXPECT_NE(this->log.find('B'), std::string::npos);
  EXPECT_TRUE(end.done());
  this->flag.succeed_dispatch();
}

TYPED_TEST(OnceFlag, a_task_that_is_destroyed_while_it_waits_leaves_the_line) {
  owned a = enter(this->flag, this->log, 'a');
  owned c = enter(this->flag, this->log, 'c');
  this->start(a);
  {
    owned destroyed = enter(this->flag, this->log, 'b');
    this->start(destroyed);
    this->start(c);
  }
  this->flag.fail_dispatch();
  this->ex.run_all();
  EXPECT_EQ(this->log, "AC");
  this->flag.succeed_dispatch();
}

/// As enter(), but notes '-' if it gave up.
template <class Handoff>
owned enter_until(basic_once_flag<Handoff>& flag, wait_limits until, std::string& log,
                  char name) {
  auto operation = flag.enter(std::move(until));
  switch (co_await operation) {
    case once_status::done:
      log += name;
      break;
    case once_status::ours:
      log += static_cast<char>(name - 'a' + 'A');
      break;
    case once_status::left:
      log += '-';
  }
}

TYPED_TEST(OnceFlag, who_is_late_or_told_to_stop_gives_up_and_others_do_not) {
  std::stop_source source;
  const wait_limits both{platform::now() + 1h, source.get_token()};
  owned a = enter_until(this->flag, both, this->log, 'a');
  owned b = enter_until(this->flag, {platform::now() + 1h, {}}, this->log, 'b');
  owned c = enter(this->flag, this->log, 'c');
  owned d = enter_until(this->flag, {{}, source.get_token()}, this->log, 'd');
  for (owned* const task : {&a, &b, &c, &d}) this->start(*task);
  EXPECT_EQ(this->log, "A") << "who need not wait does not";
  this->ex.clock.ring_all();
  this->ex.run_all();
  source.request_stop();
  this->ex.run_all();
  EXPECT_EQ(this->log, "A--");
  this->flag.fail_dispatch();
  this->ex.run_all();
  EXPECT_EQ(this->log, "A--C");
  this->flag.succeed_dispatch();
  owned e = enter_until(this->flag, both, this->log, 'e');
  this->start(e);
  EXPECT_EQ(this->log, "A--Ce");
}

TYPED_TEST(OnceFlag, W1_a_turn_that_was_given_is_not_lost_to_an_end) {
  owned a = enter_until(this->flag, {platform::now() + 1h, {}}, this->log, 'a');
  owned b = enter_until(this->flag, {platform::now() + 1h, {}}, this->log, 'b');
  ASSERT_TRUE(block_on(this->flag.enter()));
  this->start(a);
  this->flag.fail_dispatch();
  this->ex.clock.ring_all();
  this->ex.run_all();
  EXPECT_EQ(this->log, "A");
  this->start(b);
  this->flag.succeed_dispatch();
  this->ex.clock.ring_all();
  this->ex.run_all();
  EXPECT_EQ(this->log, "Ab");
}

TYPED_TEST(OnceFlag, a_plain_thread_gives_up_too) {
  ASSERT_TRUE(block_on(this->flag.enter()));
  EXPECT_EQ(block_on(this->flag.enter_for(1ms)), once_status::left);
  EXPECT_EQ(block_on(this->flag.enter_until(platform::now())), once_status::left);
  std::stop_source stopped;
  stopped.request_stop();
  EXPECT_EQ(block_on(this->flag.enter(stopped.get_token())), once_status::left);
  this->flag.succeed_dispatch();
  EXPECT_EQ(block_on(this->flag.enter_for(1ms)), once_status::done);
}

TYPED_TEST(OnceFlag, entering_and_leaving_allocate_nothing) {
  testing::counting_executor frugal;
  std::string order;
  order.reserve(16);
  owned a = enter(this->flag, order, 'a');
  owned b = enter(this->flag, order, 'b');
  const std::uint64_t before = testing::allocations();
  a.start_on(frugal);
  b.start_on(frugal);
  frugal.run_all();
  this->flag.succeed_dispatch();
  frugal.run_all();
  const std::uint64_t after = testing::allocations();
  EXPECT_EQ(after, before);
  EXPECT_EQ(order, "Ab");
}

TYPED_TEST(OnceFlag, a_plain_thread_may_have_the_turn) {
  EXPECT_TRUE(block_on(this->flag.enter()));
  block_on(this->flag.succeed());
  EXPECT_FALSE(block_on(this->flag.enter()));
}

}  // namespace
}  // namespace hotseat
