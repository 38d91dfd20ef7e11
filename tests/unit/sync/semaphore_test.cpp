// hotseat/tests/unit/sync/semaphore_test.cpp — a number of permits; a task that finds too
// few waits.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <hotseat/sync/semaphore.hpp>
#include <optional>
#include <stop_token>
#include <string>
#include <support/handoffs.hpp>
#include <support/manual_executor.hpp>
#include <support/probes.hpp>
#include <utility>

namespace hotseat {
namespace {

using testing::manual_executor;
using testing::owned;

template <class Handoff>
class Semaphore : public ::testing::Test {
 protected:
  basic_semaphore<Handoff> s{0};
  manual_executor ex{2};
  std::string log;

  owned acquire(std::uint64_t n, char name) {
    co_await s.acquire(n);
    log += name;
  }
  owned release(std::uint64_t n) {
    co_await s.release(n);
    log += '.';
  }
  owned acquire_unless_stopped(std::uint64_t n, std::stop_token stop,
                               std::optional<bool>& result) {
    result = co_await s.acquire(n, std::move(stop));
  }

  void run(owned& task) {
    task.start_on(ex);
    ex.run_all();
  }
};
TYPED_TEST_SUITE(Semaphore, testing::handoffs);

TYPED_TEST(Semaphore, counts) {
  this->s.release_dispatch(3);
  EXPECT_EQ(this->s.available(), 3U);
  EXPECT_TRUE(this->s.try_acquire(2));
  EXPECT_FALSE(this->s.try_acquire(2));
  owned one = this->acquire(1, 'a');
  this->run(one);
  EXPECT_TRUE(one.done());
  EXPECT_EQ(this->ex.resumptions().size(), 1U);
  EXPECT_EQ(this->s.available(), 0U);
}

TYPED_TEST(Semaphore, grants_in_order_of_arrival) {
  owned a = this->acquire(2, 'a');
  owned b = this->acquire(1, 'b');
  owned c = this->acquire(1, 'c');
  for (owned* const task : {&a, &b, &c}) this->run(*task);
  owned one = this->release(1);
  this->run(one);
  EXPECT_EQ(this->log, ".");
  owned two = this->release(2);
  this->run(two);
  EXPECT_TRUE(a.done() && b.done());
  EXPECT_FALSE(c.done());
  EXPECT_FALSE(this->s.try_acquire(1));
  this->s.release_dispatch();
  this->ex.run_all();
  EXPECT_TRUE(c.done());
}

TYPED_TEST(Semaphore, release_dispatch_says_how_many_it_lets_in) {
  owned a = this->acquire(2, 'a');
  owned b = this->acquire(1, 'b');
  owned c = this->acquire(1, 'c');
  for (owned* const task : {&a, &b, &c}) this->run(*task);
  EXPECT_EQ(this->s.release_dispatch(1), 0U);
  EXPECT_EQ(this->s.release_dispatch(2), 2U);
  EXPECT_EQ(this->s.release_dispatch(2), 1U);
  EXPECT_EQ(this->s.release_dispatch(2), 0U);
  this->ex.run_all();
}

TYPED_TEST(Semaphore, a_task_that_leaves_lets_in_those_behind_it) {
  this->s.release_dispatch();
  std::stop_source stop;
  std::optional<bool> result;
  owned large = this->acquire_unless_stopped(2, stop.get_token(), result);
  owned small = this->acquire(1, 's');
  this->run(large);
  this->run(small);
  EXPECT_FALSE(small.done());
  stop.request_stop();
  this->ex.run_all();
  EXPECT_TRUE(small.done());
  EXPECT_EQ(result, false);
}

TYPED_TEST(Semaphore, a_task_that_is_destroyed_leaves_the_line) {
  owned behind = this->acquire(1, 'b');
  {
    owned first = this->acquire(2, 'a');
    this->run(first);
    this->run(behind);
    this->s.release_dispatch();
  }
  this->ex.run_all();
  EXPECT_EQ(this->log, "b");
  EXPECT_EQ(this->s.available(), 0U);
}

// The paper: one waiter continues here, up to n-1 are scheduled, and so is the caller.
TEST(SemaphoreExchange,
     one_waiter_continues_here_and_the_rest_is_scheduled_with_the_caller) {
  semaphore s{0};
  manual_executor ex{2};
  std::string log;
  const auto acquire = [](semaphore& of, std::string& to, char name) -> owned {
    co_await of.acquire();
    to += name;
  };
  owned a = acquire(s, log, 'a');
  owned b = acquire(s, log, 'b');
  owned c = acquire(s, log, 'c');
  for (owned* const task : {&a, &b, &c}) {
    task->start_on(ex);
    ex.run_all();
  }
  const auto release = [](semaphore& of) -> owned { co_await of.release(3); };
  owned releasing = release(s);
  releasing.start_on(ex);
  ASSERT_TRUE(ex.step(1));
  EXPECT_EQ(log, "a");
  EXPECT_EQ(ex.resumptions().back(), (manual_executor::resumption{1, a.handle()}));
  ASSERT_EQ(ex.ready().size(), 3U);
  EXPECT_EQ(ex.ready()[0].task, b.handle());
  EXPECT_EQ(ex.ready()[1].task, c.handle());
  EXPECT_EQ(ex.ready()[2].task, releasing.handle());
  ex.run_all();
  EXPECT_EQ(log, "abc");
}

}  // namespace
}  // namespace hotseat
