// hotseat/tests/unit/sync/scoped_permits_test.cpp — permits for a scope, however it ends.
// What all scopes share is in tests/conformance.
#include <gtest/gtest.h>

#include <chrono>
#include <concepts>
#include <coroutine>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sched/wait_limits.hpp>
#include <hotseat/sync/scoped_permits.hpp>
#include <hotseat/sync/semaphore.hpp>
#include <hotseat/sync/unique_lock.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/task.hpp>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <support/handoffs.hpp>
#include <support/manual_executor.hpp>
#include <support/probes.hpp>
#include <type_traits>
#include <utility>

namespace hotseat {
namespace {

using namespace std::chrono_literals;
using testing::manual_executor;
using testing::owned;

static_assert(!std::is_copy_constructible_v<scoped_permits<semaphore>>);
static_assert(std::is_nothrow_move_constructible_v<scoped_permits<semaphore>>);
static_assert(std::is_nothrow_move_assignable_v<scoped_permits<semaphore>>);
static_assert(std::is_nothrow_default_constructible_v<scoped_permits<semaphore>>);
static_assert(std::is_constructible_v<bool, const scoped_permits<semaphore>&>);
static_assert(!std::is_convertible_v<const scoped_permits<semaphore>&, bool>);
static_assert(sizeof(unique_lock<semaphore>) == sizeof(void*), "how it owns is a type");

template <class Handoff>
class ScopedPermits : public ::testing::Test {
 protected:
  void start(owned& task) {
    task.start_on(ex);
    ex.run_all();
  }

  basic_semaphore<Handoff> s{5};
  manual_executor ex{2};
  std::string log;
  std::stop_source source;
};
TYPED_TEST_SUITE(ScopedPermits, testing::handoffs);

template <class Semaphore>
owned hold_by_every_form(Semaphore& s, std::stop_token stop, std::string& log) {
  const auto note = [&](const scoped_permits<Semaphore>& held) {
    log += static_cast<char>('0' + held.count());
    log += held && s.available() == 5 - held.count() ? ' ' : '!';
  };
  const auto later = platform::now() + 1h;
  const wait_limits both{later, stop};
  {
    auto held = co_await s.scoped_acquire();
    note(held);
  }
  {
    auto held = co_await s.scoped_acquire(2);
    note(held);
    co_await held.release();
    log += held || held.count() != 0 ? '!' : '.';
  }
  {
    auto held = co_await s.scoped_acquire(stop);
    note(held);
    held.release_dispatch();
  }
  {
    auto held = co_await s.scoped_acquire(3, stop);
    note(held);
  }
  {
    auto held = co_await s.scoped_acquire(4, both);
    note(held);
  }
  {
    auto held = co_await s.scoped_acquire_for(1h);
    note(held);
  }
  {
    auto held = co_await s.scoped_acquire_for(1h, 2, stop);
    note(held);
  }
  {
    auto held = co_await s.scoped_acquire_until(later, 5, stop);
    note(held);
  }
  log += s.available() == 5 ? '.' : '!';
}

TYPED_TEST(ScopedPermits, holds_what_is_free_in_every_form) {
  owned task = hold_by_every_form(this->s, this->source.get_token(), this->log);
  this->start(task);
  EXPECT_EQ(this->log, "1 2 .1 3 4 1 2 5 .");
}

template <class Semaphore>
owned hold_unless_stopped(Semaphore& s, std::stop_token stop, std::string& log) {
  auto held = co_await s.scoped_acquire(6, std::move(stop));
  log += held || held.count() != 0 ? '!' : '-';
}

TYPED_TEST(ScopedPermits, holds_nothing_if_it_was_told_to_stop) {
  owned task = hold_unless_stopped(this->s, this->source.get_token(), this->log);
  this->start(task);
  EXPECT_EQ(this->log, "");
  this->source.request_stop();
  this->ex.run_all();
  EXPECT_EQ(this->log, "-");
  EXPECT_EQ(this->s.available(), 5U);
}

template <class Semaphore>
owned acquire_all(Semaphore& s, std::string& log) {
  co_await s.acquire(5);
  log += 'a';
}

TYPED_TEST(ScopedPermits, the_end_of_the_scope_lets_in_without_suspending) {
  owned heir = acquire_all(this->s, this->log);
  {
    ASSERT_TRUE(this->s.try_acquire(2));
    const scoped_permits held{this->s, 2, adopt_permits};
    EXPECT_EQ(held.count(), 2U);
    this->start(heir);
    EXPECT_EQ(this->log, "");
  }
  EXPECT_TRUE(this->ex.is_ready(heir.handle()));
  this->ex.run_all();
  EXPECT_EQ(this->log, "a");
}

TYPED_TEST(ScopedPermits, a_move_takes_the_permits_along) {
  ASSERT_TRUE(this->s.try_acquire(2));
  ASSERT_TRUE(this->s.try_acquire(1));
  scoped_permits two{this->s, 2, adopt_permits};
  scoped_permits one{this->s, 1, adopt_permits};
  {
    const scoped_permits moved{std::move(two)};
    EXPECT_FALSE(two);  // NOLINT(bugprone-use-after-move)
    EXPECT_EQ(two.count(), 0U);
    EXPECT_EQ(moved.count(), 2U);
    EXPECT_EQ(this->s.available(), 2U);
  }
  EXPECT_EQ(this->s.available(), 4U);
  two = std::move(one);
  EXPECT_EQ(two.count(), 1U);
  ASSERT_TRUE(this->s.try_acquire(3));
  two = scoped_permits{this->s, 3, adopt_permits};
  EXPECT_EQ(two.count(), 3U);
  EXPECT_EQ(this->s.available(), 2U) << "the one was given back";
}

TYPED_TEST(ScopedPermits, what_is_disowned_stays_acquired_and_can_be_split) {
  ASSERT_TRUE(this->s.try_acquire(4));
  {
    scoped_permits held{this->s, 4, adopt_permits};
    EXPECT_EQ(held.disown(), 4U);
    EXPECT_FALSE(held);
    EXPECT_EQ(held.disown(), 0U);
  }
  EXPECT_EQ(this->s.available(), 1U);
  {
    const scoped_permits one{this->s, 1, adopt_permits};
    {
      const scoped_permits three{this->s, 3, adopt_permits};
    }
    EXPECT_EQ(this->s.available(), 4U);
  }
  EXPECT_EQ(this->s.available(), 5U);
}

TYPED_TEST(ScopedPermits, a_scope_of_none_is_not_empty) {
  const scoped_permits none{this->s, 0, adopt_permits};
  EXPECT_TRUE(none);
  EXPECT_EQ(none.count(), 0U);
}

template <class Semaphore>
task<> throw_with_permits(Semaphore& s) {
  const auto held = co_await s.scoped_acquire(3);
  throw std::runtime_error{"inside"};
}

TYPED_TEST(ScopedPermits, an_exception_that_leaves_the_scope_releases) {
  testing::immediate_executor now;
  EXPECT_THROW(sync_wait(now, throw_with_permits(this->s)), std::runtime_error);
  EXPECT_EQ(this->s.available(), 5U);
}

template <class Semaphore>
owned keep_permits_for_ever(Semaphore& s) {
  const auto held = co_await s.scoped_acquire(3);
  co_await std::suspend_always{};
}

TYPED_TEST(ScopedPermits, a_task_that_is_destroyed_inside_releases) {
  {
    owned task = keep_permits_for_ever(this->s);
    this->start(task);
    EXPECT_EQ(this->s.available(), 2U);
  }
  EXPECT_EQ(this->s.available(), 5U);
}

}  // namespace
}  // namespace hotseat
