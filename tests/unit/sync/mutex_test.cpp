// hotseat/tests/unit/sync/mutex_test.cpp — what every mutex promises, and what only some
// do.  What it promises to those who do not wait to the end is in mutex_leaving_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <hotseat/core/waiter_queue.hpp>
#include <hotseat/platform/atomic.hpp>
#include <hotseat/platform/config.hpp>
#include <hotseat/runtime/thread_pool.hpp>
#include <hotseat/sched/dispatch.hpp>
#include <hotseat/sched/reschedule.hpp>
#include <hotseat/sched/this_thread.hpp>
#include <hotseat/sync/mutex.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/task.hpp>
#include <hotseat/task/when_all.hpp>
#include <memory>
#include <optional>
#include <string>
#include <support/counted_new.hpp>
#include <support/events.hpp>
#include <support/frugal_executor.hpp>
#include <support/mutex_kinds.hpp>
#include <support/probes.hpp>
#include <thread>
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
  // Two lines at most: that of the arrivals, and that of the owner.
  EXPECT_LE(sizeof(TypeParam), 88U);
}

TYPED_TEST(MutexOfAnyKind, uncontended_neither_end_suspends) {
  manual_executor ex{1};
  std::string log;
  owned task = lock_note_unlock(this->m, log, 'a');
  task.start_on(ex);
  ASSERT_TRUE(ex.step());
  EXPECT_TRUE(task.done());
  EXPECT_EQ(ex.resumptions().size(), 1U);
  EXPECT_EQ(ex.requests().size(), 1U);
}

TYPED_TEST(MutexOfAnyKind, works_on_a_thread_without_an_executor) {
  std::string log;
  const owned task = lock_note_unlock(this->m, log, 'a');
  task.run();
  EXPECT_TRUE(task.done());
}

TYPED_TEST(MutexOfAnyKind, ownership_passes_in_order_of_arrival) {
  manual_executor ex{3};
  std::string log;
  std::vector<owned> tasks;
  ASSERT_TRUE(this->m.try_lock());
  for (const char name : {'a', 'b', 'c', 'd', 'e'}) {
    tasks.push_back(lock_note_unlock(this->m, log, name));
    tasks.back().start_on(ex);
  }
  ex.run_all();
  EXPECT_EQ(log, "");
  this->m.unlock_dispatch();
  ex.run_all();
  EXPECT_EQ(log, "abcde");
  EXPECT_TRUE(this->m.try_lock());
  this->m.unlock_dispatch();
}

TYPED_TEST(MutexOfAnyKind, who_comes_later_does_not_overtake) {
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
  ASSERT_TRUE(ex.step(0));  // The holder, up to its suspension.
  ASSERT_TRUE(ex.step(1));  // The other one waits.
  EXPECT_EQ(log, "(");
  ASSERT_TRUE(ex.step(1));  // The holder goes on, on another worker.
  ex.run_all();
  EXPECT_EQ(log, "()x");
}

template <class Mutex>
owned count_locks(Mutex& a, Mutex& b, std::vector<std::uint32_t>& counts) {
  co_await a.lock();
  counts.push_back(this_thread().locks_held);
  co_await b.lock();
  counts.push_back(this_thread().locks_held);
  co_await b.unlock();
  counts.push_back(this_thread().locks_held);
  co_await a.unlock();
  counts.push_back(this_thread().locks_held);
}

TYPED_TEST(MutexOfAnyKind, a_task_knows_how_many_locks_it_owns_wherever_it_runs) {
  this_thread().locks_held =
      0;  // A thread may keep locks of which tasks got rid elsewhere.
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
  EXPECT_EQ(this_thread().locks_held, 0U);
}

template <class Mutex>
detached sections_that_count_allocations(Mutex& m, executor& where, int times, int& done,
                                         std::uint64_t& allocated) {
  co_await testing::on(where);
  for (int i = 0; i < times; ++i) {
    const std::uint64_t before = testing::allocations();
    co_await m.lock();
    co_await m.unlock();
    allocated += testing::allocations() - before;
  }
  ++done;
}

TYPED_TEST(MutexOfAnyKind, neither_lock_nor_unlock_allocates) {
  testing::frugal_executor ex;
  int done = 0;
  std::uint64_t allocated = 0;
  ASSERT_TRUE(this->m.try_lock());
  for (int i = 0; i < 4; ++i) {
    sections_that_count_allocations(this->m, ex, 25, done, allocated);
  }
  ex.run_all();
  const std::uint64_t before = testing::allocations();
  this->m.unlock_dispatch();
  ex.run_all();
  EXPECT_EQ(testing::allocations(), before);
  EXPECT_EQ(allocated, 0U);
  EXPECT_EQ(done, 4);
}

TEST(CountedNew, the_counter_counts) {
  const std::uint64_t before = testing::allocations();
  ::operator delete(::operator new(100));  // A call the compiler may not leave out.
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

// The heir may destroy the mutex while unlock has not returned yet, and self may be gone
// before the executor's schedule returns.
TYPED_TEST(MutexOfAnyKind, the_heir_may_destroy_it_at_once) {
  testing::immediate_executor ex;
  auto shared = std::make_unique<TypeParam>();
  bool is_done = false;
  ASSERT_TRUE(shared->try_lock());
  lock_then_destroy(ex, shared);
  ASSERT_NE(shared, nullptr);
  unlock_once(ex, *shared, is_done);
  this_thread().locks_held = 0;  // The test locked it, somebody else unlocked it.
  EXPECT_EQ(shared, nullptr);
  EXPECT_TRUE(is_done);
}

constexpr int scale = config::sanitizes_thread || config::sanitizes_address ? 1 : 4;

template <class Mutex>
struct shared_counter {
  Mutex m;
  int inside = 0;    // Protected by m.
  int sections = 0;  // Protected by m.
  int overlaps = 0;  // Protected by m.

  void section() {
    if (++inside != 1) ++overlaps;
    ++sections;
    --inside;
  }
};

template <class Mutex>
task<> enter_often(shared_counter<Mutex>& shared, int times) {
  for (int i = 0; i < times; ++i) {
    co_await shared.m.lock();
    shared.section();
    co_await shared.m.unlock();
  }
}

TYPED_TEST(MutexOfAnyKind, sections_on_a_pool_of_threads_do_not_overlap) {
  constexpr std::size_t tasks = 16;
  constexpr int times = 250 * scale;
  thread_pool pool{3};
  shared_counter<TypeParam> shared;
  std::vector<task<>> all;
  for (std::size_t i = 0; i < tasks; ++i) all.push_back(enter_often(shared, times));
  sync_wait(pool, when_all(std::move(all)));
  EXPECT_EQ(shared.sections, static_cast<int>(tasks) * times);
  EXPECT_EQ(shared.overlaps, 0);
}

TYPED_TEST(MutexOfAnyKind, plain_threads_and_tasks_share_one_line) {
  constexpr int threads = 2;
  constexpr std::size_t tasks = 4;
  constexpr int times = 100 * scale;
  thread_pool pool{2};
  shared_counter<TypeParam> shared;
  std::vector<std::thread> blocking;
  for (int t = 0; t < threads; ++t) {
    blocking.emplace_back([&] {
      for (int i = 0; i < times; ++i) {
        shared.m.lock_blocking();
        shared.section();
        shared.m.unlock_dispatch();
      }
      EXPECT_EQ(this_thread().locks_held, 0U);
    });
  }
  std::vector<task<>> all;
  for (std::size_t i = 0; i < tasks; ++i) all.push_back(enter_often(shared, times));
  sync_wait(pool, when_all(std::move(all)));
  for (std::thread& thread : blocking) thread.join();
  EXPECT_EQ(shared.sections, (threads + static_cast<int>(tasks)) * times);
  EXPECT_EQ(shared.overlaps, 0);
}

TYPED_TEST(MutexOfAnyKind, a_blocked_thread_gets_the_mutex_in_its_turn) {
  manual_executor ex{1};
  std::string log;
  owned task = lock_note_unlock(this->m, log, 'x');
  ASSERT_TRUE(this->m.try_lock());
  platform::atomic<bool> is_starting{false};
  std::thread blocking{[&] {
    is_starting.store(true);
    this->m.lock_blocking();
    log += 't';
    this->m.unlock_dispatch();
  }};
  while (!is_starting.load()) std::this_thread::yield();
  this->m.unlock_dispatch();
  blocking.join();
  task.start_on(ex);
  ex.run_all();
  EXPECT_EQ(log, "tx");
}

// --- What the hand-offs do differently.

template <class Mutex>
owned leave_when_told(Mutex& m, waiter_queue& pause, manual_executor& ex, events& log) {
  co_await m.lock();
  co_await testing::stand_in(pause);
  log.push_back(event_at{'a', ex.current_worker()});
  co_await m.unlock();
  log.push_back(event_at{'A', ex.current_worker()});
}

template <class Mutex>
owned enter(Mutex& m, manual_executor& ex, events& log) {
  co_await m.lock();
  log.push_back(event_at{'b', ex.current_worker()});
  co_await m.unlock();
  log.push_back(event_at{'B', ex.current_worker()});
}

/// The heir waits; then the owner unlocks on worker 0, and worker 1 does the rest.
template <class Mutex>
events unlock_on_worker_0(manual_executor& ex) {
  Mutex m;
  waiter_queue pause;
  events log;
  owned owner = leave_when_told(m, pause, ex, log);
  owned heir = enter(m, ex, log);
  owner.start_on(ex);
  EXPECT_TRUE(ex.step(0));
  heir.start_on(ex);
  EXPECT_TRUE(ex.step(1));
  dispatch_task(pause.pop_front());
  EXPECT_TRUE(ex.step(0));
  while (ex.step(1)) {
  }
  EXPECT_TRUE(owner.done() && heir.done());
  return log;
}

template <class State>
class MutexWithState : public ::testing::Test {};
using both_states = ::testing::Types<lock_state::lock_free, lock_state::spin_locked>;
TYPED_TEST_SUITE(MutexWithState, both_states);

TYPED_TEST(MutexWithState, unlock_resumes_the_waiter_here_and_the_owner_elsewhere) {
  manual_executor ex{2};
  EXPECT_EQ((unlock_on_worker_0<basic_mutex<handoff::exchange, TypeParam>>(ex)),
            (events{{'a', 0}, {'b', 0}, {'B', 0}, {'A', 1}}));
}

TYPED_TEST(MutexWithState, dispatch_lets_the_owner_go_on_and_the_waiter_changes_workers) {
  manual_executor ex{2};
  EXPECT_EQ((unlock_on_worker_0<basic_mutex<handoff::dispatch, TypeParam>>(ex)),
            (events{{'a', 0}, {'A', 0}, {'b', 1}, {'B', 1}}));
}

TYPED_TEST(MutexWithState, resume_inline_runs_the_waiter_first_and_then_the_owner) {
  manual_executor ex{2};
  EXPECT_EQ((unlock_on_worker_0<basic_mutex<handoff::resume_inline, TypeParam>>(ex)),
            (events{{'a', 0}, {'b', 0}, {'B', 0}, {'A', 0}}));
}

/// Locks `outer`, waits to be told, and leaves `inner` while it still owns `outer`.
template <class Mutex>
owned leave_the_inner_one(Mutex& outer, Mutex& inner, waiter_queue& pause,
                          std::string& log) {
  co_await inner.lock();
  co_await testing::stand_in(pause);
  co_await outer.lock();
  this_thread().locks_held = 2;  // The pause does not carry the count.
  co_await inner.unlock();
  log += 'a';
  co_await outer.unlock();
}

TYPED_TEST(MutexWithState, a_task_that_owns_another_lock_keeps_its_core) {
  using mutex_type = basic_mutex<handoff::exchange, TypeParam>;
  manual_executor ex{2};
  mutex_type outer;
  mutex_type inner;
  waiter_queue pause;
  std::string log;
  owned owner = leave_the_inner_one(outer, inner, pause, log);
  owned heir = lock_note_unlock(inner, log, 'b');
  owner.start_on(ex);
  ASSERT_TRUE(ex.step(0));
  heir.start_on(ex);
  ASSERT_TRUE(ex.step(1));
  dispatch_task(pause.pop_front());
  ASSERT_TRUE(ex.step(0));
  EXPECT_TRUE(owner.done()) << "it was not suspended inside the outer section";
  EXPECT_EQ(log, "a");
  EXPECT_TRUE(ex.is_ready(heir.handle()));
  ex.run_all();
  EXPECT_EQ(log, "ab");
}

// The paper's point: with a line that does not end, the section stays on one worker.
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
