// hotseat/boost_fiber/detail/lock_waiting.hpp — how a fiber waits for a lock.
// Part of lock_core.hpp, which includes it.
#pragma once

#include <hotseat/boost_fiber/detail/boost.hpp>
#include <hotseat/boost_fiber/detail/hand_over.hpp>
#include <hotseat/boost_fiber/detail/this_thread.hpp>
#include <hotseat/boost_fiber/detail/waiter.hpp>

#include <cstdint>

namespace hotseat::boost_fiber::detail {

/// While no fiber waits, a section will soon end.  If it does not, its owner was preempted,
/// and needs a CPU more than our other fibers do: they would only come here too.  Returns
/// whether the fiber owns the lock.
[[gnu::noinline]] inline bool lock_core::acquire_spinning(context& self) noexcept {
  for (spin_wait wait; !wait.has_yielded(yields_before_joining); wait()) {
    const word seen = word_.load(std::memory_order_relaxed);
    if ((seen & contended) != 0) return false;
    if (seen == free && try_acquire(self)) return true;
  }
  return false;
}

[[gnu::noinline]] inline void lock_core::acquire_slow(context& self) noexcept {
  if (acquire_spinning(self)) return;
  waiter one{self};
  wait_for_turn(one);
}

inline lock_core::word lock_core::take_guard() noexcept {
  for (spin_wait wait;; wait()) {
    word seen = word_.load(std::memory_order_relaxed);
    if ((seen & guarded) == 0 &&
        word_.compare_exchange_weak(seen, seen | guarded, std::memory_order_acquire,  // E
                                    std::memory_order_relaxed)) {
      return seen;
    }
  }
}

/// Takes the lock, or joins the line.
inline lock_core::entry lock_core::join(waiter& one) noexcept {
  const word seen = take_guard();
  const bool was_offered =
      one.result.load(std::memory_order_relaxed) == waiter::outcome::offered;
  if (was_offered) is_offered_ = false;
  if (owner_of(seen) == 0) {
    leave_guard(word_of(*one.fiber) | seen);
    return entry::owns;
  }
  one.result.store(waiter::outcome::none, std::memory_order_relaxed);
  entry how = entry::waits;
  if (!was_offered) {
    line_.push_back(one);
  } else if (arrived_ != nullptr) {
    line_.push_front(one);
  } else {
    arrived_ = &one;
    how = entry::has_arrived;
  }
  leave_guard(seen | contended);
  return how;
}

/// A waiter that was told to come, and found an owner, has a thread at hand: it gets the
/// lock at the end of this section.  Returns whether it did; if not, it is first in line.
inline bool lock_core::await_arrived(waiter& one) noexcept {
  for (spin_wait wait;; wait()) {
    if (one.result.load(std::memory_order_acquire) == waiter::outcome::granted) {  // H
      return true;
    }
    if (!wait.has_yielded(yields_after_offer)) continue;
    const word seen = take_guard();
    const bool is_leaving = arrived_ == &one;
    if (is_leaving) {
      arrived_ = nullptr;
      line_.push_front(one);
    }
    leave_guard(seen);
    if (is_leaving) return false;
    // It is granted any moment.  Do not return before that: the result is written to `one`.
  }
}

/// Returns whether `one` owns the lock; if not, it is in the line.
inline bool lock_core::enter(waiter& one) noexcept {
  const entry how = join(one);
  return how == entry::owns || (how == entry::has_arrived && await_arrived(one));
}

[[gnu::noinline]] inline void lock_core::wait_for_turn(waiter& one) noexcept {
  context& self = *one.fiber;
  const std::uint32_t sections = this_seat().owned_by(self);
  for (;;) {
    settle(one, false);  // Each time: it may have woken on another thread.
    if (enter(one)) break;
    park(one);
    if (one.result.load(std::memory_order_relaxed) == waiter::outcome::granted) break;
  }
  this_seat().sit(self, sections + 1);
}

[[gnu::noinline]] inline bool lock_core::acquire_until(context& self,
                                                       time_point due) noexcept {
  if (try_acquire(self)) return true;
  const std::uint32_t sections = this_seat().owned_by(self);
  waiter one{self};
  timed_claim claim;
  one.claim = &claim;
  for (;;) {
    settle(one, true);  // Each time: it may have woken on another thread.
    claim.arm(self);
    if (enter(one)) break;
    park_until(one, claim, due);
    const word seen = take_guard();
    const waiter::outcome result = one.result.load(std::memory_order_relaxed);
    if (result == waiter::outcome::none) line_.remove(one);
    leave_guard(seen);
    if (result == waiter::outcome::none) return false;
    if (result == waiter::outcome::granted) break;
  }
  claim.disarm(self);
  this_seat().sit(self, sections + 1);
  return true;
}

}  // namespace hotseat::boost_fiber::detail
