// hotseat/sync/detail/once_state.hpp — whether something has been done once, who is doing
// it, and who waits for that.  Layer: sync/detail.
#pragma once

#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sync/detail/guarded_line.hpp>

#include <cstdint>

namespace hotseat::detail {

/// What somebody who came to an once_flag finds.
enum class once_turn : std::uint8_t {
  done,  ///< It has been done.
  ours,  ///< It is to be done by whoever is told so.
  wait,  ///< Somebody is doing it.
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
///     * if nobody waits; otherwise the oldest waiter is the one who runs now.
///
///     name     value          line
///     ───────  ─────────────  ──────────────────────────────────────────────────────
///     open     0              empty
///     running  1              those who came since
///     done     2              empty
///
/// Invariants
///   O1  At most one is running.
///   O2  Nobody is told `done` before one has succeeded; then everybody is, for ever.
///   O3  A failure lets in one, the one that has waited longest, and nobody else.
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
  /// before this returns, and knows then what it found.
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

  /// running → done.  Returns those who are let out, in order.
  /// REQUIRES: the caller was told that it is its turn.
  [[nodiscard]] waiter_queue succeed() noexcept {
    if (try_end(done)) return {};
    static_cast<void>(line_.guard());
    waiter_queue heirs;
    while (!line_.is_empty()) heirs.push_back(pop(once_turn::done));
    line_.unguard(done);  // O2
    return heirs;
  }

  /// running → open, or the turn of the oldest waiter, which is returned (O3).
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
