// hotseat/tests/model/condition_model.cpp — no notification is lost, and a task that
// returns from a wait owns the mutex.
#include <gtest/gtest.h>

#include <hotseat/platform/seam.hpp>
#include <hotseat/sched/block_on.hpp>
#include <hotseat/sync/condition_variable.hpp>
#include <hotseat/sync/mutex.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/when_all.hpp>

#include <support/explored.hpp>

#include <chrono>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <utility>

namespace hotseat {
namespace {

using namespace std::chrono_literals;
using platform::thread;
using testing::announced;
using testing::endings;
using testing::explore_some;
using testing::loose_task;
using testing::milestone;
using testing::small_pool;

/// The hand-off is that of the mutex, which resumes notified waiters and checks their
/// predicates.
template <class Handoff>
class ConditionModel : public ::testing::Test {};
TYPED_TEST_SUITE(ConditionModel, testing::handoffs, testing::handoff_names);

/// Items that one side makes and the other takes.
template <class Handoff>
struct shop {
  basic_mutex<Handoff> m;
  condition_variable changed;
  platform::var<int> items = 0;

  void change(int by) noexcept { items = items + by; }
};

template <class Handoff>
task<> take(shop<Handoff>& s, int times = 1) {
  for (int i = 0; i < times; ++i) {
    co_await s.m.lock();
    auto wait = s.changed.wait(s.m, [&s] { return s.items > 0; });
    co_await wait;
    verify(s.items > 0, "what was waited for holds");
    s.change(-1);
    co_await s.m.unlock();
  }
}

template <class Handoff>
task<> make(shop<Handoff>& s, int times = 1) {
  for (int i = 0; i < times; ++i) {
    co_await s.m.lock();
    s.change(1);
    co_await s.changed.notify_one();
    co_await s.m.unlock();
  }
}

TYPED_TEST(ConditionModel, what_is_made_is_taken) {
  explore_some(15'000, [] {
    thread_pool pool{small_pool()};
    shop<TypeParam> s;
    sync_wait(pool, when_all(take(s), make(s, 2), take(s)));
    verify(s.items == 0, "all were taken");
  });
}

template <class Handoff>
task<> take_in_a_loop(shop<Handoff>& s) {
  co_await s.m.lock();
  while (s.items == 0) co_await s.changed.wait(s.m);
  s.change(-1);
  co_await s.m.unlock();
}

template <class Handoff>
task<> make_two_for_all(shop<Handoff>& s) {
  co_await s.m.lock();
  s.change(2);
  co_await s.m.unlock();
  co_await s.changed.notify_all();
}

TYPED_TEST(ConditionModel, all_are_notified_also_without_owning_the_mutex) {
  explore_some(15'000, [] {
    thread_pool pool{small_pool()};
    shop<TypeParam> s;
    sync_wait(pool, when_all(take_in_a_loop(s), make_two_for_all(s), take(s)));
    verify(s.items == 0, "all were taken");
  });
}

TYPED_TEST(ConditionModel, plain_threads_notify_and_wait) {
  explore_some(10'000, [] {
    thread_pool pool{small_pool()};
    shop<TypeParam> s;
    thread maker{[&] {
      s.m.lock_blocking();
      s.change(2);
      s.m.unlock_dispatch();
      s.changed.notify_all_dispatch();
    }};
    thread taker{[&] {
      s.m.lock_blocking();
      s.changed.wait_blocking(s.m, [&s] { return s.items > 0; });
      s.change(-1);
      s.m.unlock_dispatch();
    }};
    sync_wait(pool, take(s));
    maker.join();
    taker.join();
    verify(s.items == 0, "all were taken");
  });
}

/// Takes an item if there is one in time, and puts it back.
template <class Handoff, class Wait>
task<> borrow(shop<Handoff>& s, Wait wait, endings& seen) {
  co_await s.m.lock();
  auto operation = wait(s);
  const bool holds = co_await operation;
  verify(!s.m.try_lock(), "it owns the mutex in any case");
  seen.note(holds);
  verify(holds == (s.items > 0), "the predicate says so");
  co_await s.m.unlock();
  if (!holds) co_return;
  co_await s.changed.notify_one();
}

TYPED_TEST(ConditionModel, a_task_that_is_too_late_takes_no_notification_along) {
  endings seen;
  explore_some(15'000, [&] {
    thread_pool pool{small_pool()};
    shop<TypeParam> s;
    const auto in_time = [](shop<TypeParam>& of) {
      return of.changed.wait_for(of.m, 60us, [&of] { return of.items > 0; });
    };
    sync_wait(pool, when_all(borrow(s, in_time, seen), take(s), make(s, 2)));
    verify(s.items == 1, "one was taken");
  });
  EXPECT_TRUE(seen.granted && seen.left);
}

TYPED_TEST(ConditionModel, a_task_that_is_told_to_stop_takes_no_notification_along) {
  endings seen;
  explore_some(15'000, [&] {
    thread_pool pool{small_pool()};
    shop<TypeParam> s;
    std::stop_source source;
    const auto until_told = [&](shop<TypeParam>& of) {
      return of.changed.wait(of.m, source.get_token(), [&of] { return of.items > 0; });
    };
    thread stopping{[&] { source.request_stop(); }};
    sync_wait(pool, when_all(borrow(s, until_told, seen), take(s), make(s, 2)));
    stopping.join();
    verify(s.items == 1, "one was taken");
  });
  EXPECT_TRUE(seen.granted && seen.left);
}

/// Waits for what never comes, until it is told to stop.
template <class Handoff>
task<> wait_in_vain(shop<Handoff>& s, std::stop_token stop) {
  co_await s.m.lock();
  auto operation = s.changed.wait(s.m, std::move(stop), [&s] { return s.items > 0; });
  verify(!co_await operation, "there was never one");
  co_await s.m.unlock();
}

/// Notifies without a reason, so that the waiter has to join the line of the mutex.
template <class Handoff>
task<> disturb(shop<Handoff>& s) {
  co_await s.m.lock();
  co_await s.changed.notify_one();
  co_await s.m.unlock();
}

TYPED_TEST(ConditionModel, an_end_that_comes_while_it_waits_for_the_mutex_is_kept_in_mind) {
  explore_some(15'000, [&] {
    thread_pool pool{small_pool()};
    shop<TypeParam> s;
    std::stop_source source;
    thread stopping{[&] { source.request_stop(); }};
    sync_wait(pool, when_all(wait_in_vain(s, source.get_token()), disturb(s)));
    stopping.join();
  });
}

/// Waits for a notification without a predicate, and passes it on if it got one.
template <class Handoff>
task<> be_first(shop<Handoff>& s, milestone& waits, endings& seen) {
  co_await s.m.lock();
  auto wait = s.changed.wait_for(s.m, 60us);
  const bool was_notified = co_await announced{wait, waits};
  waits.reach();
  seen.note(was_notified);
  co_await s.m.unlock();
  if (was_notified) co_await s.changed.notify_one();
}

template <class Handoff>
task<> be_second(shop<Handoff>& s, const milestone& first_waits, milestone& waits) {
  co_await testing::until(first_waits);
  co_await s.m.lock();
  auto wait = s.changed.wait(s.m);
  co_await announced{wait, waits};
  co_await s.m.unlock();
}

template <class Handoff>
task<> notify_after(shop<Handoff>& s, const milestone& waits) {
  co_await testing::until(waits);
  // Once this task has owned the mutex, both waiters are in line.
  co_await s.m.lock();
  co_await s.m.unlock();
  co_await s.changed.notify_one();
}

TYPED_TEST(ConditionModel, a_notification_goes_to_exactly_one) {
  endings seen;
  explore_some(8'000, [&] {
    milestone first_waits;
    milestone second_waits;
    thread_pool pool{small_pool()};
    shop<TypeParam> s;
    sync_wait(pool, when_all(be_first(s, first_waits, seen),
                             be_second(s, first_waits, second_waits),
                             notify_after(s, second_waits)));
  });
  EXPECT_TRUE(seen.granted && seen.left);
}

template <class Handoff>
task<> wait_never(shop<Handoff>& s, milestone& waits) {
  co_await s.m.lock();
  auto wait = s.changed.wait(s.m);
  co_await announced{wait, waits};
  verify(false, "it is destroyed before its turn comes");
}

template <class Handoff>
task<> wait_first(shop<Handoff>& s, milestone& waits, const milestone& gone) {
  co_await s.m.lock();
  auto wait = s.changed.wait(s.m);
  co_await announced{wait, waits};
  co_await testing::until(gone);
  co_await s.m.unlock();
}

TYPED_TEST(ConditionModel, a_task_is_destroyed_in_line_while_another_one_is_notified) {
  explore_some(5'000, [] {
    milestone first_waits;
    milestone second_waits;
    milestone gone;
    thread_pool pool{small_pool()};
    shop<TypeParam> s;
    loose_task doomed{wait_never(s, second_waits)};
    thread other{[&] {
      first_waits.await();
      doomed.start_on(pool);
      second_waits.await_and_see();
      s.changed.notify_one_dispatch();
    }};
    thread destroying{[&] {
      second_waits.await_and_see();
      doomed.destroy();
      gone.reach();
    }};
    sync_wait(pool, wait_first(s, first_waits, gone));
    other.join();
    destroying.join();
    verify(s.m.try_lock(), "the mutex is not lost");
    s.m.unlock_dispatch();
  });
}

/// All waiters are notified and wait for the mutex; the second one is destroyed there.
TYPED_TEST(ConditionModel, a_task_is_destroyed_that_has_been_notified_and_waits) {
  explore_some(5'000, [] {
    milestone first_waits;
    milestone second_waits;
    milestone gone;
    thread_pool pool{small_pool()};
    shop<TypeParam> s;
    loose_task doomed{wait_never(s, second_waits)};
    thread other{[&] {
      first_waits.await();
      doomed.start_on(pool);
      second_waits.await_and_see();
      s.m.lock_blocking();
      s.changed.notify_all_dispatch();
      thread destroying{[&] {
        doomed.destroy();
        gone.reach();
      }};
      s.m.unlock_dispatch();
      destroying.join();
    }};
    sync_wait(pool, wait_first(s, first_waits, gone));
    other.join();
    verify(s.m.try_lock(), "the mutex is not lost");
    s.m.unlock_dispatch();
  });
}

template <class Handoff>
task<> wait_and_destroy(std::optional<shop<Handoff>>& s) {
  co_await s->m.lock();
  auto wait = s->changed.wait(s->m, [&s] { return s->items > 0; });
  co_await wait;
  co_await s->m.unlock();
  s.reset();
}

template <class Handoff>
task<> make_last(std::optional<shop<Handoff>>& s) {
  co_await s->m.lock();
  s->change(1);
  co_await s->changed.notify_one();
  co_await s->m.unlock();
}

TYPED_TEST(ConditionModel, a_task_that_was_notified_may_destroy_it_at_once) {
  explore_some(12'000, [] {
    thread_pool pool{small_pool()};
    std::optional<shop<TypeParam>> s{std::in_place};
    sync_wait(pool, when_all(wait_and_destroy(s), make_last(s)));
    verify(!s, "it is gone");
  });
}

template <class Handoff>
task<> wait_for_a_throw(shop<Handoff>& s, int& caught) {
  co_await s.m.lock();
  const auto throwing = [&s]() -> bool {
    if (s.items == 0) return false;
    throw std::runtime_error{"no"};
  };
  auto wait = s.changed.wait(s.m, throwing);
  try {
    co_await wait;
  } catch (const std::runtime_error&) {
    ++caught;
  }
  co_await s.m.unlock();
}

TYPED_TEST(ConditionModel, what_a_predicate_throws_goes_to_the_task_that_waits) {
  explore_some(10'000, [] {
    thread_pool pool{small_pool()};
    shop<TypeParam> s;
    int caught = 0;
    sync_wait(pool, when_all(wait_for_a_throw(s, caught), make(s), make(s)));
    verify(caught == 1, "it was thrown there");
    verify(s.m.try_lock(), "the mutex is not lost");
    s.m.unlock_dispatch();
  });
}

}  // namespace
}  // namespace hotseat
