// hotseat/sched/combine.hpp — runs the sections of delegated waiters, one after the
// other, on the worker that has the lock.  Layer: sched.  Read next:
// sync/section_operation.hpp.
#pragma once

#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/waiter_queue.hpp>
#include <hotseat/sched/dispatch.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/sched/handoff.hpp>
#include <hotseat/sched/this_thread.hpp>
#include <hotseat/trace/trace.hpp>

#include <cstddef>

namespace hotseat::detail {

// `Heirs` are a line_waiter*, perhaps null, or a waiter_queue, perhaps empty: what the
// state of a lock gives when it is released.

[[nodiscard]] inline bool is_nobody(const line_waiter* heir) noexcept {
  return heir == nullptr;
}
[[nodiscard]] inline bool is_nobody(const waiter_queue& heirs) noexcept {
  return heirs.empty();
}

/// The delegated waiter whose turn it is, if it is one's.
inline line_waiter* delegate_in(line_waiter* heir) noexcept {
  return heir != nullptr && heir->is_delegated() ? heir : nullptr;
}

/// Of several heirs, a delegated one is always alone: it wants the lock for itself.
inline line_waiter* delegate_in(const waiter_queue& heirs) noexcept {
  return heirs.empty() ? nullptr : delegate_in(static_cast<line_waiter*>(heirs.front()));
}

/// Makes heirs run on a worker that has nothing else to do, its task being suspended: one
/// here, the others are dispatched.
inline void run_in_slot(waiter& heir) noexcept {
  thread_state& here = this_thread();
  if (heir.home == here.here && here.here != nullptr && here.chain != here.chain_end) {
    ++here.chain;
    here.run_next = heir.task;
  } else {
    dispatch_task(heir);
  }
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

/// Hands over as the policy does.  REQUIRES: there is an heir.
template <class Handoff, class... Self>
auto hand_over(line_waiter* heir, Self&... self) noexcept {
  return Handoff::hand_over(self..., *heir);
}
template <class Handoff, class... Self>
auto hand_over(waiter_queue heirs, Self&... self) noexcept {
  return Handoff::hand_over_all(self..., heirs);
}

/// Takes the turns of all delegated waiters from the first of `heirs` on, and releases the
/// lock after each.  Returns the first heirs who run their own section: ordinary ones;
/// delegated ones that live on another executor; and whoever is next when the chain has
/// reached its limit.  Tasks whose section is over are scheduled in batches.
///
///     worker   ··· self │ f₁ f₂ f₃ ··· │ heir ···    no task is resumed for f₁ f₂ f₃
///
/// A policy that does not combine only asks those who must be asked.
/// REQUIRES: `heirs` own the lock, and what `release` gives owns it next.
template <class Handoff, class Heirs, class Release>
[[nodiscard]] Heirs combine(Heirs heirs, Release release) noexcept {
  constexpr std::size_t batch = 32;
  thread_state& here = this_thread();
  waiter_queue done;
  std::size_t count = 0;
  ++here.locks_held;  // Nothing may be exchanged inside a section.
  while (line_waiter* const who = delegate_in(heirs)) {
    const bool is_ours =
        Handoff::combines && who->home == here.here && here.chain != here.chain_end;
    if (!is_ours && !who->special->must_be_asked) break;
    const turn end = who->special->on_turn(*who);
    if (end == turn::owns) break;
    ++here.chain;
    heirs = release();
    if (end == turn::moved) continue;
    // Not before the release: once it runs, the task may destroy the lock.
    if (who->settle(outcome::granted)) {
      done.push_back(*who);
      if (++count % batch == 0) dispatch_all(done);
    }
  }
  --here.locks_held;
  dispatch_all(done);
  return heirs;
}

/// Hands over from `self`, which is suspended; returns whether it stays so.  If sections
/// have been delegated to us, `self` is scheduled first: it has left, and this worker is
/// busy with the sections of others for a while.  REQUIRES: there is an heir.
template <class Handoff, class Heirs, class Release>
[[nodiscard]] bool exchange_or_combine(waiter& self, Heirs heirs,
                                       Release release) noexcept {
  const line_waiter* const delegate = delegate_in(heirs);
  if (delegate == nullptr) [[likely]] {
    return hand_over<Handoff>(heirs, self);
  }
  thread_state& here = this_thread();
  if (delegate->home != here.here || here.here == nullptr || here.locks_held != 0 ||
      here.chain == here.chain_end) {
    heirs = combine<Handoff>(heirs, release);
    return !is_nobody(heirs) && hand_over<Handoff>(heirs, self);
  }
  trace::note(trace::kind::combining);
  here.here->schedule(self);  // The caller may be gone.
  run_in_slot(combine<Handoff>(heirs, release));
  return true;
}

/// Passes the lock on without suspending: combines as far as `Handoff` does, and hands over
/// to whoever is left as `To` does.
template <class Handoff, class To = handoff::dispatch, class Heirs, class Release>
void pass_on(Heirs heirs, Release release) noexcept {
  heirs = combine<Handoff>(heirs, release);
  if (!is_nobody(heirs)) hand_over<To>(heirs);
}

}  // namespace hotseat::detail
