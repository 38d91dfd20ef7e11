// hotseat/tests/unit/sync/gate_test.cpp — what event, auto_reset_event, latch and
// wait_group promise alike to those who wait.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <hotseat/platform/clock.hpp>
#include <hotseat/sched/blocking.hpp>
#include <hotseat/sched/dispatch.hpp>
#include <hotseat/sched/handoff.hpp>
#include <hotseat/sync/detail/gate.hpp>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <support/counted_new.hpp>
#include <support/gate_kinds.hpp>
#include <support/manual_executor.hpp>
#include <support/probes.hpp>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace hotseat {
namespace {

using namespace std::chrono_literals;
using testing::detached;
using testing::manual_executor;
using testing::owned;
using testing::wait_for_ever;
using testing::wait_some_time;
using testing::wait_until_told;

template <class Kind>
class Gate : public ::testing::Test {
 protected:
  using gate = typename Kind::gate;
  static_assert(!std::is_copy_constructible_v<gate>);
  static_assert(!std::is_move_constructible_v<gate>);
  static_assert(noexcept(std::declval<gate&>().wait().await_suspend(nullptr)));
  using open_operation = decltype(Kind::open_awaited(std::declval<gate&>()));
  static_assert(noexcept(std::declval<open_operation&>().await_ready()));
  static_assert(noexcept(std::declval<open_operation&>().await_suspend(nullptr)));

  void start(owned& task) {
    task.start_on(ex);
    ex.run_all();
  }
  void open() {
    Kind::open(g);
    ex.run_all();
  }

  gate g = Kind::closed();
  manual_executor ex{2};
  std::string log;
  std::stop_source source;
};
TYPED_TEST_SUITE(Gate, testing::gate_kinds);

TYPED_TEST(Gate, who_comes_to_an_open_one_does_not_suspend) {
  TypeParam::open(this->g);
  owned a = wait_for_ever(this->g, this->log, 'a');
  a.start_on(this->ex);
  ASSERT_TRUE(this->ex.step());
  EXPECT_EQ(this->log, "a");
  EXPECT_EQ(this->ex.resumptions().size(), 1U);
  EXPECT_EQ(this->ex.requests().size(), 1U);
}

TYPED_TEST(Gate, who_comes_to_a_closed_one_waits_until_it_is_opened) {
  owned a = wait_for_ever(this->g, this->log, 'a');
  this->start(a);
  EXPECT_EQ(this->log, "");
  this->open();
  EXPECT_EQ(this->log, "a");
}

TYPED_TEST(Gate, to_open_it_suspends_nobody_if_nobody_waits) {
  auto operation = TypeParam::open_awaited(this->g);
  owned opener = testing::release_and_note(operation, this->log, '.');
  opener.start_on(this->ex);
  ASSERT_TRUE(this->ex.step());
  EXPECT_EQ(this->log, ".");
  EXPECT_EQ(this->ex.requests().size(), 1U);
}

TYPED_TEST(Gate, works_on_a_thread_without_an_executor) {
  const owned a = wait_for_ever(this->g, this->log, 'a');
  a.run();
  auto operation = TypeParam::open_awaited(this->g);
  const owned opener = testing::release_and_note(operation, this->log, '.');
  opener.run();
  EXPECT_EQ(this->log, "a.");
}

// --- Who continues where.

/// One waits; worker 0 opens, and worker 1 does the rest.
template <class Kind>
std::string open_on_worker_0(typename Kind::gate& g, manual_executor& ex) {
  std::string log;
  owned a = wait_for_ever(g, log, 'a');
  a.start_on(ex);
  EXPECT_TRUE(ex.step(1));
  auto operation = Kind::open_awaited(g);
  owned opener = testing::release_and_note(operation, log, '.');
  opener.start_on(ex);
  EXPECT_TRUE(ex.step(0));
  log += '|';
  while (ex.step(1)) {
  }
  EXPECT_TRUE(a.done() && opener.done());
  return log;
}

TYPED_TEST(Gate, the_hand_off_says_who_continues_here) {
  const std::string order = open_on_worker_0<TypeParam>(this->g, this->ex);
  using policy = typename TypeParam::policy;
  if (std::is_same_v<policy, handoff::exchange>) {
    EXPECT_EQ(order, "a|.") << "the waiter here, the caller elsewhere";
  } else if (std::is_same_v<policy, handoff::dispatch>) {
    EXPECT_EQ(order, ".|a") << "the caller here, the waiter elsewhere";
  } else {
    EXPECT_EQ(order, "a.|") << "first the waiter, then the caller";
  }
}

TYPED_TEST(Gate, opening_without_suspension_sends_the_waiter_home) {
  owned a = wait_for_ever(this->g, this->log, 'a');
  this->start(a);
  TypeParam::open(this->g);
  EXPECT_TRUE(this->ex.is_ready(a.handle()));
  EXPECT_EQ(this->log, "");
  this->ex.run_all();
}

TYPED_TEST(Gate, a_task_inside_a_section_keeps_its_core) {
  owned a = wait_for_ever(this->g, this->log, 'a');
  this->start(a);
  auto operation = TypeParam::open_awaited(this->g);
  const owned opener = testing::release_and_note(operation, this->log, '.');
  {
    const testing::worker_scope scope{this->ex};
    this_thread().locks_held = 1;
    opener.run();
    this_thread().locks_held = 0;
  }
  EXPECT_TRUE(opener.done());
  this->ex.run_all();
  EXPECT_TRUE(a.done());
}

// --- Limits.

TYPED_TEST(Gate, who_is_let_out_in_time_is_told_so) {
  owned a = wait_some_time(this->g, 1h, this->source.get_token(), this->log, 'a');
  this->start(a);
  EXPECT_FALSE(this->ex.clock.is_empty());
  this->open();
  EXPECT_EQ(this->log, "a");
  EXPECT_TRUE(this->ex.clock.is_empty()) << "the alarm is withdrawn";
}

TYPED_TEST(Gate, who_is_too_late_is_out_of_the_line) {
  owned a = wait_some_time(this->g, 1h, {}, this->log, 'a');
  this->start(a);
  this->ex.clock.advance_to(platform::now() + 59min);
  EXPECT_TRUE(this->ex.is_idle());
  this->ex.clock.advance_to(platform::now() + 1h);
  this->ex.run_all();
  EXPECT_EQ(this->log, "A");
  this->open();
  EXPECT_EQ(this->log, "A");
}

template <class Gate>
owned wait_until(Gate& g, platform::clock::time_point due, std::optional<bool>& result) {
  auto operation = g.wait_until(due);
  result = co_await operation;
}

TYPED_TEST(Gate, the_time_may_be_given_as_a_point) {
  const auto due = platform::now() + 1h;
  std::optional<bool> result;
  owned a = wait_until(this->g, due, result);
  this->start(a);
  this->ex.clock.advance_to(due - 1ns);
  EXPECT_TRUE(this->ex.is_idle());
  this->ex.clock.advance_to(due);
  this->ex.run_all();
  EXPECT_EQ(result, false);
}

TYPED_TEST(Gate, who_is_told_to_stop_is_out_of_the_line) {
  owned a = wait_until_told(this->g, this->source.get_token(), this->log, 'a');
  this->start(a);
  this->source.request_stop();
  EXPECT_TRUE(this->ex.is_ready(a.handle())) << "it goes on at home";
  this->ex.run_all();
  EXPECT_EQ(this->log, "A");
  this->open();
  EXPECT_EQ(this->log, "A");
}

TYPED_TEST(Gate, who_was_told_to_stop_before_does_not_wait_but_passes_an_open_one) {
  this->source.request_stop();
  owned a = wait_until_told(this->g, this->source.get_token(), this->log, 'a');
  owned b = wait_until_told(this->g, this->source.get_token(), this->log, 'b');
  a.start_on(this->ex);
  ASSERT_TRUE(this->ex.step());
  EXPECT_EQ(this->log, "A");
  TypeParam::open(this->g);
  this->start(b);
  EXPECT_EQ(this->log, "Ab");
}

TYPED_TEST(Gate, W1_what_comes_after_the_opening_changes_nothing) {
  owned a = wait_some_time(this->g, 1h, this->source.get_token(), this->log, 'a');
  this->start(a);
  TypeParam::open(this->g);
  // It has been let out, and has not run yet.
  this->source.request_stop();
  this->ex.clock.ring_all();
  EXPECT_EQ(this->ex.ready().size(), 1U);
  this->ex.run_all();
  EXPECT_EQ(this->log, "a");
}

TYPED_TEST(Gate, W1_who_is_too_late_and_told_to_stop_leaves_once) {
  owned a = wait_some_time(this->g, 1h, this->source.get_token(), this->log, 'a');
  this->start(a);
  this->ex.clock.ring_all();
  this->source.request_stop();
  EXPECT_EQ(this->ex.ready().size(), 1U);
  this->ex.run_all();
  EXPECT_EQ(this->log, "A");
}

// The opening meets a waiter that has joined the line and is still setting its alarm.
TYPED_TEST(Gate, W2_who_is_let_out_while_it_arms_goes_on_by_itself) {
  this->ex.clock.on_set = [this] { TypeParam::open(this->g); };
  owned a = wait_some_time(this->g, 1h, {}, this->log, 'a');
  a.start_on(this->ex);
  ASSERT_TRUE(this->ex.step());
  EXPECT_EQ(this->log, "a");
  EXPECT_TRUE(this->ex.is_idle());
}

TYPED_TEST(Gate, whoever_leaves_leaves_the_others_in_line) {
  for (const char leaver : {'a', 'b', 'c'}) {
    std::stop_source stop;
    std::string order;
    std::vector<owned> tasks;
    auto closed = TypeParam::closed();
    for (const char name : {'a', 'b', 'c'}) {
      tasks.push_back(name == leaver
                          ? wait_until_told(closed, stop.get_token(), order, name)
                          : wait_for_ever(closed, order, name));
      this->start(tasks.back());
    }
    stop.request_stop();
    this->ex.run_all();
    EXPECT_EQ(order, std::string(1, static_cast<char>(leaver - 'a' + 'A')));
    TypeParam::open(closed);
    this->ex.run_all();
    // An auto_reset_event lets in one; the last task leaves when it is destroyed.
    EXPECT_EQ(order.substr(1, 1), leaver == 'a' ? "b" : "a");
    tasks.clear();
  }
}

// --- Tasks that are destroyed, and gates.

TYPED_TEST(Gate, a_task_that_is_destroyed_while_it_waits_leaves_the_line) {
  owned after = wait_for_ever(this->g, this->log, 'b');
  {
    owned destroyed = wait_for_ever(this->g, this->log, 'a');
    this->start(destroyed);
    this->start(after);
  }
  this->open();
  EXPECT_EQ(this->log, "b");
}

TYPED_TEST(Gate, one_with_limits_takes_its_alarm_and_its_callback_along) {
  {
    owned destroyed = wait_some_time(this->g, 1h, this->source.get_token(), this->log, 'a');
    this->start(destroyed);
  }
  EXPECT_TRUE(this->ex.clock.is_empty());
  this->source.request_stop();
  EXPECT_TRUE(this->ex.is_idle());
}

template <class Kind>
struct on_heap {
  typename Kind::gate g = Kind::closed();
};

template <class Kind>
detached wait_then_destroy(executor& where, std::unique_ptr<on_heap<Kind>>& shared) {
  co_await testing::on(where);
  co_await shared->g.wait();
  shared.reset();
}

template <class Kind>
detached open_once(executor& where, on_heap<Kind>& shared, bool& is_done) {
  co_await testing::on(where);
  auto operation = Kind::open_awaited(shared.g);
  co_await operation;
  is_done = true;
}

// B3.  The waiter may destroy it before the operation that opened it returns.
TYPED_TEST(Gate, whoever_is_let_out_may_destroy_it_at_once) {
  testing::immediate_executor now;
  auto shared = std::make_unique<on_heap<TypeParam>>();
  bool is_done = false;
  wait_then_destroy<TypeParam>(now, shared);
  ASSERT_NE(shared, nullptr);
  open_once<TypeParam>(now, *shared, is_done);
  EXPECT_EQ(shared, nullptr);
  EXPECT_TRUE(is_done);
}

// --- Plain threads.

TYPED_TEST(Gate, a_plain_thread_waits_too) {
  int data = 0;
  std::thread blocked{[&] {
    this->g.wait_blocking();
    EXPECT_EQ(data, 1);
  }};
  data = 1;
  TypeParam::open(this->g);
  blocked.join();
}

TYPED_TEST(Gate, a_plain_thread_waits_no_longer_than_it_said) {
  EXPECT_FALSE(block_on(this->g.wait_for(1ms)));
  this->source.request_stop();
  EXPECT_FALSE(block_on(this->g.wait(this->source.get_token())));
  TypeParam::open(this->g);
  EXPECT_TRUE(block_on(this->g.wait_for(1ms)));
}

TYPED_TEST(Gate, a_plain_thread_may_open_it_for_a_task) {
  owned a = wait_for_ever(this->g, this->log, 'a');
  this->start(a);
  block_on(TypeParam::open_awaited(this->g));
  EXPECT_TRUE(this->ex.is_ready(a.handle()));
  this->ex.run_all();
}

// --- Costs.

TYPED_TEST(Gate, neither_waiting_nor_opening_allocates) {
  testing::counting_executor frugal;
  std::stop_source stop;
  std::string order(8, ' ');
  order.clear();
  owned a = wait_for_ever(this->g, order, 'a');
  owned b = wait_until_told(this->g, stop.get_token(), order, 'b');
  auto operation = TypeParam::open_awaited(this->g);
  owned opener = testing::release_and_note(operation, order, '.');
  const std::uint64_t before = testing::allocations();
  a.start_on(frugal);
  b.start_on(frugal);
  frugal.run_all();
  opener.start_on(frugal);
  frugal.run_all();
  stop.request_stop();
  frugal.run_all();
  const std::uint64_t after = testing::allocations();
  EXPECT_EQ(after, before);
  EXPECT_EQ(order.size(), 3U);
}

}  // namespace
}  // namespace hotseat
