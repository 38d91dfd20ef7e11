// hotseat/tests/unit/sched/dispatch_test.cpp — the heir goes home, the caller goes on.
#include <gtest/gtest.h>

#include <coroutine>
#include <hotseat/core/waiter_queue.hpp>
#include <hotseat/sched/dispatch.hpp>
#include <hotseat/sched/this_thread.hpp>
#include <string>
#include <support/probes.hpp>

namespace hotseat {
namespace {

using testing::manual_executor;

class transfer {
 public:
  explicit transfer(std::coroutine_handle<> to) noexcept : to_{to} {}
  static bool await_ready() noexcept { return false; }
  [[nodiscard]] std::coroutine_handle<> await_suspend(
      std::coroutine_handle<>) const noexcept {
    return transfer_to(to_);
  }
  static void await_resume() noexcept {}

 private:
  std::coroutine_handle<> to_;
};

testing::owned wait_in(waiter_queue& line, executor*& continued_on) {
  co_await testing::stand_in(line);
  continued_on = executor::current();
}

testing::owned nothing() { co_return; }

testing::owned wait_then_transfer(waiter_queue& line, std::coroutine_handle<> next) {
  co_await testing::stand_in(line);
  this_thread().locks_held = 9;
  co_await transfer{next};
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
  const testing::owned next = nothing();
  const testing::owned heir = wait_then_transfer(line, next.handle());
  heir.run();
  dispatch_task(line.pop_front());
  EXPECT_TRUE(next.done());
  EXPECT_FALSE(this_thread().run_next);
}

TEST(Dispatch, the_caller_keeps_its_count_of_locks) {
  waiter_queue line;
  const testing::owned next = nothing();
  const testing::owned heir = wait_then_transfer(line, next.handle());
  heir.run();
  this_thread().locks_held = 1;
  dispatch_task(line.pop_front());
  EXPECT_EQ(this_thread().locks_held, 1U);
  this_thread().locks_held = 0;
}

}  // namespace
}  // namespace hotseat
