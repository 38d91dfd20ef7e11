// hotseat/sync/detail/once_state.hpp — whether something has been done once, who is doing
// it, and who waits for that.  Layer: sync/detail.
#pragma once

#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/waiter_line.hpp>
#include <hotseat/core/waiter_queue.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sync/detail/guarded_word.hpp>

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
///     name     word_.value()  line_
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
  [[nodiscard]] bool is_done() const noexcept { return word_.acquire_value() == done; }

  /// open → running, without waiting.
  [[nodiscard]] bool try_enter() noexcept {
    return word_.try_change([](std::uint64_t now) { return now == open; },
                            [](std::uint64_t) { return running; });
  }

  /// Returns what the caller found.  On `wait`, `w` belongs to the line: it may be resumed
  /// before this returns, and knows then what it found.
  [[nodiscard]] once_turn enter_or_enqueue(once_waiter& w) noexcept {
    const std::uint64_t now = word_.guard();
    if (now == running) {
      line_.push_back(w);
      word_.unguard(running, true);
      return once_turn::wait;
    }
    word_.unguard(now == open ? running : done, false);
    return now == open ? once_turn::ours : once_turn::done;
  }

  /// running → done.  Returns those who are let out, in order.
  /// REQUIRES: the caller was told that it is its turn.
  [[nodiscard]] waiter_queue succeed() noexcept {
    if (try_end(done)) return {};
    static_cast<void>(word_.guard());
    waiter_queue heirs;
    while (!line_.empty()) heirs.push_back(pop(once_turn::done));
    word_.unguard(done, false);  // O2
    return heirs;
  }

  /// running → open, or the turn of the oldest waiter, which is returned (O3).
  /// REQUIRES: as for succeed.
  [[nodiscard]] waiter_queue fail() noexcept {
    if (try_end(open)) return {};
    static_cast<void>(word_.guard());
    waiter_queue heir;
    if (!line_.empty()) heir.push_back(pop(once_turn::ours));
    word_.unguard(heir.empty() ? open : running, !line_.empty());
    return heir;
  }

  /// Takes a waiter out of the line.  Returns whether it was still there.
  [[nodiscard]] bool leave(line_waiter& w) noexcept {
    const std::uint64_t now = word_.guard();
    const bool is_in_line = w.is_in_line;
    if (is_in_line) line_.remove(w);
    word_.unguard(now, !line_.empty());
    return is_in_line;
  }

  [[nodiscard]] bool is_running() const noexcept { return word_.value() == running; }

 private:
  static constexpr std::uint64_t open = 0;
  static constexpr std::uint64_t running = 1;
  static constexpr std::uint64_t done = 2;

  bool try_end(std::uint64_t end) noexcept {
    return word_.try_change([](std::uint64_t) { return true; },
                            [end](std::uint64_t) { return end; });
  }

  once_waiter& pop(once_turn found) noexcept {
    auto& first = static_cast<once_waiter&>(line_.pop_front());
    first.found = found;
    return first;
  }

  guarded_word word_{open};
  waiter_line line_;  // Under the guard.
};

}  // namespace hotseat::detail
