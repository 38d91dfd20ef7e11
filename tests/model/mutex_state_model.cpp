// hotseat/tests/model/mutex_state_model.cpp — the two states of a mutex, driven by threads
// under all schedules with a few preemptions.
#include <gtest/gtest.h>

#include <hotseat/core/line_waiter.hpp>
#include <hotseat/explore/linearizable.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sync/detail/lock_free_state.hpp>
#include <hotseat/sync/detail/spin_locked_state.hpp>

#include <support/explored.hpp>

#include <array>
#include <string>
#include <utility>

namespace hotseat {
namespace {

using platform::thread;
using testing::explore_all;
using testing::explore_some;
using testing::guarded_count;
using testing::milestone;

/// A thread in line.
using place = testing::spinning<line_waiter>;

template <class State>
void release(State& state) noexcept {
  if (line_waiter* const heir = state.release()) {
    static_cast<place*>(heir)->let_in();
  }
}

template <class State>
void lock(State& state) noexcept {
  place self;
  if (!state.acquire_or_enqueue(self)) self.await_turn();
}

/// Locks, or leaves the line if it can.  Returns whether it is the owner.
template <class State>
bool lock_or_leave(State& state) noexcept {
  place self;
  if (state.acquire_or_enqueue(self)) return true;
  if (state.leave(self)) return false;
  self.await_turn();
  return true;
}

template <class State>
class MutexStateModel : public ::testing::Test {};

class state_names {
 public:
  template <class State>
  static std::string GetName(int) {
    return std::is_same_v<State, detail::lock_free_state> ? "lock_free" : "spin_locked";
  }
};
using states = ::testing::Types<detail::lock_free_state, detail::spin_locked_state>;
TYPED_TEST_SUITE(MutexStateModel, states, state_names);

TYPED_TEST(MutexStateModel, three_threads_own_it_one_at_a_time) {
  explore_all(4, [] {
    TypeParam state;
    guarded_count count;
    const auto enter = [&] {
      lock(state);
      count.increment();
      release(state);
    };
    thread a{enter};
    thread b{enter};
    enter();
    a.join();
    b.join();
    verify(count.value() == 3, "each was inside once");
    verify(state.is_free(), "none owns it");
  });
}

TYPED_TEST(MutexStateModel, two_threads_own_it_again_and_again) {
  explore_all(5, [] {
    TypeParam state;
    guarded_count count;
    const auto enter = [&] {
      for (int i = 0; i < 2; ++i) {
        lock(state);
        count.increment();
        release(state);
      }
    };
    thread other{enter};
    enter();
    other.join();
    verify(count.value() == 4, "each was inside twice");
    verify(state.is_free(), "none owns it");
  });
}

TYPED_TEST(MutexStateModel, the_first_to_arrive_owns_it_first) {
  explore_all(4, [] {
    TypeParam state;
    milestone first_waits;
    platform::var<int> served = 0;
    verify(state.try_acquire(), "it is free");
    thread first{[&] {
      place self;
      const bool is_owner = state.acquire_or_enqueue(self);
      first_waits.reach();
      if (!is_owner) self.await_turn();
      verify(served == 0, "none came before the first");
      served = 1;
      release(state);
    }};
    thread second{[&] {
      first_waits.await();
      lock(state);
      verify(served == 1, "the second comes after the first");
      served = 2;
      release(state);
    }};
    release(state);
    first.join();
    second.join();
    verify(served == 2, "both were inside");
  });
}

TYPED_TEST(MutexStateModel, no_thread_overtakes_a_waiter) {
  explore_all(5, [] {
    TypeParam state;
    milestone waits;
    platform::var<bool> was_served = false;
    verify(state.try_acquire(), "it is free");
    thread waiter{[&] {
      place self;
      const bool is_owner = state.acquire_or_enqueue(self);
      waits.reach();
      if (!is_owner) self.await_turn();
      was_served = true;
      release(state);
    }};
    thread intruder{[&] {
      waits.await();
      if (!state.try_acquire()) return;
      verify(was_served, "only after the one that waited");
      release(state);
    }};
    release(state);
    waiter.join();
    intruder.join();
    verify(state.is_free(), "none owns it");
  });
}

TYPED_TEST(MutexStateModel, one_that_leaves_is_out_of_the_line_or_the_owner) {
  for (const bool has_membarrier : {true, false}) {
    bool has_left = false;
    bool was_granted = false;
    explore_all(7,
                [&] {
                  TypeParam state;
                  guarded_count count;
                  verify(state.try_acquire(), "it is free");
                  thread other{[&] {
                    const bool is_owner = lock_or_leave(state);
                    (is_owner ? was_granted : has_left) = true;
                    if (!is_owner) return;
                    count.increment();
                    release(state);
                  }};
                  count.increment();
                  release(state);
                  other.join();
                  verify(state.is_free(), "ownership is not lost");
                },
                {.has_membarrier = has_membarrier});
    EXPECT_TRUE(has_left);
    EXPECT_TRUE(was_granted);
  }
}

TYPED_TEST(MutexStateModel, one_that_leaves_from_the_middle_takes_no_other_along) {
  for (const bool has_membarrier : {true, false}) {
    explore_all(4,
                [] {
                  TypeParam state;
                  guarded_count count;
                  verify(state.try_acquire(), "it is free");
                  thread leaver{[&] {
                    if (!lock_or_leave(state)) return;
                    count.increment();
                    release(state);
                  }};
                  thread stayer{[&] {
                    lock(state);
                    count.increment();
                    release(state);
                  }};
                  release(state);
                  leaver.join();
                  stayer.join();
                  verify(count.value() >= 1, "who stayed was inside");
                  verify(state.is_free(), "ownership is not lost");
                },
                {.has_membarrier = has_membarrier});
  }
}

TYPED_TEST(MutexStateModel, two_may_leave_at_once) {
  for (const bool has_membarrier : {true, false}) {
    explore_all(4,
                [] {
                  TypeParam state;
                  guarded_count count;
                  verify(state.try_acquire(), "it is free");
                  const auto try_it = [&] {
                    if (!lock_or_leave(state)) return;
                    count.increment();
                    release(state);
                  };
                  thread a{try_it};
                  thread b{try_it};
                  release(state);
                  a.join();
                  b.join();
                  verify(state.is_free(), "ownership is not lost");
                },
                {.has_membarrier = has_membarrier});
  }
}

/// Of the waiters in line, the one in the middle leaves while the lock is passed on.
TYPED_TEST(MutexStateModel, the_order_of_the_others_stays_when_one_leaves) {
  explore_some(60'000, [] {
    TypeParam state;
    std::array<milestone, 3> arrived;
    std::string order;
    verify(state.try_acquire(), "it is free");
    const auto wait_in_line = [&](std::size_t number, bool leaves) {
      if (number > 0) arrived[number - 1].await();
      place self;
      const bool is_owner = state.acquire_or_enqueue(self);
      arrived[number].reach();
      if (!is_owner) {
        if (leaves && state.leave(self)) return;
        self.await_turn();
      }
      order += static_cast<char>('a' + number);
      release(state);
    };
    thread a{[&] { wait_in_line(0, false); }};
    thread b{[&] { wait_in_line(1, true); }};
    thread c{[&] { wait_in_line(2, false); }};
    release(state);
    a.join();
    b.join();
    c.join();
    verify(order == "abc" || order == "ac", "in order of arrival");
    verify(state.is_free(), "ownership is not lost");
  });
}

/// The model of a lock.
struct owner {
  bool is_owned = false;
  bool lock() { return !std::exchange(is_owned, true); }
  bool try_lock(bool is_owner) { return is_owner ? lock() : is_owned; }
  void unlock() { is_owned = false; }
  bool operator==(const owner&) const = default;
};

TYPED_TEST(MutexStateModel, its_histories_are_linearizable) {
  explore_some(100'000, [] {
    TypeParam state;
    // A try_lock may fail on an old value.
    history<owner> calls{owner{}, call_order::happens_before};
    const auto locking = [](owner& o) { return o.lock(); };
    const auto trying = [](owner& o, bool is_owner) { return o.try_lock(is_owner); };
    const auto leaving = [](owner& o, bool is_owner) { return !is_owner || o.lock(); };
    const auto unlocking = [](owner& o) { o.unlock(); };
    const auto unlock = [&] { calls.call("unlock", [&] { release(state); }, unlocking); };
    thread a{[&] {
      for (int i = 0; i < 2; ++i) {
        calls.call("lock", [&] { lock(state); }, locking);
        unlock();
      }
    }};
    thread b{[&] {
      for (int i = 0; i < 2; ++i) {
        if (calls.call("lock or leave", [&] { return lock_or_leave(state); }, leaving)) {
          unlock();
        }
      }
    }};
    for (int i = 0; i < 2; ++i) {
      if (calls.call("try_lock", [&] { return state.try_acquire(); }, trying)) unlock();
    }
    a.join();
    b.join();
    calls.verify_linearizable();
  });
}

}  // namespace
}  // namespace hotseat
