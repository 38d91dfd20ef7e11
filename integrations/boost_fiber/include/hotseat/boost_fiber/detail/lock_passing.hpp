// hotseat/boost_fiber/detail/lock_passing.hpp — which waiter gets a lock next, and how.
// Part of lock_core.hpp, which includes it.
#pragma once

#include <hotseat/boost_fiber/detail/boost.hpp>
#include <hotseat/boost_fiber/detail/hand_over.hpp>
#include <hotseat/boost_fiber/detail/this_thread.hpp>
#include <hotseat/boost_fiber/detail/waiter.hpp>

#include <cstdint>

namespace hotseat::boost_fiber::detail {

/// Decides who is next, and how.  The lock changes hands here, or becomes free.
inline lock_core::decision lock_core::pass_on(const here& at, bool may_exchange) noexcept {
  take_guard();
  if (waiter* const heir = arrived_) {
    arrived_ = nullptr;
    chain_ = 0;
    leave_guard(word_of(*heir->fiber) | rest_of_line());
    heir->result.store(waiter::outcome::granted, std::memory_order_release);  // G
    return {nullptr, false};
  }
  const decision what = choose(at, may_exchange);
  if (what.is_exchange) {
    what.heir->result.store(waiter::outcome::granted, std::memory_order_relaxed);
    leave_guard(word_of(*what.heir->fiber) | rest_of_line());
  } else {
    leave_guard(rest_of_line());  // Also R.
  }
  return what;
}

/// Tells a waiter, which is out of the line, that it may try.  Returns false if its time is
/// over: then it looks for itself in the line, and finds that it has left.
inline bool lock_core::make_offer(waiter& one) noexcept {
  if (one.claim != nullptr && !one.claim->claim(*one.fiber)) return false;
  one.result.store(waiter::outcome::offered, std::memory_order_relaxed);
  is_offered_ = true;
  return true;
}

/// Gives the next cohort its turn.  Returns a waiter that was told to come from elsewhere.
inline waiter* lock_core::invite(const here& at) noexcept {
  if (waiter* const first = line_.first()) line_.move_back(*first);
  waiter* far = is_offered_ ? nullptr : line_.first();
  while (far != nullptr && at.suits(*far)) far = far->next_cohort;
  if (far == nullptr) return nullptr;
  line_.pop(*far);
  return make_offer(*far) ? far : nullptr;
}

/// Takes the heir out of the line.
///
/// An heir that can go on here is best.  If there is none, or the chain has reached its
/// limit, the lock becomes free: a fiber of another thread runs only when that thread gets
/// to it, and until then the first fiber to come should have the lock.  One such fiber is
/// told to come, also if exchanges here go on for long.
inline lock_core::decision lock_core::choose(const here& at, bool may_exchange) noexcept {
  while (may_exchange) {
    waiter* near = line_.first();
    while (near != nullptr && !at.suits(*near)) near = near->next_cohort;
    if (near == nullptr || chain_ == chain_limit) break;
    line_.pop(*near);
    if (near->claim != nullptr && !near->claim->claim(*near->fiber)) continue;
    if (near->next != nullptr) prefetch(*near->next);
    decision what{near, true};
    chain_ = chain_ + 1;
    what.is_for_thieves = chain_ % thief_interval == 0;
    if (chain_ % turn_limit == 0) what.guest = invite(at);
    return what;
  }
  chain_ = 0;
  while (waiter* const first = is_offered_ ? nullptr : line_.first()) {
    line_.pop(*first);
    if (make_offer(*first)) return {first, false};
  }
  return {nullptr, false};
}

[[gnu::noinline]] inline void lock_core::release_slow(
    context& self, std::uint32_t sections_left) noexcept {
  const here at{self};
  const decision what = pass_on(at, sections_left == 0 && !has_exceptions());
  if (what.heir == nullptr) return;
  // From here on the lock may be destroyed: by the heir, or by a fiber that is faster.
  if (!what.is_exchange) return dispatch(at, *what.heir);
  if (what.guest != nullptr) dispatch(at, *what.guest);
  if (what.is_for_thieves) let_thieves_in(at);
  exchange(at, *what.heir);
}

inline void lock_core::release_and_park(waiter& one) noexcept {
  context& self = *one.fiber;
  const std::uint32_t sections = this_seat().leave(self);
  const here at{self};
  const decision what = pass_on(at, true);
  // We were notified meanwhile, and no waiter was ahead of us.
  if (what.heir == &one) return;
  if (what.guest != nullptr) dispatch(at, *what.guest);
  if (what.is_exchange) {
    context& successor = *what.heir->fiber;
    bring(at, *what.heir);
    park(one, &successor);
  } else {
    if (what.heir != nullptr) dispatch(at, *what.heir);
    park(one);
  }
  this_seat().sit(self, sections);
}

inline void lock_core::release_and_park_until(waiter& one, timed_claim& claim,
                                              time_point due) noexcept {
  context& self = *one.fiber;
  const std::uint32_t sections = this_seat().leave(self);
  const here at{self};
  const decision what = pass_on(at, false);
  if (what.heir != nullptr && what.heir != &one) dispatch(at, *what.heir);
  if (what.heir != &one) park_until(one, claim, due);
  this_seat().sit(self, sections);
}

inline bool lock_core::admit(waiter& one) noexcept {
  const word seen = take_guard();
  const bool may_try = owner_of(seen) == 0 && !is_offered_;
  if (may_try) {
    is_offered_ = true;
    one.result.store(waiter::outcome::offered, std::memory_order_relaxed);
  } else {
    line_.push_back(one);
  }
  leave_guard(may_try ? seen : seen | contended);
  return may_try;
}

}  // namespace hotseat::boost_fiber::detail
