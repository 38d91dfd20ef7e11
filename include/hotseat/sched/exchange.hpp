// hotseat/sched/exchange.hpp — Combine-and-Exchange Scheduling, all of it.
// Layer: sched.  Alternatives we rejected, and why: docs/design/exchange.md.
#pragma once

#include <hotseat/core/waiter.hpp>
#include <hotseat/sched/dispatch.hpp>
#include <hotseat/sched/executor.hpp>

namespace hotseat {

/// Swaps two tasks around a section that stays where it is.
///
///     this worker     ··· self │ heir ···    the section never leaves this cache
///     other workers            │ self ···    the parallel part moves instead
///
/// Called from `await_suspend` of `self`.  Returns whether `self` suspends; if not, the
/// heir was dispatched and `self` goes on.  That is so in three cases: the heir lives on
/// another executor; `self` is inside another section, which would leave this core if we
/// suspended; and the chain has reached its limit, so that the section moves to another
/// worker and this one gets back to its own tasks.
///
/// `is_followed`: somebody waits behind the heir, so that it will be exchanged soon.
[[nodiscard]] inline bool exchange_tasks(waiter& self, waiter& heir,
                                         bool is_followed = false) noexcept {
  detail::thread_state& here = this_thread();
  if (heir.home != here.here || here.here == nullptr || here.locks_held != 0) {
    dispatch_task(heir);
    return false;
  }
  if (here.chain == here.chain_end) {
    here.chain_end += here.chain_limit;
    if (here.here->send_elsewhere(heir)) return false;
  }
  ++here.chain;
  here.run_next = heir.task;
  here.is_exchange_near = is_followed;
  // Last: once scheduled, `self` may already be running elsewhere and may have destroyed
  // its frame, and with it the operation that called us, and the lock.
  here.here->schedule(self);
  return true;
}

}  // namespace hotseat
