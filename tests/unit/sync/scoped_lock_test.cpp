// hotseat/tests/unit/sync/scoped_lock_test.cpp — ownership for a scope, whatever ends it.
#include <gtest/gtest.h>

#include <hotseat/runtime/thread_pool.hpp>
#include <hotseat/sync/mutex.hpp>
#include <hotseat/sync/scoped_lock.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/task.hpp>
#include <stdexcept>
#include <string>
#include <support/mutex_kinds.hpp>
#include <support/probes.hpp>
#include <type_traits>
#include <utility>

namespace hotseat {
namespace {

using testing::is_free;
using testing::manual_executor;
using testing::owned;

static_assert(!std::is_copy_constructible_v<scoped_lock<mutex>>);
static_assert(std::is_nothrow_move_constructible_v<scoped_lock<mutex>>);
static_assert(std::is_nothrow_move_assignable_v<scoped_lock<mutex>>);

template <class Mutex>
class ScopedLock : public ::testing::Test {
 protected:
  Mutex m;
  manual_executor ex{2};
  std::string log;
};
TYPED_TEST_SUITE(ScopedLock, testing::mutex_kinds);

template <class Mutex>
owned to_the_end_of_the_scope(Mutex& m, std::string& log, char name) {
  {
    const auto held = co_await m.scoped_lock();
    log += held.owns_lock() && !is_free(m) ? name : '!';
  }
  log += is_free(m) ? "." : "-";
}

template <class Mutex>
owned with_unlock(Mutex& m, std::string& log, char name) {
  auto held = co_await m.scoped_lock();
  log += name;
  co_await held.unlock();
  log += held.owns_lock() ? "!" : ".";
}

TYPED_TEST(ScopedLock, owns_until_the_end_of_the_scope) {
  owned task = to_the_end_of_the_scope(this->m, this->log, 'a');
  task.start_on(this->ex);
  this->ex.run_all();
  EXPECT_EQ(this->log, "a.");
}

TYPED_TEST(ScopedLock, the_end_of_the_scope_hands_over_without_suspending) {
  owned heir = with_unlock(this->m, this->log, 'b');
  {
    ASSERT_TRUE(this->m.try_lock());
    const scoped_lock held{this->m, adopt_lock};
    heir.start_on(this->ex);
    this->ex.run_all();
    EXPECT_EQ(this->log, "");
  }
  EXPECT_TRUE(this->ex.is_ready(heir.handle()));
  this->ex.run_all();
  EXPECT_EQ(this->log, "b.");
}

TYPED_TEST(ScopedLock, after_unlock_the_destructor_does_nothing) {
  owned task = with_unlock(this->m, this->log, 'a');
  task.start_on(this->ex);
  this->ex.run_all();
  EXPECT_EQ(this->log, "a.");
  EXPECT_TRUE(task.done());
  EXPECT_TRUE(is_free(this->m));
}

TYPED_TEST(ScopedLock, a_move_takes_the_ownership_along) {
  ASSERT_TRUE(this->m.try_lock());
  scoped_lock first{this->m, adopt_lock};
  {
    const scoped_lock second{std::move(first)};
    EXPECT_FALSE(first.owns_lock());  // NOLINT(bugprone-use-after-move)
    EXPECT_TRUE(second.owns_lock());
    EXPECT_FALSE(is_free(this->m));
  }
  EXPECT_TRUE(is_free(this->m));
}

TYPED_TEST(ScopedLock, an_assignment_gives_up_what_was_owned_before) {
  TypeParam other;
  ASSERT_TRUE(this->m.try_lock());
  ASSERT_TRUE(other.try_lock());
  scoped_lock a{this->m, adopt_lock};
  {
    scoped_lock b{other, adopt_lock};
    a = std::move(b);
    EXPECT_TRUE(is_free(this->m));
    EXPECT_FALSE(is_free(other));
    EXPECT_FALSE(b.owns_lock());  // NOLINT(bugprone-use-after-move)
  }
  EXPECT_FALSE(is_free(other));
  scoped_lock<TypeParam>& same = a;
  a = std::move(same);
  EXPECT_TRUE(a.owns_lock());
}

template <class Mutex>
task<> throw_inside(Mutex& m) {
  const auto held = co_await m.scoped_lock();
  throw std::runtime_error{"inside"};
}

TYPED_TEST(ScopedLock, an_exception_that_leaves_the_scope_releases) {
  testing::immediate_executor now;
  EXPECT_THROW(sync_wait(now, throw_inside(this->m)), std::runtime_error);
  EXPECT_TRUE(is_free(this->m));
}

template <class Mutex>
owned hold_for_ever(Mutex& m) {
  const auto held = co_await m.scoped_lock();
  co_await std::suspend_always{};
}

TYPED_TEST(ScopedLock, a_task_that_is_destroyed_inside_releases) {
  {
    owned task = hold_for_ever(this->m);
    task.start_on(this->ex);
    this->ex.run_all();
    EXPECT_FALSE(is_free(this->m));
  }
  EXPECT_TRUE(is_free(this->m));
}

}  // namespace
}  // namespace hotseat
