// hotseat/tests/misuse/waiting_misuse_test.cpp — broken rules of waiting: destroying a
// primitive with waiters, counting too far, deadlines without a clock.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <hotseat/sync/condition_variable.hpp>
#include <hotseat/sync/mutex.hpp>
#include <hotseat/sync/semaphore.hpp>
#include <hotseat/task/with_lock.hpp>
#include <memory>
#include <support/probes.hpp>

namespace hotseat {
namespace {

using namespace std::chrono_literals;
using testing::immediate_executor;
using testing::manual_executor;
using testing::owned;

class WaitingMisuseDeathTest : public ::testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

owned acquire(semaphore& s) { co_await s.acquire(); }

scoped_permits<semaphore> one_of(semaphore& s) {
  static_cast<void>(s.try_acquire());
  return {s, 1, adopt_permits};
}

owned wait_for(mutex& m, condition_variable& c) {
  co_await m.lock();
  co_await c.wait(m);
  co_await m.unlock();
}

owned only_wait(mutex& m, condition_variable& c) { co_await c.wait(m); }

owned try_for(mutex& m) {
  const bool is_owner = co_await m.try_lock_for(1h);
  if (is_owner) co_await m.unlock();
}

owned lock(mutex& m) {
  co_await m.lock();
  co_await m.unlock();
}

TEST_F(WaitingMisuseDeathTest, a_semaphore_with_waiters_is_destroyed) {
  EXPECT_DEATH(
      {
        auto s = std::make_unique<semaphore>(0U);
        owned task = acquire(*s);
        task.run();
        s.reset();
      },
      "violation: semaphore 0x[0-9a-f]+: it must not be destroyed while a task waits");
}

TEST_F(WaitingMisuseDeathTest, permits_that_a_scope_does_not_hold_are_released) {
  EXPECT_DEATH(
      {
        semaphore s{1};
        auto held = one_of(s);
        held.release_dispatch();
        held.release_dispatch();
      },
      "violation: scoped_permits 0x[0-9a-f]+: only what it owns can be unlocked");
}

TEST_F(WaitingMisuseDeathTest, more_permits_than_a_semaphore_can_count) {
  semaphore s{1};
  EXPECT_DEATH(s.release_dispatch(UINT64_MAX >> 2U), "more permits than it can count");
  EXPECT_DEATH(s.release_dispatch(UINT64_MAX), "more permits than it can count");
}

TEST_F(WaitingMisuseDeathTest, a_condition_with_waiters_is_destroyed) {
  EXPECT_DEATH(
      {
        mutex m;
        auto c = std::make_unique<condition_variable>();
        owned task = wait_for(m, *c);
        task.run();
        c.reset();
      },
      "violation: condition_variable 0x[0-9a-f]+: it must not be destroyed while");
}

TEST_F(WaitingMisuseDeathTest, waiting_for_a_condition_without_owning_the_mutex) {
  EXPECT_DEATH(
      {
        mutex m;
        condition_variable c;
        owned task = only_wait(m, c);
        task.run();
      },
      "violation: mutex 0x[0-9a-f]+: only the owner may unlock; nobody owns it");
}

TEST_F(WaitingMisuseDeathTest, a_deadline_where_no_clock_runs) {
  mutex m;
  ASSERT_TRUE(m.try_lock());
  EXPECT_DEATH(
      {
        owned task = try_for(m);
        task.run();
      },
      "a deadline needs an executor that keeps time");
  EXPECT_DEATH(
      {
        immediate_executor no_clock;
        owned task = try_for(m);
        task.start_on(no_clock);
      },
      "a deadline needs an executor that keeps time");
  m.unlock_dispatch();
}

owned run_for(mutex& m) {
  auto operation = with_lock_for(m, 1h, [] {});
  const bool has_run = co_await operation;
  if (!has_run) std::abort();
}

owned unlock(mutex& m) { co_await m.unlock(); }

TEST_F(WaitingMisuseDeathTest, a_section_with_a_deadline_where_no_clock_runs) {
  mutex m;
  ASSERT_TRUE(m.try_lock());
  EXPECT_DEATH(
      {
        owned task = run_for(m);
        task.run();
      },
      "a deadline needs an executor that keeps time");
  m.unlock_dispatch();
}

TEST_F(WaitingMisuseDeathTest, a_task_whose_section_has_been_run_is_destroyed) {
  EXPECT_DEATH(
      {
        manual_executor ex{1};
        mutex m;
        if (!m.try_lock()) std::abort();
        auto task = std::make_unique<owned>(run_for(m));
        task->start_on(ex);
        ex.run_all();
        owned unlocking = unlock(m);
        unlocking.start_on(ex);
        ex.step();
        task.reset();
      },
      "a task that has been made ready must not be destroyed");
}

TEST_F(WaitingMisuseDeathTest, a_task_that_has_been_made_ready_is_destroyed) {
  EXPECT_DEATH(
      {
        manual_executor ex{1};
        mutex m;
        if (!m.try_lock()) std::abort();
        auto task = std::make_unique<owned>(lock(m));
        task->start_on(ex);
        ex.run_all();
        m.unlock_dispatch();
        task.reset();
      },
      "a task that has been made ready must not be destroyed");
}

}  // namespace
}  // namespace hotseat
