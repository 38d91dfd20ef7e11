// hotseat/sync/detail/phase_state.hpp — who is missing at a barrier, and who waits there.
// Layer: sync/detail.
#pragma once

#include <hotseat/core/assert.hpp>
#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/waiter_line.hpp>
#include <hotseat/core/waiter_queue.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sync/detail/guarded_word.hpp>

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
///     name        word_.value()  line_
///     ──────────  ─────────────  ───────────────────────────────────────────────────
///     phase       n > 0          those who have arrived; n more are expected
///     completing  0              all of them but the last, who runs the completion
///
///     expected_   who takes part in the next phase
///
/// A barrier that everybody has dropped stays in `completing` for ever.
///
/// Invariants
///   H1  A phase ends when as many have arrived as it expected, and not before.
///   H2  One task at a time is told that it was the last; nobody is let out, and nobody
///       arrives, before it ends the phase.  (⇒ the completion runs alone)
///   H3  The end of a phase lets out everybody who waits, in order of arrival.  (⇒ nobody
///       waits for two phases)
///   H4  Who leaves the line early has arrived all the same.
/// Memory order: guarded_word.hpp.  Every arrival is a turn of the guard, so the last one
/// sees what came before all of them.
class phase_state {
 public:
  constexpr explicit phase_state(std::uint64_t expected) noexcept
      : word_{expected}, expected_{expected} {
    if (expected > guarded_word::max_value) {
      report_violation("barrier", this, "more tasks than it can count");
    }
  }

  /// Returns whether the caller is the last: it has to run the completion and to end the
  /// phase.  On false, `w` belongs to the line: it may be resumed before this returns.
  [[nodiscard]] bool arrive_or_enqueue(line_waiter& w) noexcept {
    const std::uint64_t missing = guard_arrival();
    if (missing == 1) return begin_completion();
    line_.push_back(w);
    word_.unguard(missing - 1, true);
    return false;
  }

  /// Arrives without waiting, and is not expected any more.  Returns whether the caller is
  /// the last, as above.
  [[nodiscard]] bool arrive_and_drop() noexcept {
    const std::uint64_t missing = guard_arrival();
    expected_ = expected_ - 1;
    if (missing == 1) return begin_completion();
    word_.unguard(missing - 1, !line_.empty());
    return false;
  }

  /// completing → the next phase.  Returns those who are let out, in order.
  /// REQUIRES: the caller was the last.
  [[nodiscard]] waiter_queue end_phase() noexcept {
    static_cast<void>(word_.guard());
    waiter_queue heirs;
    while (!line_.empty()) heirs.push_back(line_.pop_front());  // H3
    word_.unguard(expected_, false);  // The last touch: the heirs may destroy us.
    return heirs;
  }

  /// Takes a waiter out of the line; its arrival stays (H4).  Returns whether it was still
  /// there.
  [[nodiscard]] bool leave(line_waiter& w) noexcept {
    const std::uint64_t missing = word_.guard();
    const bool is_in_line = w.is_in_line;
    if (is_in_line) line_.remove(w);
    word_.unguard(missing, !line_.empty());
    return is_in_line;
  }

  [[nodiscard]] std::uint64_t missing() const noexcept { return word_.value(); }
  [[nodiscard]] bool is_waited() const noexcept { return word_.is_waited(); }

 private:
  [[nodiscard]] std::uint64_t guard_arrival() noexcept {
    const std::uint64_t missing = word_.guard();
    require(missing != 0, "barrier", this,
            "no more tasks may arrive than take part in a phase");  // H2
    return missing;
  }

  bool begin_completion() noexcept {
    word_.unguard(0, !line_.empty());  // H1
    return true;
  }

  guarded_word word_;
  waiter_line line_;                       // Under the guard.
  platform::var<std::uint64_t> expected_;  // Under the guard.
};

}  // namespace hotseat::detail
