// hotseat/sync/detail/phase_state.hpp — the arrivals that a barrier still expects.
// Layer: sync/detail.
#pragma once

#include <hotseat/core/assert.hpp>
#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sync/detail/guarded_line.hpp>

#include <cstdint>

namespace hotseat::detail {

/// The state machine behind `barrier`.
///
///               arrive, the last          end_phase
///     ┌────────┐ ───────► ┌────────────┐ ───────► ┌────────┐
///     │ phase k│          │ completing │          │ k + 1  │
///     └────────┘          └────────────┘          └────────┘
///      ⟲ arrive
///
///     name        value          line
///     ──────────  ─────────────  ───────────────────────────────────────────────────
///     phase       n > 0          tasks that have arrived; n more are expected
///     completing  0              all but the last arrival, which runs the completion
///
///     expected_   how many take part in the next phase
///
/// A barrier that every task has dropped stays in `completing` for ever.
///
/// Invariants
///   H1  A phase ends when as many tasks have arrived as it expected, and not before.
///   H2  One task at a time is told that it was the last; no task is let out or arrives
///       before that one ends the phase.  (⇒ the completion runs alone)
///   H3  The end of a phase lets out every waiter, in order of arrival.  (⇒ no task waits
///       for two phases)
///   H4  A task that leaves the line early still counts as arrived.
/// Memory order: guarded_word.hpp.  Every arrival takes the guard, so the last one sees
/// what happened before all of them.
class phase_state {
 public:
  constexpr explicit phase_state(std::uint64_t expected) noexcept
      : line_{expected}, expected_{expected} {
    if (expected > guarded_word::max_value) {
      report_violation("barrier", this, "more tasks than it can count");
    }
  }

  /// Returns whether the caller is the last: it must run the completion and end the phase.
  /// On false, `w` belongs to the line: it may be resumed before this returns.
  [[nodiscard]] bool arrive_or_enqueue(line_waiter& w) noexcept {
    const std::uint64_t missing = guard_arrival();
    if (missing == 1) return begin_completion();
    line_.push_back(w);
    line_.unguard(missing - 1);
    return false;
  }

  /// Arrives without waiting, and is no longer expected.  Returns whether the caller is the
  /// last, as above.
  [[nodiscard]] bool arrive_and_drop() noexcept {
    const std::uint64_t missing = guard_arrival();
    expected_ = expected_ - 1;
    if (missing == 1) return begin_completion();
    line_.unguard(missing - 1);
    return false;
  }

  /// completing → the next phase.  Returns the waiters let out, in order.  REQUIRES: the
  /// caller was the last.
  [[nodiscard]] waiter_queue end_phase() noexcept {
    static_cast<void>(line_.guard());
    waiter_queue heirs = line_.pop_all();  // H3
    line_.unguard(expected_);              // The last touch: the heirs may destroy us.
    return heirs;
  }

  /// Takes a waiter out of the line; its arrival stays (H4).  Returns whether it was there.
  [[nodiscard]] bool leave(line_waiter& w) noexcept { return line_.leave(w); }

  [[nodiscard]] std::uint64_t missing() const noexcept { return line_.value(); }
  [[nodiscard]] bool is_waited() const noexcept { return line_.is_waited(); }

 private:
  [[nodiscard]] std::uint64_t guard_arrival() noexcept {
    const std::uint64_t missing = line_.guard();
    require(missing != 0, "barrier", this,
            "no more tasks may arrive than take part in a phase");  // H2
    return missing;
  }

  bool begin_completion() noexcept {
    line_.unguard(0);  // H1
    return true;
  }

  guarded_line line_;
  platform::var<std::uint64_t> expected_;  // Under the guard.
};

}  // namespace hotseat::detail
