// hotseat/tests/unit/sync/unique_lock_test.cpp — ownership for a scope, however it ends.
#include <gtest/gtest.h>

#include <chrono>
#include <concepts>
#include <coroutine>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sched/current.hpp>
#include <hotseat/sched/handoff.hpp>
#include <hotseat/sched/wait_limits.hpp>
#include <hotseat/sync/lock_state.hpp>
#include <hotseat/sync/mutex.hpp>
#include <hotseat/sync/shared_mutex.hpp>
#include <hotseat/sync/unique_lock.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/task.hpp>
#include <mutex>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <support/manual_executor.hpp>
#include <support/mutex_kinds.hpp>
#include <support/probes.hpp>
#include <type_traits>
#include <utility>

namespace hotseat {
namespace {

using namespace std::chrono_literals;
using testing::is_free;
using testing::manual_executor;
using testing::owned;

static_assert(!std::is_copy_constructible_v<unique_lock<mutex>>);
static_assert(std::is_nothrow_move_constructible_v<unique_lock<mutex>>);
static_assert(std::is_nothrow_move_assignable_v<unique_lock<mutex>>);
static_assert(std::same_as<adopt_lock_t, std::adopt_lock_t>);
static_assert(std::same_as<scoped_lock<mutex>, unique_lock<mutex>>, "an earlier name");
static_assert(std::same_as<shared_scoped_lock<shared_mutex>, shared_lock<shared_mutex>>);

template <class Mutex>
class UniqueLock : public ::testing::Test {
 protected:
  Mutex m;
  manual_executor ex{2};
  std::string log;
};
TYPED_TEST_SUITE(UniqueLock, testing::mutex_kinds);

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

TYPED_TEST(UniqueLock, owns_until_the_end_of_the_scope) {
  owned task = to_the_end_of_the_scope(this->m, this->log, 'a');
  task.start_on(this->ex);
  this->ex.run_all();
  EXPECT_EQ(this->log, "a.");
}

TYPED_TEST(UniqueLock, the_end_of_the_scope_hands_over_without_suspending) {
  owned heir = with_unlock(this->m, this->log, 'b');
  {
    ASSERT_TRUE(this->m.try_lock());
    const unique_lock held{this->m, adopt_lock};
    heir.start_on(this->ex);
    this->ex.run_all();
    EXPECT_EQ(this->log, "");
  }
  EXPECT_TRUE(this->ex.is_ready(heir.handle()));
  this->ex.run_all();
  EXPECT_EQ(this->log, "b.");
}

TYPED_TEST(UniqueLock, after_unlock_the_destructor_does_nothing) {
  owned task = with_unlock(this->m, this->log, 'a');
  task.start_on(this->ex);
  this->ex.run_all();
  EXPECT_EQ(this->log, "a.");
  EXPECT_TRUE(task.done());
  EXPECT_TRUE(is_free(this->m));
}

TYPED_TEST(UniqueLock, a_move_takes_the_ownership_along) {
  ASSERT_TRUE(this->m.try_lock());
  unique_lock first{this->m, adopt_lock};
  {
    const unique_lock second{std::move(first)};
    EXPECT_FALSE(first.owns_lock());  // NOLINT(bugprone-use-after-move)
    EXPECT_TRUE(second.owns_lock());
    EXPECT_FALSE(is_free(this->m));
  }
  EXPECT_TRUE(is_free(this->m));
}

TYPED_TEST(UniqueLock, an_assignment_gives_up_what_was_owned_before) {
  TypeParam other;
  ASSERT_TRUE(this->m.try_lock());
  ASSERT_TRUE(other.try_lock());
  unique_lock a{this->m, adopt_lock};
  {
    unique_lock b{other, adopt_lock};
    a = std::move(b);
    EXPECT_TRUE(is_free(this->m));
    EXPECT_FALSE(is_free(other));
    EXPECT_FALSE(b.owns_lock());  // NOLINT(bugprone-use-after-move)
  }
  EXPECT_FALSE(is_free(other));
  unique_lock<TypeParam>& same = a;
  a = std::move(same);
  EXPECT_TRUE(a.owns_lock());
}

TYPED_TEST(UniqueLock, what_is_disowned_stays_locked) {
  ASSERT_TRUE(this->m.try_lock());
  {
    unique_lock held{this->m, adopt_lock};
    EXPECT_EQ(held.disown(), &this->m);
    EXPECT_FALSE(held.owns_lock());
    EXPECT_EQ(held.disown(), nullptr);
  }
  EXPECT_FALSE(is_free(this->m));
  this->m.unlock_dispatch();
}

template <class Mutex>
task<> throw_inside(Mutex& m) {
  const auto held = co_await m.scoped_lock();
  throw std::runtime_error{"inside"};
}

TYPED_TEST(UniqueLock, an_exception_that_leaves_the_scope_releases) {
  testing::immediate_executor now;
  EXPECT_THROW(sync_wait(now, throw_inside(this->m)), std::runtime_error);
  EXPECT_TRUE(is_free(this->m));
}

template <class Mutex>
owned hold_for_ever(Mutex& m) {
  const auto held = co_await m.scoped_lock();
  co_await std::suspend_always{};
}

TYPED_TEST(UniqueLock, a_task_that_is_destroyed_inside_releases) {
  {
    owned task = hold_for_ever(this->m);
    task.start_on(this->ex);
    this->ex.run_all();
    EXPECT_FALSE(is_free(this->m));
  }
  EXPECT_TRUE(is_free(this->m));
}

// --- With limits, and of readers.

/// Both sides of a mutex, under the same names.
template <class Mutex>
struct writing {
  using mutex = Mutex;
  using scope = unique_lock<Mutex>;
  static auto lock(Mutex& m, auto... limits) { return m.scoped_lock(limits...); }
  static auto lock_for(Mutex& m, auto... limits) { return m.scoped_lock_for(limits...); }
  static auto lock_until(Mutex& m, auto... limits) {
    return m.scoped_lock_until(limits...);
  }
};
template <class Mutex>
struct reading {
  using mutex = Mutex;
  using scope = shared_lock<Mutex>;
  static auto lock(Mutex& m, auto... limits) { return m.scoped_lock_shared(limits...); }
  static auto lock_for(Mutex& m, auto... limits) {
    return m.scoped_lock_shared_for(limits...);
  }
  static auto lock_until(Mutex& m, auto... limits) {
    return m.scoped_lock_shared_until(limits...);
  }
};
using sides =
    ::testing::Types<writing<basic_mutex<handoff::exchange, lock_state::lock_free>>,
                     writing<basic_mutex<handoff::exchange, lock_state::spin_locked>>,
                     writing<basic_mutex<handoff::dispatch>>,
                     writing<basic_mutex<handoff::resume_inline>>,
                     writing<basic_shared_mutex<handoff::exchange>>,
                     writing<basic_shared_mutex<handoff::dispatch>>,
                     writing<basic_shared_mutex<handoff::resume_inline>>,
                     reading<basic_shared_mutex<handoff::exchange>>,
                     reading<basic_shared_mutex<handoff::dispatch>>,
                     reading<basic_shared_mutex<handoff::resume_inline>>>;

template <class Side>
class LimitedScope : public ::testing::Test {
 protected:
  ~LimitedScope() override { detail::current().locks_held = 0; }

  void start(owned& task) {
    task.start_on(ex);
    ex.run_all();
  }

  typename Side::mutex m;
  manual_executor ex{2};
  std::string log;
  std::stop_source source;
};
TYPED_TEST_SUITE(LimitedScope, sides);

template <class Side>
owned own_by_every_form(typename Side::mutex& m, std::stop_token stop, std::string& log) {
  const auto note = [&](typename Side::scope& held) {
    log += held && held.owns_lock() && !is_free(m) ? 'o' : '-';
  };
  const auto later = platform::now() + 1h;
  const wait_limits both{later, stop};
  {
    auto held = co_await Side::lock(m, stop);
    note(held);
  }
  {
    auto held = co_await Side::lock(m, both);
    note(held);
    held.unlock_dispatch();
  }
  {
    auto held = co_await Side::lock_for(m, 1h);
    note(held);
    co_await held.unlock();
  }
  {
    auto held = co_await Side::lock_until(m, later, stop);
    note(held);
  }
  log += is_free(m) ? '.' : '!';
}

TYPED_TEST(LimitedScope, owns_what_is_free_in_every_form) {
  owned task = own_by_every_form<TypeParam>(this->m, this->source.get_token(), this->log);
  this->start(task);
  EXPECT_EQ(this->log, "oooo.");
}

TYPED_TEST(LimitedScope, is_tested_like_those_of_the_standard) {
  using scope = typename TypeParam::scope;
  static_assert(std::is_constructible_v<bool, const scope&>);
  static_assert(!std::is_convertible_v<const scope&, bool>);
  static_assert(std::is_nothrow_default_constructible_v<scope>);
  const scope nothing;
  EXPECT_FALSE(nothing);
  EXPECT_FALSE(nothing.owns_lock());
}

}  // namespace
}  // namespace hotseat
