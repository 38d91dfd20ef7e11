// hotseat/sched/handoff.hpp — the paper's three ways to pass a section on.
// Layer: sched.  Read next: sched/exchange.hpp.
#pragma once

#include <hotseat/core/waiter.hpp>
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
/// suspended.  What cppcoro and libcoro do.
struct resume_inline {
  static constexpr bool may_suspend = false;
  static void hand_over(waiter& heir) noexcept {
    detail::thread_state& here = this_thread();
    if (heir.home != here.here || here.nesting >= nesting_limit) return dispatch_task(heir);
    // The nested tasks start with no lock held, and the slot is theirs.
    const std::uint32_t locks_held = here.locks_held;
    ++here.nesting;
    here.locks_held = 0;
    run_until_idle(heir.task);
    detail::thread_state& back = this_thread();  // The same thread: this call never migrates.
    --back.nesting;
    back.locks_held = locks_held;
  }

  /// Nested resumes on one stack; a line that is longer is dispatched from there on.
  /// Each costs a few hundred bytes, more without optimization and under sanitizers.
  static constexpr std::uint32_t nesting_limit = 1000;
};

}  // namespace handoff

}  // namespace hotseat
