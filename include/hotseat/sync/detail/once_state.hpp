// hotseat/sync/detail/once_state.hpp — whether something has been done once, which task is
// doing it, and which tasks wait.  Layer: sync/detail.
#pragma once

#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sync/detail/guarded_line.hpp>

#include <cstdint>

namespace hotseat::detail {

/// What a task finds at a once_flag.
enum class once_turn : std::uint8_t {
  done,  ///< It has been done.
  ours,  ///< The task that is told so must do it.
  wait,  ///< Another task is doing it.
};

struct once_waiter : line_waiter {
  using line_waiter::line_waiter;
  /// Set before it is taken out of the line.
  platform::var<once_turn> found = once_turn::done;
};

/// The state machine behind `once_flag`.
///
///              enter                succeed
///     ┌──────┐ ───────► ┌─────────┐ ───────► ┌──────┐
///     │ open │          │ running │          │ done │
///     └──────┘ ◄─────── └─────────┘          └──────┘
///              fail*         ⟲ fail
///
///     * if no task waits; otherwise the turn passes to the oldest waiter.
///
///     name     value          line
///     ───────  ─────────────  ──────────────────────────────────────────────────────
///     open     0              empty
///     running  1              tasks that arrived since
///     done     2              empty
///
/// Invariants
///   O1  At most one task has the turn.
///   O2  No task is told `done` before one has succeeded; then every task is, for ever.
///   O3  A failure lets in the task that has waited longest, and no other.
/// Memory order: guarded_word.hpp.
class once_state {
 public:
  constexpr once_state() noexcept = default;

  /// Sees what was done.
  [[nodiscard]] bool is_done() const noexcept { return line_.acquire_value() == done; }

  /// open → running, without waiting.
  [[nodiscard]] bool try_enter() noexcept {
    return line_.try_change([](std::uint64_t now) { return now == open; },
                            [](std::uint64_t) { return running; });
  }

  /// Returns what the caller found.  On `wait`, `w` belongs to the line: it may be resumed
  /// before this returns, and `w.found` then says what it found.
  [[nodiscard]] once_turn enter_or_enqueue(once_waiter& w) noexcept {
    const std::uint64_t now = line_.guard();
    if (now == running) {
      line_.push_back(w);
      line_.unguard(running);
      return once_turn::wait;
    }
    line_.unguard(now == open ? running : done);
    return now == open ? once_turn::ours : once_turn::done;
  }

  /// running → done.  Returns the waiters let out, in order.  REQUIRES: it is the caller's
  /// turn.
  [[nodiscard]] waiter_queue succeed() noexcept {
    if (try_end(done)) return {};
    static_cast<void>(line_.guard());
    waiter_queue heirs;
    while (!line_.is_empty()) heirs.push_back(pop(once_turn::done));
    line_.unguard(done);  // O2
    return heirs;
  }

  /// running → open, or passes the turn to the oldest waiter, which is returned (O3).
  /// REQUIRES: as for succeed.
  [[nodiscard]] waiter_queue fail() noexcept {
    if (try_end(open)) return {};
    static_cast<void>(line_.guard());
    waiter_queue heir;
    if (!line_.is_empty()) heir.push_back(pop(once_turn::ours));
    line_.unguard(heir.empty() ? open : running);
    return heir;
  }

  /// Takes a waiter out of the line.  Returns whether it was still there.
  [[nodiscard]] bool leave(line_waiter& w) noexcept { return line_.leave(w); }

  [[nodiscard]] bool is_running() const noexcept { return line_.value() == running; }

 private:
  static constexpr std::uint64_t open = 0;
  static constexpr std::uint64_t running = 1;
  static constexpr std::uint64_t done = 2;

  bool try_end(std::uint64_t end) noexcept {
    return line_.try_change([](std::uint64_t) { return true; },
                            [end](std::uint64_t) { return end; });
  }

  once_waiter& pop(once_turn found) noexcept {
    auto& first = static_cast<once_waiter&>(line_.pop_front());
    first.found = found;
    return first;
  }

  guarded_line line_{open};
};

}  // namespace hotseat::detail
