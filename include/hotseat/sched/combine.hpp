// hotseat/sched/combine.hpp — runs the sections of delegated waiters, one after the other,
// on the worker that has the lock.  Layer: sched.  Read next: sync/section_operation.hpp.
#pragma once

#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/sched/current.hpp>
#include <hotseat/sched/exchange.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/sched/handoff.hpp>
#include <hotseat/trace/trace.hpp>

namespace hotseat::detail {

// `Heirs` is what a lock's state returns on release: a line_waiter*, perhaps null, or a
// waiter_queue, perhaps empty.  `Lock` has release(), which returns the next heirs.

[[nodiscard]] inline bool is_nobody(const line_waiter* heir) noexcept {
  return heir == nullptr;
}
[[nodiscard]] inline bool is_nobody(const waiter_queue& heirs) noexcept {
  return heirs.empty();
}

/// The next heir if it is delegated, else null.
inline line_waiter* delegate_in(line_waiter* heir) noexcept {
  return heir != nullptr && heir->is_delegated() ? heir : nullptr;
}

/// A delegated waiter needs the lock for itself, so it is never one of several heirs.
inline line_waiter* delegate_in(const waiter_queue& heirs) noexcept {
  return heirs.empty() ? nullptr : delegate_in(static_cast<line_waiter*>(heirs.front()));
}

/// Runs one heir on this worker, whose task is suspended, and dispatches the others.
inline void run_in_slot(waiter& heir) noexcept {
  thread_state& here = current();
  if (!lives_here(here, heir) || !may_lengthen_chain(here)) return dispatch_task(heir);
  ++here.chain;
  here.run_next = heir.task;
}
inline void run_in_slot(line_waiter* heir) noexcept {
  if (heir != nullptr && heir->settle(outcome::granted)) run_in_slot(*heir);
}
inline void run_in_slot(waiter_queue heirs) noexcept {
  settle_all(heirs);
  if (heirs.empty()) return;
  waiter& first = heirs.pop_front();
  dispatch_all(heirs);
  run_in_slot(first);
}

/// Hands over by the policy.  REQUIRES: there is an heir.
template <class Handoff, class... Self>
auto hand_over(line_waiter* heir, Self&... self) noexcept {
  return Handoff::hand_over(self..., *heir);
}
template <class Handoff, class... Self>
auto hand_over(waiter_queue heirs, Self&... self) noexcept {
  return Handoff::hand_over_all(self..., heirs);
}

/// Runs the sections of all delegated waiters, from the first of `heirs` on, and releases
/// the lock after each.  Returns the first heirs that must run their own section: ordinary
/// ones, delegated ones of another executor, or the next one when the chain has reached its
/// limit.  Tasks whose section has ended are scheduled as in an exchange.
///
///     worker   ··· self │ f₁ f₂ f₃ ··· │ heir ···    no task is resumed for f₁ f₂ f₃
///
/// A policy that does not combine only calls on_turn where must_be_asked is set.
/// REQUIRES: `heirs` own the lock.
template <class Handoff, class Heirs, class Lock>
[[nodiscard]] Heirs combine(Heirs heirs, Lock lock) noexcept {
  thread_state& here = current();
  ++here.locks_held;  // No exchange inside a section.
  const auto runs_here = [&here](const line_waiter& who) {
    return Handoff::combines && lives_here(here, who) && may_lengthen_chain(here);
  };
  while (line_waiter* const who = delegate_in(heirs)) {
    const bool is_ours = runs_here(*who);
    if (!is_ours && !who->special->must_be_asked) break;
    const turn end = who->special->on_turn(*who);
    if (end == turn::owns) break;
    if (is_ours) ++here.chain;
    heirs = lock.release();
    if (end == turn::moved) continue;
    // Not before the release: once it runs, the task may destroy the lock.
    if (!who->settle(outcome::granted)) continue;
    if (!is_ours) {
      dispatch_task(*who);
      continue;
    }
    // One that must be asked may go on by itself, and for long.
    const line_waiter* const next = delegate_in(heirs);
    here.worker->schedule_left(
        *who, next != nullptr && runs_here(*next) && !next->special->must_be_asked);
  }
  --here.locks_held;
  return heirs;
}

/// Hands over from `self`, which is suspended; returns whether it stays suspended.  If
/// sections have been delegated to us, `self` is scheduled first, since this worker will be
/// busy with the sections of others.  REQUIRES: there is an heir.
template <class Handoff, class Heirs, class Lock>
[[nodiscard]] bool exchange_or_combine(waiter& self, Heirs heirs, Lock lock) noexcept {
  const line_waiter* const delegate = delegate_in(heirs);
  if (delegate == nullptr) [[likely]] {
    return hand_over<Handoff>(heirs, self);
  }
  thread_state& here = current();
  if (!may_exchange(here, *delegate) || !may_lengthen_chain(here)) {
    heirs = combine<Handoff>(heirs, lock);
    return !is_nobody(heirs) && hand_over<Handoff>(heirs, self);
  }
  trace::note(trace::kind::combining);
  here.here->schedule(self);  // The caller may be gone.
  run_in_slot(combine<Handoff>(heirs, lock));
  return true;
}

/// Passes the lock on without suspending: combines as far as `Handoff` does, and hands over
/// to the remaining heirs as `To` does.
template <class Handoff, class To = handoff::dispatch, class Heirs, class Lock>
void pass_on(Heirs heirs, Lock lock) noexcept {
  heirs = combine<Handoff>(heirs, lock);
  if (!is_nobody(heirs)) hand_over<To>(heirs);
}

}  // namespace hotseat::detail
