// hotseat/tests/model/mutex_model.cpp — the mutex among tasks of a pool: all hand-offs and
// both states, with waits that end early.
#include <gtest/gtest.h>

#include <hotseat/explore/linearizable.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sched/block_on.hpp>
#include <hotseat/sched/handoff.hpp>
#include <hotseat/sync/mutex.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/when_all.hpp>

#include <support/explored.hpp>
#include <support/mutex_kinds.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

namespace hotseat {
namespace {

using namespace std::chrono_literals;
using platform::thread;
using testing::announced;
using testing::endings;
using testing::explore_some;
using testing::guarded_count;
using testing::milestone;
using testing::small_pool;
using testing::until;

template <class Mutex>
class MutexModel : public ::testing::Test {};

class kind_names {
 public:
  template <class>
  static std::string GetName(int i) {
    constexpr std::array names{"exchange",      "exchange_spin", "dispatch",
                               "dispatch_spin", "inline",        "inline_spin"};
    return names.at(static_cast<std::size_t>(i));
  }
};
TYPED_TEST_SUITE(MutexModel, testing::mutex_kinds, kind_names);

template <class Mutex>
task<> enter(Mutex& m, guarded_count& count, int times = 1) {
  for (int i = 0; i < times; ++i) {
    co_await m.lock();
    count.increment();
    co_await m.unlock();
  }
}

TYPED_TEST(MutexModel, three_tasks_own_it_one_at_a_time) {
  explore_some(20'000, [] {
    thread_pool pool{small_pool()};
    TypeParam m;
    guarded_count count;
    sync_wait(pool, when_all(enter(m, count, 2), enter(m, count), enter(m, count)));
    verify(count.value() == 4, "each was inside as often as it wanted");
  });
}

template <class Mutex>
task<> enter_and_stay(Mutex& m, guarded_count& count) {
  co_await m.lock();
  count.increment();
  co_await reschedule();
  count.increment();
  co_await m.unlock();
}

TYPED_TEST(MutexModel, it_can_be_held_across_a_suspension) {
  explore_some(20'000, [] {
    thread_pool pool{small_pool()};
    TypeParam m;
    guarded_count count;
    sync_wait(pool, when_all(enter_and_stay(m, count), enter_and_stay(m, count)));
    verify(count.value() == 4, "each was inside");
  });
}

/// Publishes when it stands in line or owns the mutex.
template <class Mutex>
task<> wait_in_line(Mutex& m, milestone& arrived, platform::var<int>& served, int number) {
  auto operation = m.lock();
  co_await announced{operation, arrived};
  arrived.reach();
  verify(served == number, "in order of arrival");
  served = number + 1;
  co_await m.unlock();
}

template <class Mutex>
task<> wait_after(const milestone& other, Mutex& m, milestone& arrived,
                  platform::var<int>& served, int number) {
  co_await until(other);
  co_await wait_in_line(m, arrived, served, number);
}

TYPED_TEST(MutexModel, the_first_to_arrive_owns_it_first) {
  explore_some(6'000, [] {
    milestone
        first;  // A worker reaches it after its task may have ended: it outlives the pool.
    milestone second;
    thread_pool pool{small_pool()};
    TypeParam m;
    platform::var<int> served = 0;
    verify(m.try_lock(), "it is free");
    thread releasing{[&] { m.unlock_dispatch(); }};
    sync_wait(pool, when_all(wait_in_line(m, first, served, 0),
                             wait_after(first, m, second, served, 1)));
    releasing.join();
    verify(served == 2, "both were inside");
  });
}

/// The seat of a section: which worker runs it.
struct seats {
  explicit seats(const thread_pool& of) : pool{of} {}

  [[nodiscard]] std::size_t here() const {
    const auto index = pool.current_worker();
    verify(index.has_value(), "a worker runs it");
    return *index;
  }
  /// A task continues on this worker.
  void note() { ++turns[here()]; }

  /// The owner gives up its seat to a waiter.
  void promise() {
    worker = here();
    turn = turns[*worker];
  }
  /// The new owner takes the seat.
  void take() {
    if (!worker) return;
    verify(here() == *worker, "the heir continues on the worker of the owner");
    verify(turns[*worker] == turn, "the heir is the next that runs there");
    worker.reset();
  }

  const thread_pool& pool;
  std::array<int, 2> turns{};
  std::optional<std::size_t> worker;
  int turn = 0;
};

/// Awaits an unlock, and records which worker must run the heir next.
template <class Operation>
class [[nodiscard]] watched_unlock {
 public:
  watched_unlock(Operation& operation, seats& all) noexcept
      : operation_{operation}, all_{all} {}
  bool await_ready() {
    return operation_.await_ready();  // False: there is an heir.
  }
  bool await_suspend(std::coroutine_handle<> self) {
    all_.promise();
    const bool is_suspended = operation_.await_suspend(self);
    verify(is_suspended, "one that has an heir suspends");
    return true;
  }
  void await_resume() { operation_.await_resume(); }

 private:
  Operation& operation_;
  seats& all_;
};

template <class Mutex>
task<> sit_down(Mutex& m, seats& all) {
  for (int i = 0; i < 2; ++i) {
    all.note();
    co_await m.lock();
    all.take();
    all.note();
    auto operation = m.unlock();
    co_await watched_unlock{operation, all};
    all.note();
  }
}

template <class State>
void keep_the_seat() {
  explore_some(30'000, [] {
    thread_pool pool{small_pool()};
    basic_mutex<handoff::exchange, State> m;
    seats all{pool};
    sync_wait(pool, when_all(sit_down(m, all), sit_down(m, all), sit_down(m, all)));
    verify(!all.worker, "the one that was promised the seat has taken it");
  });
}

TEST(SeatModel, after_a_contended_unlock_the_heir_runs_next_on_the_same_worker) {
  keep_the_seat<lock_state::lock_free>();
}
TEST(SeatModel, after_a_contended_unlock_the_heir_runs_next_also_if_spin_locked) {
  keep_the_seat<lock_state::spin_locked>();
}

template <class Mutex>
task<> enter_in_time(Mutex& m, guarded_count& count, endings& seen) {
  auto operation = m.try_lock_for(40us);
  const bool is_owner = co_await operation;
  seen.note(is_owner);
  if (!is_owner) co_return;
  count.increment();
  co_await m.unlock();
}

TYPED_TEST(MutexModel, a_task_that_is_too_late_is_out_of_the_line_or_the_owner) {
  endings seen;
  explore_some(10'000, [&] {
    thread_pool pool{small_pool()};
    TypeParam m;
    guarded_count count;
    sync_wait(pool, when_all(enter_and_stay(m, count), enter_in_time(m, count, seen),
                             enter(m, count)));
    verify(m.try_lock(), "ownership is not lost");
    m.unlock_dispatch();
  });
  EXPECT_TRUE(seen.granted && seen.left);
}

template <class Mutex>
task<> enter_until_told(Mutex& m, std::stop_token stop, guarded_count& count,
                        endings& seen) {
  auto operation = m.lock(std::move(stop));
  const bool is_owner = co_await operation;
  seen.note(is_owner);
  if (!is_owner) co_return;
  count.increment();
  co_await m.unlock();
}

TYPED_TEST(MutexModel, a_task_that_is_told_to_stop_is_out_of_the_line_or_the_owner) {
  endings seen;
  explore_some(10'000, [&] {
    thread_pool pool{small_pool()};
    TypeParam m;
    guarded_count count;
    std::stop_source source;
    thread stopping{[&] { source.request_stop(); }};
    sync_wait(pool, when_all(enter_and_stay(m, count),
                             enter_until_told(m, source.get_token(), count, seen),
                             enter(m, count)));
    stopping.join();
    verify(m.try_lock(), "ownership is not lost");
    m.unlock_dispatch();
  });
  EXPECT_TRUE(seen.granted && seen.left);
}

template <class Mutex>
task<> wait_for_ever(Mutex& m, milestone& waits) {
  auto operation = m.lock();
  co_await announced{operation, waits};
  verify(false, "it is destroyed before its turn comes");
}

template <class Mutex>
task<> own_until_destroyed(Mutex& m, milestone& waits, const milestone& gone) {
  auto operation = m.lock();
  co_await announced{operation, waits};
  while (!gone.is_reached()) co_await reschedule();
  co_await m.unlock();
}

TYPED_TEST(MutexModel, a_task_is_destroyed_in_line_while_the_lock_is_passed_on) {
  explore_some(5'000, [] {
    testing::destroy_in_line<TypeParam>(own_until_destroyed<TypeParam>,
                                        wait_for_ever<TypeParam>);
  });
}

TYPED_TEST(MutexModel, plain_threads_own_it_like_tasks) {
  explore_some(10'000, [] {
    thread_pool pool{small_pool()};
    TypeParam m;
    guarded_count count;
    thread plain{[&] {
      m.lock_blocking();
      count.increment();
      m.unlock_dispatch();
      if (!block_on(m.try_lock_for(30us))) return;
      count.increment();
      m.unlock_dispatch();
    }};
    sync_wait(pool, when_all(enter(m, count), enter(m, count)));
    plain.join();
    verify(count.value() >= 3, "all were inside");
  });
}

TYPED_TEST(MutexModel, a_plain_thread_that_is_too_late_gives_up) {
  explore_some(5'000, [] {
    TypeParam m;
    m.lock_blocking();
    thread plain{[&] { verify(!block_on(m.try_lock_for(30us)), "it is not passed on"); }};
    plain.join();
    m.unlock_dispatch();
    verify(m.try_lock(), "ownership is not lost");
    m.unlock_dispatch();
  });
}

/// A mutex that its last user destroys.
template <class Mutex>
struct short_lived {
  std::optional<Mutex> m{std::in_place};
  platform::var<int> users = 2;
};

template <class Mutex>
task<> use_and_destroy(short_lived<Mutex>& shared) {
  co_await shared.m->lock();
  const int left = shared.users - 1;
  shared.users = left;
  co_await shared.m->unlock();
  if (left == 0) shared.m.reset();
}

TYPED_TEST(MutexModel, the_last_to_go_on_may_destroy_it_at_once) {
  explore_some(20'000, [] {
    thread_pool pool{small_pool()};
    short_lived<TypeParam> shared;
    sync_wait(pool, when_all(use_and_destroy(shared), use_and_destroy(shared)));
    verify(!shared.m, "the last one has destroyed it");
  });
}

template <class Mutex>
void use_and_destroy_blocking(short_lived<Mutex>& shared) {
  shared.m->lock_blocking();
  const int left = shared.users - 1;
  shared.users = left;
  shared.m->unlock_dispatch();
  if (left == 0) shared.m.reset();
}

TYPED_TEST(MutexModel, a_plain_thread_may_destroy_it_at_once) {
  explore_some(20'000, [] {
    short_lived<TypeParam> shared;
    thread other{[&] { use_and_destroy_blocking(shared); }};
    use_and_destroy_blocking(shared);
    other.join();
    verify(!shared.m, "the last one has destroyed it");
  });
}

template <class Mutex>
task<> enter_scope(Mutex& m, guarded_count& count, bool unlocks) {
  auto held = co_await m.scoped_lock();
  count.increment();
  if (unlocks) co_await held.unlock();
}

TYPED_TEST(MutexModel, a_scope_unlocks_at_its_end) {
  explore_some(10'000, [] {
    thread_pool pool{small_pool()};
    TypeParam m;
    guarded_count count;
    sync_wait(pool, when_all(enter_scope(m, count, true), enter_scope(m, count, false),
                             enter_scope(m, count, false)));
    verify(count.value() == 3, "each was inside");
  });
}

TYPED_TEST(MutexModel, a_chain_may_be_cut_at_any_link) {
  explore_some(10'000, [] {
    thread_pool_options options = small_pool();
    options.chain_limit = 1;
    thread_pool pool{options};
    TypeParam m;
    guarded_count count;
    sync_wait(pool, when_all(enter(m, count, 2), enter(m, count, 2), enter(m, count, 2)));
    verify(count.value() == 6, "each was inside as often as it wanted");
  });
}

template <class Mutex>
task<> enter_both(Mutex& outer, Mutex& inner, guarded_count& count) {
  co_await outer.lock();
  co_await enter(inner, count);
  co_await outer.unlock();
}

TYPED_TEST(MutexModel, it_can_be_held_inside_another_one) {
  explore_some(10'000, [] {
    thread_pool pool{small_pool()};
    TypeParam outer;
    TypeParam inner;
    guarded_count count;
    sync_wait(pool, when_all(enter_both(outer, inner, count), enter(inner, count),
                             enter_both(outer, inner, count)));
    verify(count.value() == 3, "each was inside");
  });
}

TYPED_TEST(MutexModel, tasks_of_two_pools_share_it) {
  explore_some(4'000, [] {
    thread_pool first{small_pool(1)};
    thread_pool second{small_pool(1)};
    TypeParam m;
    guarded_count count;
    thread other{[&] { sync_wait(second, when_all(enter(m, count), enter(m, count))); }};
    sync_wait(first, when_all(enter(m, count), enter(m, count)));
    other.join();
    verify(count.value() == 4, "each was inside");
  });
}

/// The model of a mutex.
struct owner {
  bool is_owned = false;
  bool lock() { return !std::exchange(is_owned, true); }
  bool unlock() { return std::exchange(is_owned, false); }
  bool operator==(const owner&) const = default;
};

constexpr auto locking = [](owner& o) { return o.lock(); };
constexpr auto trying = [](owner& o, bool is_owner) {
  return is_owner ? o.lock() : o.is_owned;
};
constexpr auto waiting = [](owner& o, bool is_owner) { return !is_owner || o.lock(); };
constexpr auto unlocking = [](owner& o) { return o.unlock(); };

template <class Mutex>
task<> unlock_noted(Mutex& m, history<owner>& calls) {
  auto call = calls.begin("unlock", unlocking);
  co_await m.unlock();
  call.end();
}

template <class Mutex>
task<> lock_noted(Mutex& m, history<owner>& calls) {
  for (int i = 0; i < 2; ++i) {
    auto call = calls.begin("lock", locking);
    co_await m.lock();
    call.end();
    co_await unlock_noted(m, calls);
  }
}

template <class Mutex>
task<> try_lock_noted(Mutex& m, history<owner>& calls) {
  if (calls.call("try_lock", [&] { return m.try_lock(); }, trying)) {
    co_await unlock_noted(m, calls);
  }
  auto call = calls.begin("try_lock_for", waiting);
  auto operation = m.try_lock_for(40us);
  const bool is_owner = co_await operation;
  call.end(is_owner);
  if (is_owner) co_await unlock_noted(m, calls);
}

TYPED_TEST(MutexModel, its_histories_are_linearizable) {
  explore_some(10'000, [] {
    thread_pool pool{small_pool()};
    TypeParam m;
    // A try_lock may fail on an old value.
    history<owner> calls{owner{}, call_order::happens_before};
    sync_wait(pool, when_all(lock_noted(m, calls), lock_noted(m, calls),
                             try_lock_noted(m, calls)));
    calls.verify_linearizable();
  });
}

}  // namespace
}  // namespace hotseat
