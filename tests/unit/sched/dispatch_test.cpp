// hotseat/tests/unit/sched/dispatch_test.cpp — the heir goes home, the caller goes on.
#include <gtest/gtest.h>

#include <cctype>
#include <coroutine>
#include <cstddef>
#include <hotseat/core/waiter_queue.hpp>
#include <hotseat/sched/blocking.hpp>
#include <hotseat/sched/dispatch.hpp>
#include <hotseat/sched/this_thread.hpp>
#include <string>
#include <support/probes.hpp>
#include <vector>

namespace hotseat {
namespace {

using testing::manual_executor;

testing::owned wait_in(waiter_queue& line, executor*& continued_on) {
  co_await testing::stand_in(line);
  continued_on = executor::current();
}

testing::owned wait_then_transfer(waiter_queue& line, std::coroutine_handle<> next) {
  co_await testing::stand_in(line);
  this_thread().locks_held = 9;
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
    const testing::worker_scope scope{other};
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
  EXPECT_FALSE(this_thread().run_next);
}

/// Dispatches the next in line before it goes on.
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
  EXPECT_EQ(this_thread().homeless, nullptr);
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
  this_thread().locks_held = 1;
  dispatch_task(line.pop_front());
  EXPECT_EQ(this_thread().locks_held, 1U);
  this_thread().locks_held = 0;
}

/// Notes how many came in each batch.
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

TEST(DispatchAll, of_nobody_is_nothing) {
  waiter_queue line;
  dispatch_all(line);
  EXPECT_TRUE(line.empty());
}

// Publish last: each is gone as soon as its executor has it.
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

}  // namespace
}  // namespace hotseat
