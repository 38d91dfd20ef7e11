// hotseat/tests/unit/sync/condition_operation_test.cpp — giving up the mutex and taking it
// back.  What users see: condition_variable_test.cpp.
#include <gtest/gtest.h>

#include <cstdint>
#include <hotseat/sched/current.hpp>
#include <hotseat/sched/reschedule.hpp>
#include <hotseat/sync/condition_operation.hpp>
#include <hotseat/sync/condition_variable.hpp>
#include <hotseat/sync/mutex.hpp>
#include <stop_token>
#include <string>
#include <support/manual_executor.hpp>
#include <support/probes.hpp>

namespace hotseat {
namespace {

using testing::manual_executor;
using testing::owned;

class ConditionOperation : public ::testing::Test {
 protected:
  mutex m;
  condition_variable c;
  manual_executor ex{2};
  std::string log;

  owned wait() {
    co_await m.lock();
    co_await c.wait(m);
    log += m.try_lock() ? 'f' : 'o';
    co_await m.unlock();
  }
  owned wait_until_stopped(std::stop_token stop) {
    co_await m.lock();
    const bool is_notified = co_await c.wait(m, stop);
    log += m.try_lock() ? 'f' : 'o';
    log += is_notified ? 'n' : 's';
    co_await m.unlock();
  }
  owned wait_holding(mutex& other) {
    co_await other.lock();
    co_await m.lock();
    log += static_cast<char>('0' + detail::current().locks_held);
    co_await c.wait(m);
    log += static_cast<char>('0' + detail::current().locks_held);
    co_await m.unlock();
    log += static_cast<char>('0' + detail::current().locks_held);
    co_await other.unlock();
  }
  void start(owned& task) {
    task.start_on(ex);
    ex.run_all();
  }
};

TEST_F(ConditionOperation, D1_a_notified_task_runs_only_when_it_owns_the_mutex) {
  owned task = wait();
  start(task);
  ASSERT_TRUE(m.try_lock());
  c.notify_one_dispatch();
  EXPECT_TRUE(ex.is_idle());
  m.unlock_dispatch();
  ex.run_all();
  EXPECT_EQ(log, "o");
}

TEST_F(ConditionOperation, D1_a_stopped_task_runs_only_when_it_owns_the_mutex) {
  std::stop_source stop;
  owned task = wait_until_stopped(stop.get_token());
  start(task);
  ASSERT_TRUE(m.try_lock());
  stop.request_stop();
  EXPECT_TRUE(ex.is_idle());
  c.notify_all_dispatch();  // Too late: it has left.
  m.unlock_dispatch();
  ex.run_all();
  EXPECT_EQ(log, "os");
}

TEST_F(ConditionOperation, D1_a_task_leaves_once_notified_or_stopped) {
  std::stop_source stop;
  owned task = wait_until_stopped(stop.get_token());
  start(task);
  ASSERT_TRUE(m.try_lock());
  c.notify_one_dispatch();
  stop.request_stop();
  m.unlock_dispatch();
  ex.run_all();
  EXPECT_EQ(log, "on");
}

TEST_F(ConditionOperation, hands_the_mutex_over_on_the_worker_that_starts_to_wait) {
  const auto enter = [](mutex& of, std::string& to) -> owned {
    co_await of.lock();
    to += 'e';
    co_await of.unlock();
  };
  const auto lock_and_wait = [](mutex& of, condition_variable& until) -> owned {
    co_await of.lock();
    auto again = reschedule();
    co_await again;
    co_await until.wait(of);
    co_await of.unlock();
  };
  owned waiting = lock_and_wait(m, c);
  owned heir = enter(m, log);
  waiting.start_on(ex);
  heir.start_on(ex);
  ASSERT_TRUE(ex.step(0));
  ASSERT_TRUE(ex.step(0));
  ASSERT_TRUE(ex.step(1));
  EXPECT_EQ(log, "e") << "at once, on the worker whose task waits now";
  EXPECT_EQ(ex.resumptions().back(), (manual_executor::resumption{1, heir.handle()}));
  c.notify_one_dispatch();
  ex.run_all();
  EXPECT_TRUE(waiting.done());
}

TEST_F(ConditionOperation, the_other_locks_of_the_task_are_counted_on) {
  mutex other;
  owned task = wait_holding(other);
  start(task);
  c.notify_one_dispatch();
  ex.run_all();
  EXPECT_EQ(log, "221");
}

}  // namespace
}  // namespace hotseat
