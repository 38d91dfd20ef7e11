// hotseat/sched/handoff.hpp — the paper's three ways to pass a section on.
// Layer: sched.  Read next: sched/exchange.hpp.
#pragma once

#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sched/exchange.hpp>
#include <hotseat/sched/executor.hpp>

#include <concepts>
#include <cstddef>

namespace hotseat {

namespace detail {

/// Called while `self` is suspended; returns whether it stays suspended.
template <class P>
concept suspending_handoff =
    requires(waiter& self, line_waiter& heir, waiter_queue& heirs) {
      requires P::may_suspend;
      { P::hand_over(self, heir) } noexcept -> std::same_as<bool>;
      { P::hand_over_all(self, heirs) } noexcept -> std::same_as<bool>;
    };

/// Called in place of suspending the task that left: that task goes on.
template <class P>
concept immediate_handoff = requires(line_waiter& heir, waiter_queue& heirs) {
  requires !P::may_suspend;
  { P::hand_over(heir) } noexcept;
  { P::hand_over_all(heirs) } noexcept;
};

}  // namespace detail

/// How a section passes from the task that left to its heir, which is out of the line and
/// owns the lock already.
///
///     hand_over        runs or schedules the heir
///     hand_over_all    the same for several heirs at once; empties the queue, which is not
///                      empty
///     combines         runs sections that were delegated to the owner (sched/combine.hpp);
///                      otherwise the waiters run their own
template <class P>
concept handoff_policy =
    (detail::suspending_handoff<P> || detail::immediate_handoff<P>) && requires {
      { P::combines } -> std::convertible_to<bool>;
    };

namespace detail {

/// Settles all heirs.  Drops those that have not suspended yet: they continue by
/// themselves.  Returns how many heirs there were.
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
  /// Returns how many heirs there were.
  static std::size_t hand_over_all(waiter_queue& heirs) noexcept {
    const std::size_t count = detail::settle_all(heirs);
    dispatch_all(heirs);
    return count;
  }
};

/// The heir runs here, inside the call; the task that left goes on when the heir has
/// suspended.  What cppcoro and libcoro do.  Once the line has nested as deep as the stack
/// allows, the next heir is dispatched.
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
  static void run(waiter& heir) noexcept;
};

}  // namespace handoff

}  // namespace hotseat
