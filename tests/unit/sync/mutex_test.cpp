// hotseat/tests/unit/sync/mutex_test.cpp — what only mutexes promise.  What they promise to
// waiters, like other primitives, is in tests/conformance.
#include <gtest/gtest.h>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <hotseat/sched/current.hpp>
#include <hotseat/sched/handoff.hpp>
#include <hotseat/sched/reschedule.hpp>
#include <hotseat/sync/lock_state.hpp>
#include <hotseat/sync/mutex.hpp>
#include <memory>
#include <stop_token>
#include <string>
#include <support/counted_new.hpp>
#include <support/events.hpp>
#include <support/mutex_kinds.hpp>
#include <support/probes.hpp>
#include <type_traits>
#include <utility>
#include <vector>

namespace hotseat {
namespace {

using testing::detached;
using testing::event_at;
using testing::events;
using testing::manual_executor;
using testing::owned;

static_assert(std::same_as<mutex, basic_mutex<handoff::exchange, lock_state::lock_free>>);

template <class Mutex>
class MutexOfAnyKind : public ::testing::Test {
 protected:
  static_assert(!std::is_copy_constructible_v<Mutex>);
  static_assert(!std::is_move_constructible_v<Mutex>);
  static_assert(!std::is_copy_assignable_v<Mutex>);
  static_assert(!std::is_move_assignable_v<Mutex>);
  static_assert(noexcept(std::declval<Mutex&>().lock().await_suspend(nullptr)));
  static_assert(noexcept(std::declval<Mutex&>().unlock().await_ready()));
  static_assert(noexcept(std::declval<Mutex&>().unlock().await_suspend(nullptr)));

  Mutex m;
};
TYPED_TEST_SUITE(MutexOfAnyKind, testing::mutex_kinds);

template <class Mutex>
owned lock_note_unlock(Mutex& m, std::string& log, char name) {
  co_await m.lock();
  log += name;
  co_await m.unlock();
}

TYPED_TEST(MutexOfAnyKind, is_constant_initialized_and_small) {
  static constinit TypeParam constant;
  EXPECT_TRUE(constant.try_lock());
  constant.unlock_dispatch();
  // At most two cache lines: one for the arrivals, one for the owner.
  EXPECT_LE(sizeof(TypeParam), 88U);
}

TYPED_TEST(MutexOfAnyKind, a_task_that_comes_later_does_not_overtake) {
  manual_executor ex{2};
  std::string log;
  owned first = lock_note_unlock(this->m, log, 'a');
  owned second = lock_note_unlock(this->m, log, 'b');
  ASSERT_TRUE(this->m.try_lock());
  first.start_on(ex);
  ex.run_all();
  EXPECT_FALSE(this->m.try_lock());
  this->m.unlock_dispatch();
  // The first one owns it already, although it has not run yet.
  EXPECT_FALSE(this->m.try_lock());
  second.start_on(ex);
  ex.run_all();
  EXPECT_EQ(log, "ab");
}

TYPED_TEST(MutexOfAnyKind, try_lock_takes_what_is_free_and_nothing_else) {
  EXPECT_TRUE(this->m.try_lock());
  EXPECT_FALSE(this->m.try_lock());
  this->m.unlock_dispatch();
  EXPECT_TRUE(this->m.try_lock());
  this->m.unlock_dispatch();
}

template <class Mutex>
owned hold_across_a_suspension(Mutex& m, std::string& log) {
  co_await m.lock();
  log += '(';
  co_await reschedule();
  log += ')';
  co_await m.unlock();
}

TYPED_TEST(MutexOfAnyKind, is_held_across_suspensions_and_workers) {
  manual_executor ex{2};
  std::string log;
  owned holder = hold_across_a_suspension(this->m, log);
  owned other = lock_note_unlock(this->m, log, 'x');
  holder.start_on(ex);
  other.start_on(ex);
  ASSERT_TRUE(ex.step(0));  // The owner, up to its suspension.
  ASSERT_TRUE(ex.step(1));  // The other one waits.
  EXPECT_EQ(log, "(");
  ASSERT_TRUE(ex.step(1));  // The owner goes on, on another worker.
  ex.run_all();
  EXPECT_EQ(log, "()x");
}

template <class Mutex>
owned count_locks(Mutex& a, Mutex& b, std::vector<std::uint32_t>& counts) {
  co_await a.lock();
  counts.push_back(detail::current().locks_held);
  co_await b.lock();
  counts.push_back(detail::current().locks_held);
  co_await b.unlock();
  counts.push_back(detail::current().locks_held);
  co_await a.unlock();
  counts.push_back(detail::current().locks_held);
}

TYPED_TEST(MutexOfAnyKind, a_task_knows_how_many_locks_it_owns_wherever_it_runs) {
  // A thread's count may include locks that its tasks left on other threads.
  detail::current().locks_held = 0;
  manual_executor ex{2};
  TypeParam other;
  std::vector<std::uint32_t> counts;
  std::string log;
  owned task = count_locks(this->m, other, counts);
  owned rival = lock_note_unlock(this->m, log, 'x');
  ASSERT_TRUE(this->m.try_lock());
  ASSERT_TRUE(other.try_lock());
  task.start_on(ex);
  rival.start_on(ex);
  ex.run_all();
  this->m.unlock_dispatch();
  ex.run_all();
  EXPECT_EQ(counts, (std::vector<std::uint32_t>{1}));
  other.unlock_dispatch();
  ex.run_all();
  EXPECT_EQ(counts, (std::vector<std::uint32_t>{1, 2, 1, 0}));
  EXPECT_EQ(detail::current().locks_held, 0U);
}

TEST(CountedNew, the_counter_counts) {
  const std::uint64_t before = testing::allocations();
  ::operator delete(::operator new(100));  // A call that the compiler may not omit.
  EXPECT_GT(testing::allocations(), before);
}

template <class Mutex>
detached lock_then_destroy(executor& where, std::unique_ptr<Mutex>& m) {
  co_await testing::on(where);
  co_await m->lock();
  m->unlock_dispatch();
  m.reset();
}

template <class Mutex>
detached unlock_once(executor& where, Mutex& m, bool& is_done) {
  co_await testing::on(where);
  co_await m.unlock();
  is_done = true;
}

// The heir may destroy the mutex before unlock has returned, and self may be gone before
// the executor's schedule returns.
TYPED_TEST(MutexOfAnyKind, the_heir_may_destroy_it_at_once) {
  testing::immediate_executor ex;
  auto shared = std::make_unique<TypeParam>();
  bool is_done = false;
  ASSERT_TRUE(shared->try_lock());
  lock_then_destroy(ex, shared);
  ASSERT_NE(shared, nullptr);
  unlock_once(ex, *shared, is_done);
  detail::current().locks_held = 0;  // The test locked it, a task unlocked it.
  EXPECT_EQ(shared, nullptr);
  EXPECT_TRUE(is_done);
}

// --- Tasks that leave.

/// Notes how many locks it owns after a wait for `inner`, and at the end.
template <class Mutex>
owned wait_inside(Mutex& outer, Mutex& inner, std::stop_token stop,
                  std::vector<std::uint32_t>& counts) {
  co_await outer.lock();
  auto operation = inner.lock(std::move(stop));
  const bool is_owner = co_await operation;
  counts.push_back(detail::current().locks_held);
  if (is_owner) co_await inner.unlock();
  co_await outer.unlock();
  counts.push_back(detail::current().locks_held);
}

TYPED_TEST(MutexOfAnyKind,
           a_task_that_leaves_owns_the_locks_it_had_and_a_granted_one_owns_one_more) {
  for (const bool leaves : {true, false}) {
    manual_executor ex{2};
    std::stop_source source;
    std::vector<std::uint32_t> counts;
    TypeParam outer;
    ASSERT_TRUE(this->m.try_lock());
    detail::current().locks_held = 0;  // Another task unlocks it.
    owned a = wait_inside(outer, this->m, source.get_token(), counts);
    a.start_on(ex);
    ex.run_all();
    if (leaves) {
      source.request_stop();
      ex.run_all();
    }
    this->m.unlock_dispatch();
    ex.run_all();
    EXPECT_EQ(counts, (std::vector<std::uint32_t>{leaves ? 1U : 2U, 0U}));
  }
}

template <class Mutex>
detached leave_then_destroy(executor& where, std::unique_ptr<Mutex>& m,
                            std::stop_token stop) {
  co_await testing::on(where);
  auto operation = m->lock(std::move(stop));
  static_cast<void>(co_await operation);
  m->unlock_dispatch();  // For the test, which locked it.
  m.reset();
}

// The frame and the mutex may be gone before the stop request has returned.
TYPED_TEST(MutexOfAnyKind, a_task_that_leaves_may_destroy_it_at_once) {
  testing::immediate_executor now;
  std::stop_source source;
  auto shared = std::make_unique<TypeParam>();
  ASSERT_TRUE(shared->try_lock());
  leave_then_destroy(now, shared, source.get_token());
  ASSERT_NE(shared, nullptr);
  source.request_stop();
  EXPECT_EQ(shared, nullptr);
}

// --- What the hand-offs do differently.

template <class Mutex>
owned enter(Mutex& m, manual_executor& ex, events& log) {
  co_await m.lock();
  log.push_back(event_at{'b', ex.current_worker()});
  co_await m.unlock();
  log.push_back(event_at{'B', ex.current_worker()});
}

template <class State>
class MutexWithState : public ::testing::Test {};
using both_states = ::testing::Types<lock_state::lock_free, lock_state::spin_locked>;
TYPED_TEST_SUITE(MutexWithState, both_states);

// The paper's point: under a line that does not end, the section stays on one worker.
TYPED_TEST(MutexWithState, a_contended_section_stays_on_one_worker) {
  using mutex_type = basic_mutex<handoff::exchange, TypeParam>;
  constexpr std::size_t tasks = 20;
  manual_executor ex{2};
  mutex_type m;
  events log;
  std::vector<owned> all;
  ASSERT_TRUE(m.try_lock());
  for (std::size_t i = 0; i < tasks; ++i) {
    all.push_back(enter(m, ex, log));
    all.back().start_on(ex);
  }
  ex.run_all();
  m.unlock_dispatch();
  ASSERT_TRUE(ex.step(1));
  const auto sections = std::count(log.begin(), log.end(), event_at{'b', 1});
  EXPECT_EQ(sections, static_cast<std::ptrdiff_t>(tasks));
  EXPECT_EQ(ex.ready().size(), tasks - 1) << "all but the last have left the worker";
  ex.run_all();
}

}  // namespace
}  // namespace hotseat
