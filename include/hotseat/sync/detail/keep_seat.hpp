// hotseat/sync/detail/keep_seat.hpp — letting others out while the caller goes on here.
// Layer: sync/detail.  Read next: sched/handoff.hpp.
#pragma once

#include <hotseat/core/waiter_queue.hpp>
#include <hotseat/sched/handoff.hpp>

namespace hotseat::detail {

/// For a caller that has waited for the same thing as those it lets out, and is let out
/// with them.  Of all of them it is the warm one: it is running, and what the others left
/// for it is in this core's cache.  To exchange it with another would cost a switch and win
/// nothing.  So with `handoff::exchange` the others are scheduled in one batch; the
/// hand-offs that never suspend their caller do what they always do.
template <handoff_policy Handoff>
void keep_seat(waiter_queue& others) noexcept {
  if constexpr (Handoff::may_suspend) {
    handoff::dispatch::hand_over_all(others);
  } else {
    Handoff::hand_over_all(others);
  }
}

}  // namespace hotseat::detail
