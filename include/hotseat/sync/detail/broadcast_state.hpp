// hotseat/sync/detail/broadcast_state.hpp — a gate: closed with a line, or open.
// Layer: sync/detail.
#pragma once

#include <hotseat/core/assert.hpp>
#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/sync/detail/guarded_line.hpp>

#include <cstdint>

namespace hotseat::detail {

/// The state machine behind `event`, `latch` and `wait_group`: a gate that counts down to
/// its opening.
///
///     name    value          line       meaning
///     ──────  ─────────────  ─────────  ─────────────────────────────────────────────
///     open    0              empty      arrivals go on
///     closed  n > 0          waiters    n more must be counted down
///
///     closed → open     subtract, open       lets out the whole line
///     open → closed     add, close
///     closed → closed   subtract, add        the line stays as it is
///
/// Invariants
///   B1  open ⇒ no task waits.
///   B2  An opening lets out every waiter, in order of arrival; a task that arrives after
///       the gate has closed again waits for the next opening.
///   B3  The thread that opens the gate does not touch it afterwards.  (⇒ a task that is
///       let out may destroy it)
/// Memory order: guarded_word.hpp.
class broadcast_state {
 public:
  constexpr explicit broadcast_state(std::uint64_t missing) noexcept : line_{missing} {
    if (missing > guarded_word::max_value) report_violation("gate", this, too_many);
  }

  /// Sees what happened before the gate was opened.
  [[nodiscard]] bool is_open() const noexcept { return line_.acquire_value() == 0; }

  /// Returns whether the gate is open.  On false, `w` belongs to the line: it may be
  /// resumed before this returns.
  [[nodiscard]] bool pass_or_enqueue(line_waiter& w) noexcept {
    const std::uint64_t missing = line_.guard();
    if (missing == 0) {
      line_.unguard(0);
      return true;
    }
    line_.push_back(w);
    line_.unguard(missing);
    return false;
  }

  /// Counts down, and opens the gate at zero.  Returns the waiters let out, in order.
  [[nodiscard]] waiter_queue subtract(std::uint64_t n, const char* object) noexcept {
    if (try_subtract(n)) return {};
    const std::uint64_t missing = guard_at_least(n, object);
    if (missing > n) {
      line_.unguard(missing - n);
      return {};
    }
    return open_guarded();
  }

  /// Counts down and passes, if that opens the gate and no task waits.
  [[nodiscard]] bool try_subtract_and_pass(std::uint64_t n) noexcept {
    return line_.try_change([n](std::uint64_t missing) { return missing == n; },
                            [](std::uint64_t) { return std::uint64_t{0}; });
  }

  /// Counts down, and joins the line if the gate is still closed: both under the guard, so
  /// that no thread can open the gate in between.  Returns whether it is open; `heirs` are
  /// the waiters let out.  On false, `w` belongs to the line.
  [[nodiscard]] bool subtract_and_pass_or_enqueue(std::uint64_t n, const char* object,
                                                  line_waiter& w,
                                                  waiter_queue& heirs) noexcept {
    const std::uint64_t missing = guard_at_least(n, object);
    if (missing == n) {
      heirs = open_guarded();
      return true;
    }
    line_.push_back(w);
    line_.unguard(missing - n);
    return false;
  }

  /// Opens the gate, whatever is missing.  Returns the waiters let out, in order.
  [[nodiscard]] waiter_queue open() noexcept {
    if (line_.try_change([](std::uint64_t) { return true; },
                         [](std::uint64_t) { return std::uint64_t{0}; })) {
      return {};
    }
    static_cast<void>(line_.guard());
    return open_guarded();
  }

  /// Closes the gate, with one missing; does nothing if it is closed.
  void close() noexcept {
    const auto closed = [](std::uint64_t missing) { return missing == 0 ? 1 : missing; };
    const auto always = [](std::uint64_t) { return true; };
    if (line_.try_change_beside_line(always, closed)) return;
    const std::uint64_t missing = line_.guard();
    line_.unguard(closed(missing));
  }

  /// Makes `n` more missing.
  void add(std::uint64_t n, const char* object) noexcept {
    require(n <= guarded_word::max_value, object, this, too_many);
    const std::uint64_t room = guarded_word::max_value - n;
    if (line_.try_change_beside_line(
            [room](std::uint64_t missing) { return missing <= room; },
            [n](std::uint64_t missing) { return missing + n; })) {
      return;
    }
    const std::uint64_t missing = line_.guard();
    require(missing <= room, object, this, too_many);
    line_.unguard(missing + n);
  }

  /// Takes a waiter out of the line.  Returns whether it was still there.
  [[nodiscard]] bool leave(line_waiter& w) noexcept { return line_.leave(w); }

  [[nodiscard]] std::uint64_t missing() const noexcept { return line_.value(); }
  [[nodiscard]] bool is_waited() const noexcept { return line_.is_waited(); }

 private:
  static constexpr const char* too_many = "more than it can count";

  /// Without the guard: possible if no task waits, or none is let out.
  bool try_subtract(std::uint64_t n) noexcept {
    const auto less = [n](std::uint64_t missing) { return missing - n; };
    return line_.try_change([n](std::uint64_t missing) { return missing >= n; }, less) ||
           line_.try_change_beside_line([n](std::uint64_t missing) { return missing > n; },
                                        less);
  }

  [[nodiscard]] std::uint64_t guard_at_least(std::uint64_t n, const char* object) noexcept {
    const std::uint64_t missing = line_.guard();
    require(missing >= n, object, this, "it must not be counted below zero");
    return missing;
  }

  /// Empties the line, and ends the guard.
  waiter_queue open_guarded() noexcept {
    waiter_queue heirs = line_.pop_all();  // B2
    line_.unguard(0);                      // B1, B3
    return heirs;
  }

  guarded_line line_;
};

}  // namespace hotseat::detail
