// hotseat/tests/unit/sched/executor_test.cpp — what to implement, the defaults, and ways
// home. What a worker does for the task it runs is in worker_scope_test.cpp; the library's
// clocks are tested in timer_queue_test.cpp and blocked_thread_test.cpp.
#include <gtest/gtest.h>

#include <cctype>
#include <chrono>
#include <coroutine>
#include <cstddef>
#include <hotseat/core/waiter.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sched/blocked_thread.hpp>
#include <hotseat/sched/current.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/sched/worker_scope.hpp>
#include <string>
#include <support/manual_clock.hpp>
#include <support/manual_executor.hpp>
#include <support/probes.hpp>
#include <type_traits>
#include <vector>

namespace hotseat {
namespace {

using namespace std::chrono_literals;
using testing::manual_clock;
using testing::manual_executor;

// --- What to implement.

static_assert(!std::is_copy_constructible_v<executor>);
static_assert(!std::is_destructible_v<executor>, "nothing is deleted through the base");

class minimal final : public executor {
 public:
  void schedule(waiter& ready) noexcept override { scheduled.push_back(&ready); }
  std::vector<waiter*> scheduled;
};

testing::detached note(manual_executor& ex, std::vector<executor*>& seen) {
  seen.push_back(executor::current());
  co_await testing::on(ex);
  seen.push_back(executor::current());
}

testing::detached ask_for(manual_executor& ex, std::coroutine_handle<> next) {
  co_await testing::on(ex);
  executor::run_next(next);
}

TEST(Executor, schedule_is_enough_to_write_one) {
  minimal ex;
  waiter a;
  waiter b;
  waiter_queue ready;
  ready.push_back(a);
  ready.push_back(b);
  static_cast<executor&>(ex).schedule_all(ready);
  EXPECT_EQ(ex.scheduled, (std::vector<waiter*>{&a, &b})) << "in order";
  EXPECT_TRUE(ready.empty());
}

TEST(Executor, keeps_no_time_unless_it_says_so) {
  minimal ex;
  EXPECT_EQ(static_cast<executor&>(ex).timers(), nullptr);
}

TEST(Executor, guests_may_come_and_go_while_it_lives) {
  minimal ex;
  ex.admit_guest();
  ex.admit_guest();
  ex.dismiss_guest();
  ex.dismiss_guest();
  EXPECT_TRUE(ex.scheduled.empty()) << "its workers have nothing to do with them";
}

TEST(Executor, current_is_the_one_whose_worker_is_calling) {
  manual_executor ex;
  std::vector<executor*> seen;
  note(ex, seen);
  EXPECT_EQ(executor::current(), nullptr);
  ex.run_all();
  EXPECT_EQ(seen, (std::vector<executor*>{nullptr, &ex}));
  EXPECT_EQ(executor::current(), nullptr);
}

TEST(Executor, run_next_goes_before_everything_that_is_ready) {
  manual_executor ex{2};
  testing::owned next = testing::do_nothing();
  testing::owned other = testing::do_nothing();
  ask_for(ex, next.handle());
  other.start_on(ex);
  ASSERT_TRUE(ex.step(1));
  EXPECT_TRUE(next.done());
  EXPECT_FALSE(other.done());
  EXPECT_EQ(ex.resumptions().back(), (manual_executor::resumption{1, next.handle()}));
  ex.run_all();
  EXPECT_TRUE(other.done());
}

// --- Its clock.

using alarm = alarm_clock::alarm;

static_assert(!std::is_copy_constructible_v<alarm_clock>);
static_assert(!std::is_destructible_v<alarm_clock>, "nothing is deleted through the base");

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
  alarm_clock& face = clock;  // As an operation sees it.
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

// --- Dispatch: the heir goes home, the caller goes on.

testing::owned wait_in(waiter_queue& line, executor*& continued_on) {
  co_await testing::stand_in(line);
  continued_on = executor::current();
}

testing::owned wait_then_transfer(waiter_queue& line, std::coroutine_handle<> next) {
  co_await testing::stand_in(line);
  detail::current().locks_held = 9;
  co_await testing::transfer{next};
}

TEST(Dispatch, the_heir_is_scheduled_at_home_and_does_not_run_yet) {
  manual_executor home;
  waiter_queue line;
  executor* continued_on = nullptr;
  testing::owned heir = wait_in(line, continued_on);
  heir.start_on(home);
  home.run_all();
  ASSERT_FALSE(line.empty());

  dispatch_task(line.pop_front());
  EXPECT_FALSE(heir.done());
  EXPECT_TRUE(home.is_ready(heir.handle()));
  home.run_all();
  EXPECT_TRUE(heir.done());
  EXPECT_EQ(continued_on, &home);
}

TEST(Dispatch, home_is_where_the_heir_came_from_and_not_where_the_caller_runs) {
  manual_executor home;
  manual_executor other;
  waiter_queue line;
  executor* continued_on = nullptr;
  testing::owned heir = wait_in(line, continued_on);
  heir.start_on(home);
  home.run_all();
  {
    const worker_scope scope{other};
    dispatch_task(line.pop_front());
  }
  EXPECT_TRUE(other.is_idle());
  home.run_all();
  EXPECT_EQ(continued_on, &home);
}

TEST(Dispatch, a_task_without_a_home_continues_inside_the_call) {
  waiter_queue line;
  executor* continued_on = nullptr;
  const testing::owned heir = wait_in(line, continued_on);
  heir.run();
  dispatch_task(line.pop_front());
  EXPECT_TRUE(heir.done());
  EXPECT_EQ(continued_on, nullptr);
}

TEST(Dispatch, so_does_whatever_a_task_without_a_home_continues_with) {
  waiter_queue line;
  const testing::owned next = testing::do_nothing();
  const testing::owned heir = wait_then_transfer(line, next.handle());
  heir.run();
  dispatch_task(line.pop_front());
  EXPECT_TRUE(next.done());
  EXPECT_FALSE(detail::current().run_next);
}

/// Dispatches the next in line before it continues.
testing::owned wait_and_pass_on(waiter_queue& line, std::string& log, char name) {
  co_await testing::stand_in(line);
  log += name;
  if (!line.empty()) dispatch_task(line.pop_front());
  log += static_cast<char>(std::toupper(name));
}

TEST(Dispatch, tasks_without_a_home_run_one_after_the_other_in_order) {
  waiter_queue line;
  std::string log;
  const testing::owned a = wait_and_pass_on(line, log, 'a');
  const testing::owned b = wait_and_pass_on(line, log, 'b');
  const testing::owned c = wait_and_pass_on(line, log, 'c');
  a.run();
  b.run();
  c.run();
  dispatch_task(line.pop_front());
  EXPECT_EQ(log, "aAbBcC");
  EXPECT_EQ(detail::current().homeless, nullptr);
}

testing::detached pass_on_often(waiter_queue& line, std::size_t& count) {
  co_await testing::stand_in(line);
  ++count;
  if (!line.empty()) dispatch_task(line.pop_front());
}

TEST(Dispatch, a_line_of_any_length_takes_the_stack_of_one) {
  constexpr std::size_t length = 500'000;
  waiter_queue line;
  std::size_t count = 0;
  for (std::size_t i = 0; i < length; ++i) pass_on_often(line, count);
  dispatch_task(line.pop_front());
  EXPECT_EQ(count, length);
}

testing::owned set_when_resumed(waiter_queue& line, blocked_thread& other) {
  co_await testing::stand_in(line);
  other.wake();
}

testing::owned block_for_the_next(waiter_queue& line, blocked_thread& self) {
  co_await testing::stand_in(line);
  dispatch_task(line.pop_front());
  self.wait();
}

TEST(Dispatch, a_thread_that_blocks_runs_first_what_only_it_can_run) {
  waiter_queue line;
  blocked_thread self;
  const testing::owned blocks = block_for_the_next(line, self);
  const testing::owned wakes = set_when_resumed(line, self);
  blocks.run();
  wakes.run();
  dispatch_task(line.pop_front());
  EXPECT_TRUE(blocks.done());
}

TEST(Dispatch, the_caller_keeps_its_count_of_locks) {
  waiter_queue line;
  const testing::owned next = testing::do_nothing();
  const testing::owned heir = wait_then_transfer(line, next.handle());
  heir.run();
  detail::current().locks_held = 1;
  dispatch_task(line.pop_front());
  EXPECT_EQ(detail::current().locks_held, 1U);
  detail::current().locks_held = 0;
}

/// Notes the size of each batch.
class batching final : public executor {
 public:
  void schedule(waiter& ready) noexcept override { scheduled.push_back(&ready); }
  void schedule_all(waiter_queue& ready) noexcept override {
    const std::size_t before = scheduled.size();
    executor::schedule_all(ready);
    batches.push_back(scheduled.size() - before);
  }
  std::vector<waiter*> scheduled;
  std::vector<std::size_t> batches;
};

TEST(DispatchAll, neighbours_with_the_same_home_go_there_in_one_batch) {
  batching home;
  batching other;
  std::vector<waiter> heirs(5);
  waiter_queue line;
  for (waiter& heir : heirs) {
    heir.home = &heir == &heirs[2] ? &other : &home;
    line.push_back(heir);
  }
  dispatch_all(line);
  EXPECT_TRUE(line.empty());
  EXPECT_EQ(home.scheduled,
            (std::vector<waiter*>{&heirs[0], &heirs[1], &heirs[3], &heirs[4]}));
  EXPECT_EQ(home.batches, (std::vector<std::size_t>{2, 2}));
  EXPECT_EQ(other.batches, (std::vector<std::size_t>{1}));
}

TEST(DispatchAll, one_without_a_home_continues_inside_the_call) {
  batching home;
  waiter with_home;
  with_home.home = &home;
  waiter_queue line;
  executor* continued_on = &home;
  const testing::owned homeless = wait_in(line, continued_on);
  homeless.run();
  line.push_back(with_home);
  dispatch_all(line);
  EXPECT_TRUE(homeless.done());
  EXPECT_EQ(continued_on, nullptr);
  EXPECT_EQ(home.scheduled, std::vector<waiter*>{&with_home});
}

TEST(DispatchAll, of_an_empty_queue_does_nothing) {
  waiter_queue line;
  dispatch_all(line);
  EXPECT_TRUE(line.empty());
}

// Publish last: each heir is gone as soon as its executor has it.
TEST(DispatchAll, the_heirs_may_be_gone_before_it_returns) {
  testing::immediate_executor ex;
  waiter_queue line;
  int ended = 0;
  const auto wait_shortly = [](executor& where, waiter_queue& in,
                               int& count) -> testing::detached {
    co_await testing::on(where);
    co_await testing::stand_in(in);
    ++count;
  };
  for (int i = 0; i < 3; ++i) wait_shortly(ex, line, ended);
  dispatch_all(line);
  EXPECT_EQ(ended, 3);
}

// --- Continuing here.

TEST(ContinueHere, on_a_worker_of_its_home_the_task_is_what_runs_next) {
  manual_executor home;
  const testing::owned task = testing::do_nothing();
  waiter place;
  place.set(task.handle(), &home);
  const worker_scope scope{home};
  continue_here(place);
  EXPECT_EQ(detail::current().run_next, task.handle());
  EXPECT_TRUE(home.is_idle()) << "no other worker can take it";
}

TEST(ContinueHere, only_one_task_is_next_and_the_others_are_dispatched) {
  manual_executor home;
  const testing::owned first = testing::do_nothing();
  const testing::owned second = testing::do_nothing();
  waiter a;
  waiter b;
  a.set(first.handle(), &home);
  b.set(second.handle(), &home);
  const worker_scope scope{home};
  continue_here(a);
  continue_here(b);
  EXPECT_EQ(detail::current().run_next, first.handle());
  EXPECT_TRUE(home.is_ready(second.handle()));
}

TEST(ContinueHere, a_task_of_another_executor_is_dispatched_home) {
  manual_executor home;
  manual_executor other;
  const testing::owned task = testing::do_nothing();
  waiter place;
  place.set(task.handle(), &home);
  {
    const worker_scope scope{other};
    continue_here(place);
    EXPECT_FALSE(detail::current().run_next);
  }
  EXPECT_TRUE(home.is_ready(task.handle()));
  EXPECT_TRUE(other.is_idle());
}

TEST(ContinueHere, on_a_plain_thread_a_task_goes_home_and_one_without_a_home_runs_at_once) {
  manual_executor home;
  const testing::owned at_home = testing::do_nothing();
  const testing::owned homeless = testing::do_nothing();
  waiter place;
  place.set(at_home.handle(), &home);
  continue_here(place);
  EXPECT_TRUE(home.is_ready(at_home.handle()));
  place.set(homeless.handle(), nullptr);
  continue_here(place);
  EXPECT_TRUE(homeless.done());
  EXPECT_FALSE(detail::current().run_next);
}

}  // namespace
}  // namespace hotseat
