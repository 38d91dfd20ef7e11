// hotseat/tests/unit/task/call_once_test.cpp — one task calls, the others wait.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <hotseat/core/waiter.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sched/block_on.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/sched/reschedule.hpp>
#include <hotseat/sync/once_flag.hpp>
#include <hotseat/task/call_once.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/task.hpp>
#include <hotseat/task/this_task.hpp>
#include <hotseat/task/when_all.hpp>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <support/counted_new.hpp>
#include <support/manual_executor.hpp>
#include <support/probes.hpp>
#include <utility>

namespace hotseat {
namespace {

using namespace std::chrono_literals;
using testing::manual_executor;
using testing::owned;

class CallOnce : public ::testing::Test {
 protected:
  void start(owned& task) {
    task.start_on(ex);
    ex.run_all();
  }
  template <class Awaitable>
  decltype(auto) run(Awaitable&& a) {
    return sync_wait(now, std::forward<Awaitable>(a));
  }

  once_flag flag;
  manual_executor ex{2};
  testing::immediate_executor now;
  std::string log;
};

TEST_F(CallOnce, the_first_to_come_calls_and_no_task_after_it) {
  int calls = 0;
  auto call = [&calls] { return ++calls; };
  run(call_once(flag, call));
  EXPECT_TRUE(flag.is_done());
  run(call_once(flag, call));
  EXPECT_EQ(calls, 1);
}

TEST_F(CallOnce, arguments_are_passed_as_to_a_thread) {
  int sum = 0;
  auto add = [](int& to, std::unique_ptr<int> what, const std::string& text) {
    to += *what + static_cast<int>(text.size());
  };
  run(call_once(flag, add, std::ref(sum), std::make_unique<int>(3), std::string{"ab"}));
  EXPECT_EQ(sum, 5);
}

task<int> add_after_a_while(int& sum, int n) {
  co_await reschedule();
  sum += n;
  co_return sum;
}

TEST_F(CallOnce, what_can_be_awaited_is_awaited) {
  int sum = 0;
  run(call_once(flag, add_after_a_while, std::ref(sum), 4));
  EXPECT_EQ(sum, 4);
  EXPECT_TRUE(flag.is_done());
}

TEST_F(CallOnce, an_exception_goes_to_the_caller_and_the_next_to_come_tries) {
  int calls = 0;
  auto fail_first = [&calls] {
    if (++calls == 1) throw std::runtime_error{"first"};
  };
  EXPECT_THROW(run(call_once(flag, fail_first)), std::runtime_error);
  EXPECT_FALSE(flag.is_done());
  run(call_once(flag, fail_first));
  run(call_once(flag, fail_first));
  EXPECT_EQ(calls, 2);
}

/// Notes its name, waits until it is resumed, and then throws or not.
task<> attempt(waiter_queue& pause, std::string& log, char name, bool throws) {
  log += name;
  co_await testing::stand_in(pause);
  if (throws) throw std::runtime_error{"attempt"};
}

owned call(once_flag& flag, waiter_queue& pause, std::string& log, char name, bool throws) {
  try {
    co_await call_once(flag, attempt, std::ref(pause), std::ref(log), name, throws);
    log += static_cast<char>(name - 'a' + 'A');
  } catch (const std::runtime_error&) {
    log += '!';
  }
}

TEST_F(CallOnce, the_others_wait_until_it_is_done) {
  waiter_queue pause;
  owned a = call(flag, pause, log, 'a', false);
  owned b = call(flag, pause, log, 'b', false);
  owned c = call(flag, pause, log, 'c', false);
  for (owned* const task : {&a, &b, &c}) start(*task);
  EXPECT_EQ(log, "a");
  dispatch_task(pause.pop_front());
  ex.run_all();
  EXPECT_TRUE(a.done() && b.done() && c.done());
  EXPECT_EQ(log, "aBCA") << "the one that did it is scheduled behind those it lets in";
}

TEST_F(CallOnce, if_it_throws_the_one_that_has_waited_longest_tries) {
  waiter_queue pause;
  owned a = call(flag, pause, log, 'a', true);
  owned b = call(flag, pause, log, 'b', true);
  owned c = call(flag, pause, log, 'c', false);
  owned d = call(flag, pause, log, 'd', false);
  for (owned* const task : {&a, &b, &c, &d}) start(*task);
  for (int i = 0; i < 3; ++i) {
    ASSERT_FALSE(pause.empty());
    dispatch_task(pause.pop_front());
    ex.run_all();
  }
  EXPECT_TRUE(pause.empty());
  std::string attempts;
  for (const char each : log) {
    if (each >= 'a') attempts += each;
  }
  EXPECT_EQ(attempts, "abc");
  EXPECT_TRUE(a.done() && b.done() && c.done() && d.done());
  EXPECT_TRUE(flag.is_done());
}

TEST_F(CallOnce, if_the_task_that_runs_it_is_destroyed_the_next_one_tries) {
  waiter_queue pause;
  owned b = call(flag, pause, log, 'b', false);
  {
    owned destroyed = call(flag, pause, log, 'a', false);
    start(destroyed);
    start(b);
    EXPECT_EQ(log, "a");
    static_cast<void>(pause.pop_front());
  }
  ex.run_all();
  EXPECT_EQ(log, "ab");
  dispatch_task(pause.pop_front());
  ex.run_all();
  EXPECT_EQ(log, "abB");
}

TEST_F(CallOnce, every_limit_works_for_tasks_and_threads) {
  std::stop_source stopped;
  stopped.request_stop();
  const std::stop_token token = stopped.get_token();
  int calls = 0;
  auto count = [&calls](int n) { calls += n; };
  {
    once_flag open;
    EXPECT_TRUE(run(call_once(open, token, count, 1)));
    EXPECT_TRUE(run(call_once(open, 1h, count, 1)));
    EXPECT_TRUE(run(call_once_for(open, 1h, count, 1)));
    EXPECT_TRUE(run(call_once_until(open, platform::now(), count, 1)));
    EXPECT_EQ(calls, 1);
  }
  ASSERT_TRUE(block_on(flag.enter()));
  EXPECT_FALSE(run(call_once(flag, token, count, 1)));
  EXPECT_FALSE(call_once_blocking(flag, token, count, 1));
  EXPECT_FALSE(call_once_blocking(flag, 1ms, count, 1));
  EXPECT_FALSE(call_once_blocking(flag, platform::now(), count, 1));
  EXPECT_EQ(calls, 1);
  flag.fail_dispatch();
  EXPECT_TRUE(call_once_blocking(flag, 1ms, count, 1));
  EXPECT_TRUE(call_once_blocking(flag, token, count, 1));
  EXPECT_EQ(calls, 2);
}

owned call_when_done(once_flag& flag, bool& is_called, std::uint64_t& allocated) {
  const std::uint64_t before = testing::allocations();
  co_await call_once(flag, [&is_called] { is_called = true; });
  allocated = testing::allocations() - before;
}

TEST_F(CallOnce, when_it_is_done_it_neither_suspends_nor_allocates) {
  auto nothing = [] {};
  run(call_once(flag, nothing));
  bool is_called = false;
  std::uint64_t allocated = 1;
  owned a = call_when_done(flag, is_called, allocated);
  a.start_on(ex);
  ASSERT_TRUE(ex.step());
  EXPECT_TRUE(a.done());
  EXPECT_EQ(ex.requests().size(), 1U);
  EXPECT_EQ(allocated, 0U);
  EXPECT_FALSE(is_called);
}

task<> ask_for_a_stop(bool& is_stopped) {
  const std::stop_token token = co_await this_task::stop_token();
  is_stopped = token.stop_requested();
}

task<> call_and_ask(once_flag& of, bool& is_stopped) {
  co_await call_once(of, ask_for_a_stop, std::ref(is_stopped));
}

TEST_F(CallOnce, the_stop_token_of_the_caller_reaches_what_is_called) {
  std::stop_source source;
  source.request_stop();
  bool is_stopped = false;
  sync_wait(now, call_and_ask(flag, is_stopped), source.get_token());
  EXPECT_TRUE(is_stopped);
}

TEST_F(CallOnce, can_be_joined_with_others) {
  int calls = 0;
  auto count = [&calls] { ++calls; };
  run(when_all(call_once(flag, count), call_once(flag, count)));
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace hotseat
