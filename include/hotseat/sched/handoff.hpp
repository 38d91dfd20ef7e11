// hotseat/sched/handoff.hpp — the paper's three ways to pass a section on.
// Layer: sched.  Read next: sched/exchange.hpp.
#pragma once

#include <hotseat/core/waiter.hpp>
#include <hotseat/platform/thread.hpp>
#include <hotseat/sched/dispatch.hpp>
#include <hotseat/sched/exchange.hpp>
#include <hotseat/sched/run.hpp>

#include <concepts>

namespace hotseat {

/// `hand_over(self, heir)` makes the heir, which owns the lock already, run; it is called
/// while `self` is suspended and returns whether `self` stays so.  A policy that never
/// suspends is called before the suspension and gets no `self`.
template <class P>
concept handoff_policy = requires(waiter& w) {
  { P::may_suspend } -> std::convertible_to<bool>;
};

namespace handoff {

/// The heir runs here, at once; the task that left is scheduled.
struct exchange {
  static constexpr bool may_suspend = true;
  [[nodiscard]] static bool hand_over(waiter& self, waiter& heir) noexcept {
    return exchange_tasks(self, heir);
  }
};

/// The heir is scheduled; the task that left goes on.  What Tokio, Kotlin and Boost.Fiber
/// do.
struct dispatch {
  static constexpr bool may_suspend = false;
  static void hand_over(waiter& heir) noexcept { dispatch_task(heir); }
};

/// The heir runs here, inside the call; the task that left goes on when the heir has
/// suspended.  What cppcoro and libcoro do.  A line that is longer than the stack is deep
/// is dispatched from there on.
struct resume_inline {
  static constexpr bool may_suspend = false;
  static void hand_over(waiter& heir) noexcept {
    const detail::thread_state& here = this_thread();
    if (heir.home != here.here || platform::stack_position() < here.stack_floor) {
      return dispatch_task(heir);
    }
    run_nested(heir.task);
  }
};

}  // namespace handoff

}  // namespace hotseat
