// hotseat/tests/model/semaphore_model.cpp — permits are neither lost nor made up, whichever
// task leaves, and whenever.
#include <gtest/gtest.h>

#include <hotseat/explore/linearizable.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sched/block_on.hpp>
#include <hotseat/sync/detail/permit_state.hpp>
#include <hotseat/sync/semaphore.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/when_all.hpp>

#include <support/explored.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <utility>

namespace hotseat {
namespace {

using namespace std::chrono_literals;
using detail::permit_state;
using detail::permit_waiter;
using platform::thread;
using testing::announced;
using testing::endings;
using testing::explore_all;
using testing::explore_some;
using testing::guarded_count;
using testing::let_in;
using testing::loose_task;
using testing::milestone;
using testing::small_pool;
using testing::until;

using place = testing::spinning<permit_waiter>;

void acquire(permit_state& state, std::uint64_t wanted) noexcept {
  place self;
  self.wants = wanted;
  if (!state.acquire_or_enqueue(self)) self.await_turn();
}

/// Returns whether it has the permits.
bool acquire_or_leave(permit_state& state, std::uint64_t wanted) noexcept {
  place self;
  self.wants = wanted;
  if (state.acquire_or_enqueue(self)) return true;
  waiter_queue heirs;
  const bool has_left = state.leave(self, heirs);
  let_in<permit_waiter>(heirs);
  if (has_left) return false;
  self.await_turn();
  return true;
}

void release(permit_state& state, std::uint64_t permits) noexcept {
  let_in<permit_waiter>(state.release(permits));
}

TEST(PermitStateModel, one_permit_is_for_one_at_a_time) {
  explore_all(4, [] {
    permit_state state{1};
    guarded_count count;
    const auto enter = [&] {
      acquire(state, 1);
      count.increment();
      release(state, 1);
    };
    thread a{enter};
    thread b{enter};
    if (state.try_acquire(1)) {
      count.increment();
      release(state, 1);
    }
    a.join();
    b.join();
    verify(count.value() >= 2, "both were inside");
    verify(state.available() == 1 && !state.is_waited(), "the permit is back");
  });
}

TEST(PermitStateModel, P1_permits_add_up) {
  explore_all(4, [] {
    permit_state state{2};
    const auto use = [&](std::uint64_t permits) {
      acquire(state, permits);
      release(state, permits);
    };
    thread a{[&] { use(2); }};
    thread b{[&] { use(1); }};
    use(2);
    a.join();
    b.join();
    verify(state.available() == 2 && !state.is_waited(), "all permits are back");
  });
}

TEST(PermitStateModel, P3_small_requests_do_not_overtake_a_large_one) {
  explore_all(4, [] {
    permit_state state{1};
    milestone waits;
    platform::var<bool> was_served = false;
    thread large{[&] {
      place self;
      self.wants = 2;
      const bool has_permits = state.acquire_or_enqueue(self);
      waits.reach();
      if (!has_permits) self.await_turn();
      was_served = true;
      release(state, 2);
    }};
    thread small{[&] {
      waits.await();
      acquire(state, 1);
      verify(was_served, "the large request came first");
      release(state, 1);
    }};
    release(state, 1);
    large.join();
    small.join();
    verify(state.available() == 2, "all permits are back");
  });
}

TEST(PermitStateModel, a_large_request_that_leaves_lets_small_ones_in) {
  bool has_left = false;
  bool was_served = false;
  explore_all(4, [&] {
    permit_state state{1};
    thread large{[&] {
      const bool has_permits = acquire_or_leave(state, 2);
      (has_permits ? was_served : has_left) = true;
      if (has_permits) release(state, 2);
    }};
    thread small{[&] {
      acquire(state, 1);
      release(state, 1);
    }};
    release(state, 1);
    large.join();
    small.join();
    verify(state.available() == 2 && !state.is_waited(), "all permits are back");
  });
  EXPECT_TRUE(has_left && was_served);
}

TEST(PermitStateModel, two_may_leave_at_once) {
  explore_all(4, [] {
    permit_state state{0};
    guarded_count count;
    const auto try_it = [&] {
      if (!acquire_or_leave(state, 1)) return;
      count.increment();
      release(state, 1);
    };
    thread a{try_it};
    thread b{try_it};
    release(state, 1);
    a.join();
    b.join();
    verify(state.available() == 1 && !state.is_waited(), "the permit is back");
  });
}

TEST(PermitStateModel, what_is_replaced_lets_one_in) {
  explore_all(4, [] {
    permit_state state{0};
    platform::var<int> written = 0;
    thread waiting{[&] {
      acquire(state, 1);
      verify(written == 1, "it sees what came before");
    }};
    written = 1;
    let_in<permit_waiter>(state.replace(1));
    waiting.join();
    verify(state.available() == 0 && !state.is_waited(), "the signal was taken");
  });
}

// --- Among tasks of a pool.

template <class Handoff>
class SemaphoreModel : public ::testing::Test {};
TYPED_TEST_SUITE(SemaphoreModel, testing::handoffs, testing::handoff_names);

template <class Semaphore>
task<> enter(Semaphore& s, guarded_count& count, int times = 1) {
  for (int i = 0; i < times; ++i) {
    co_await s.acquire();
    count.increment();
    co_await s.release();
  }
}

TYPED_TEST(SemaphoreModel, one_permit_is_for_one_at_a_time) {
  explore_some(20'000, [] {
    thread_pool pool{small_pool()};
    basic_semaphore<TypeParam> s{1};
    guarded_count count;
    sync_wait(pool, when_all(enter(s, count, 2), enter(s, count), enter(s, count)));
    verify(count.value() == 4, "each was inside as often as it wanted");
    verify(s.available() == 1, "the permit is back");
  });
}

/// Never more tasks inside than there are permits.
template <class Semaphore>
task<> take(Semaphore& s, std::uint64_t permits, std::uint64_t& taken) {
  co_await s.acquire(permits);
  taken += permits;
  verify(taken <= 3, "no more than there are");
  co_await reschedule();
  taken -= permits;
  co_await s.release(permits);
}

TYPED_TEST(SemaphoreModel, several_are_let_in_at_once) {
  explore_some(12'000, [] {
    thread_pool pool{small_pool()};
    basic_semaphore<TypeParam> s{3};
    std::uint64_t taken = 0;
    sync_wait(pool, when_all(take(s, 3, taken), take(s, 1, taken), take(s, 2, taken),
                             take(s, 1, taken)));
    verify(s.available() == 3, "all permits are back");
  });
}

template <class Semaphore>
task<> enter_in_time(Semaphore& s, std::uint64_t permits, endings& seen) {
  auto operation = s.try_acquire_for(60us, permits);
  const bool has_permits = co_await operation;
  seen.note(has_permits);
  if (has_permits) co_await s.release(permits);
}

template <class Semaphore>
task<> enter_and_stay(Semaphore& s, std::uint64_t permits) {
  co_await s.acquire(permits);
  co_await reschedule();
  co_await s.release(permits);
}

TYPED_TEST(SemaphoreModel, a_task_that_is_too_late_has_no_permits_and_holds_none_up) {
  endings seen;
  explore_some(12'000, [&] {
    thread_pool pool{small_pool()};
    basic_semaphore<TypeParam> s{2};
    sync_wait(pool, when_all(enter_and_stay(s, 1), enter_in_time(s, 2, seen),
                             enter_and_stay(s, 1)));
    verify(s.available() == 2, "all permits are back");
  });
  EXPECT_TRUE(seen.granted && seen.left);
}

template <class Semaphore>
task<> enter_until_told(Semaphore& s, std::uint64_t permits, std::stop_token stop,
                        endings& seen) {
  auto operation = s.acquire(permits, std::move(stop));
  const bool has_permits = co_await operation;
  seen.note(has_permits);
  if (has_permits) co_await s.release(permits);
}

TYPED_TEST(SemaphoreModel, a_task_that_is_told_to_stop_has_no_permits_and_holds_none_up) {
  endings seen;
  explore_some(12'000, [&] {
    thread_pool pool{small_pool()};
    basic_semaphore<TypeParam> s{2};
    std::stop_source source;
    thread stopping{[&] { source.request_stop(); }};
    sync_wait(pool, when_all(enter_and_stay(s, 1),
                             enter_until_told(s, 2, source.get_token(), seen),
                             enter_and_stay(s, 1)));
    stopping.join();
    verify(s.available() == 2, "all permits are back");
  });
  EXPECT_TRUE(seen.granted && seen.left);
}

template <class Semaphore>
task<> acquire_never(Semaphore& s, milestone& waits) {
  auto operation = s.acquire(2);
  co_await announced{operation, waits};
  verify(false, "it is destroyed before its turn comes");
}

template <class Semaphore>
task<> enter_after(Semaphore& s, const milestone& point, guarded_count& count) {
  co_await until(point);
  co_await enter(s, count);
}

TYPED_TEST(SemaphoreModel, a_task_is_destroyed_in_line_and_those_behind_it_go_on) {
  explore_some(6'000, [] {
    milestone waits;
    thread_pool pool{small_pool()};
    basic_semaphore<TypeParam> s{0};
    guarded_count count;
    loose_task doomed{acquire_never(s, waits)};
    doomed.start_on(pool);
    thread releasing{[&] {
      waits.await();
      s.release_dispatch(1);  // Not enough for the task that is destroyed.
    }};
    thread destroying{[&] {
      waits.await_and_see();
      doomed.destroy();
    }};
    sync_wait(pool, enter_after(s, waits, count));
    releasing.join();
    destroying.join();
    verify(s.available() == 1, "the permit is back");
  });
}

TYPED_TEST(SemaphoreModel, plain_threads_are_like_tasks) {
  explore_some(10'000, [] {
    thread_pool pool{small_pool()};
    basic_semaphore<TypeParam> s{1};
    guarded_count count;
    thread plain{[&] {
      s.acquire_blocking();
      count.increment();
      s.release_dispatch();
      if (!block_on(s.try_acquire_for(30us))) return;
      count.increment();
      s.release_dispatch();
    }};
    sync_wait(pool, when_all(enter(s, count), enter(s, count)));
    plain.join();
    verify(count.value() >= 3 && s.available() == 1, "the permit is back");
  });
}

template <class Semaphore>
task<> wait_and_destroy(std::optional<Semaphore>& s) {
  co_await s->acquire();
  s.reset();
}
template <class Semaphore>
task<> release_once(std::optional<Semaphore>& s) {
  co_await s->release();
}

TYPED_TEST(SemaphoreModel, a_task_that_was_let_in_may_destroy_it_at_once) {
  explore_some(15'000, [] {
    thread_pool pool{small_pool()};
    std::optional<basic_semaphore<TypeParam>> s{std::in_place, 0U};
    sync_wait(pool, when_all(wait_and_destroy(s), release_once(s)));
    verify(!s, "it is gone");
  });
}

/// The model of a semaphore.
struct permits {
  int free = 0;
  bool acquire(int n) {
    if (free < n) return false;
    free -= n;
    return true;
  }
  void release(int n) { free += n; }
  bool operator==(const permits&) const = default;
};

auto acquiring(int n) {
  return [n](permits& p) { return p.acquire(n); };
}
auto waiting(int n) {
  return [n](permits& p, bool has_permits) { return !has_permits || p.acquire(n); };
}
auto releasing(int n) {
  return [n](permits& p) { p.release(n); };
}

template <class Semaphore>
task<> take_noted(Semaphore& s, int n, history<permits>& calls) {
  auto acquire = calls.begin("acquire", acquiring(n));
  co_await s.acquire(static_cast<std::uint64_t>(n));
  acquire.end();
  auto release = calls.begin("release", releasing(n));
  co_await s.release(static_cast<std::uint64_t>(n));
  release.end();
}

template <class Semaphore>
task<> try_noted(Semaphore& s, history<permits>& calls) {
  if (calls.call("try_acquire", [&] { return s.try_acquire(1); }, waiting(1))) {
    auto release = calls.begin("release", releasing(1));
    co_await s.release(1);
    release.end();
  }
  auto acquire = calls.begin("try_acquire_for 2", waiting(2));
  auto operation = s.try_acquire_for(40us, 2);
  const bool has_permits = co_await operation;
  acquire.end(has_permits);
  if (!has_permits) co_return;
  auto release = calls.begin("release 2", releasing(2));
  co_await s.release(2);
  release.end();
}

TYPED_TEST(SemaphoreModel, its_histories_are_linearizable) {
  explore_some(10'000, [] {
    thread_pool pool{small_pool()};
    basic_semaphore<TypeParam> s{2};
    history<permits> calls{permits{2}};
    sync_wait(pool, when_all(take_noted(s, 2, calls), take_noted(s, 1, calls),
                             try_noted(s, calls), take_noted(s, 1, calls)));
    calls.verify_linearizable();
  });
}

}  // namespace
}  // namespace hotseat
