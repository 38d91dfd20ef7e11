// hotseat/sched/handoff.hpp — the paper's three ways to pass a section on.
// Layer: sched.  Read next: sched/exchange.hpp.
#pragma once

#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/waiter_queue.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sched/dispatch.hpp>
#include <hotseat/sched/exchange.hpp>
#include <hotseat/sched/run.hpp>

#include <concepts>
#include <cstddef>

namespace hotseat {

/// `hand_over(self, heir)` makes the heir run, which has been taken out of its line and
/// owns the lock already; it is called while `self` is suspended and returns whether `self`
/// stays so.  `hand_over_all` is for primitives that let several in at once; it empties the
/// queue, which is not empty.  A policy that never suspends is called before the
/// suspension and gets no `self`.  One that combines runs sections that were delegated to
/// the owner (sync/section_operation.hpp); the others let the waiters run their own.
template <class P>
concept handoff_policy = requires(waiter& w) {
  { P::may_suspend } -> std::convertible_to<bool>;
  { P::combines } -> std::convertible_to<bool>;
};

namespace detail {

/// Settles all of them; drops those that have not suspended yet and go on by themselves.
/// Returns how many there were.
inline std::size_t settle_all(waiter_queue& heirs) noexcept {
  waiter_queue settled;
  std::size_t count = 0;
  for (; !heirs.empty(); ++count) {
    auto& heir = static_cast<line_waiter&>(heirs.pop_front());
    if (heir.settle(outcome::granted)) settled.push_back(heir);
  }
  heirs = settled;
  return count;
}

}  // namespace detail

namespace handoff {

/// The heir runs here, at once; the task that left is scheduled.  Of several heirs, the
/// first runs here and the rest are scheduled in one batch.
struct exchange {
  static constexpr bool may_suspend = true;
  static constexpr bool combines = true;
  [[nodiscard]] static bool hand_over(waiter& self, line_waiter& heir) noexcept {
    const bool is_followed = heir.younger.load(std::memory_order_relaxed) != nullptr;
    return heir.settle(outcome::granted) && exchange_tasks(self, heir, is_followed);
  }
  [[nodiscard]] static bool hand_over_all(waiter& self, waiter_queue& heirs) noexcept {
    detail::settle_all(heirs);
    if (heirs.empty()) return false;
    waiter& first = heirs.pop_front();
    dispatch_all(heirs);
    return exchange_tasks(self, first);
  }
};

/// The heir is scheduled; the task that left goes on.  What Tokio, Kotlin and Boost.Fiber
/// do.
struct dispatch {
  static constexpr bool may_suspend = false;
  static constexpr bool combines = false;
  static void hand_over(line_waiter& heir) noexcept {
    if (heir.settle(outcome::granted)) dispatch_task(heir);
  }
  /// Returns how many there were.
  static std::size_t hand_over_all(waiter_queue& heirs) noexcept {
    const std::size_t count = detail::settle_all(heirs);
    dispatch_all(heirs);
    return count;
  }
};

/// The heir runs here, inside the call; the task that left goes on when the heir has
/// suspended.  What cppcoro and libcoro do.  A line that is longer than the stack is deep
/// is dispatched from there on.
struct resume_inline {
  static constexpr bool may_suspend = false;
  static constexpr bool combines = true;
  static void hand_over(line_waiter& heir) noexcept {
    if (heir.settle(outcome::granted)) run(heir);
  }
  static void hand_over_all(waiter_queue& heirs) noexcept {
    detail::settle_all(heirs);
    while (!heirs.empty()) run(heirs.pop_front());
  }

 private:
  static void run(waiter& heir) noexcept {
    const detail::thread_state& here = this_thread();
    if (heir.home != here.here || platform::stack_position() < here.stack_floor) {
      return dispatch_task(heir);
    }
    run_nested(heir.task);
  }
};

}  // namespace handoff

}  // namespace hotseat
