// hotseat/sched/exchange.hpp — the exchange: the heir runs here, the task that left moves.
// Layer: sched.  Alternatives we rejected, and why: docs/design/exchange.md.
#pragma once

#include <hotseat/core/waiter.hpp>
#include <hotseat/sched/current.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/sched/worker_scope.hpp>

namespace hotseat {

namespace detail {

/// Whether `heir` may continue on this thread in place of the running task.  Not if that
/// task is inside another section: suspending it would take that section off this core.
[[nodiscard]] inline bool may_exchange(const thread_state& here,
                                       const waiter& heir) noexcept {
  return lives_here(here, heir) && here.locks_held == 0;
}

/// Whether another section may run on this worker before it gets back to its own tasks.
[[nodiscard]] inline bool may_lengthen_chain(const thread_state& here) noexcept {
  return here.chain != here.chain_end;
}

}  // namespace detail

/// Swaps two tasks around a section that stays where it is.
///
///     this worker     ··· self │ heir ···    the section never leaves this cache
///     other workers            │ self ···    the parallel part moves instead
///
/// Called from `await_suspend` of `self`.  Returns whether `self` stays suspended.  If not,
/// the heir was dispatched and `self` goes on: the heir may not continue here, or the chain
/// of exchanges has reached its limit and the section moves to another worker, so that this
/// one gets back to its own tasks.  `is_followed`: more tasks wait behind the heir.
[[nodiscard]] inline bool exchange_tasks(waiter& self, waiter& heir,
                                         bool is_followed = false) noexcept {
  detail::thread_state& here = detail::current();
  if (!detail::may_exchange(here, heir)) {
    dispatch_task(heir);
    return false;
  }
  if (!detail::may_lengthen_chain(here)) {
    here.chain_end += here.chain_limit;
    if (here.worker->send_elsewhere(heir)) return false;
  }
  ++here.chain;
  here.run_next = heir.task;
  // Last: once scheduled, `self` may already be running elsewhere.  It may have destroyed
  // its frame, and with it the operation that called us, and the lock.
  here.worker->schedule_left(self, is_followed);
  return true;
}

}  // namespace hotseat
