// hotseat/core/line_waiter.hpp — a waiter of a primitive: it may leave from the middle.
// Layer: core.  Read next: core/waiter_line.hpp.
#pragma once

#include <hotseat/core/waiter.hpp>
#include <hotseat/platform/seam.hpp>

#include <cstdint>

namespace hotseat {

/// How a wait ended.
enum class outcome : std::uint8_t {
  granted,  ///< What it waited for is its own now.
  left,     ///< It is out of the line with nothing: too late, or asked to stop.
};

/// What became of a section that was run on behalf of its waiter.
enum class turn : std::uint8_t {
  owns,   ///< Nothing was run: the task is the owner and must run.
  done,   ///< The section is over: pass the lock on and let the task run.
  moved,  ///< The waiter went to another line: pass the lock on and forget it.
};

struct line_waiter;

/// What is special about a wait.  Most have nothing of it: they wait until they are
/// granted, and then run their own section.
///
/// One with limits may leave earlier, and needs care at both ends of its wait:
///
///     who took it out of the line     the task, in await_suspend
///     ───────────────────────────     ───────────────────────────────────────────
///                                     joins the line; sets its alarm and callback
///     settle()                        may_suspend()
///
/// Whoever is second of the two makes the task run.  Until both are through, its frame
/// stays; so the task may still be setting its alarm when it is granted.
///
/// Invariants
///   W1  A waiter is taken out of a line once, under the guard of the line.
///   W2  Whoever took it out, and nobody else, settles it, once.
///
/// Memory order
///   S  acq_rel  arming → settled, or armed → settled   ⟷ M  publishes how it ended
///   M  release  arming → armed                         ⟶ S  publishes the frame
///      acquire  settled: no change                     ⟵ S  sees how it ended
struct special_wait {
  /// Runs the section of a waiter whose turn it is; null for tasks that run their own.
  /// Called by the owner of the lock, on behalf of the waiter.
  turn (*on_turn)(line_waiter& who) noexcept = nullptr;
  bool must_be_asked = false;  ///< on_turn may answer `owns`, and is never left out.
  bool has_limits = false;
  platform::var<outcome> how = outcome::granted;

  /// See line_waiter::settle.
  [[nodiscard]] bool settle(outcome end) noexcept {
    if (!has_limits) return true;
    how = end;
    return phase_.exchange(phase::settled, std::memory_order_acq_rel) ==  // S
           phase::armed;
  }

  /// The last thing a task with limits does before it suspends.  Returns whether it may;
  /// otherwise the wait has ended.  On true, `this` may be gone.
  [[nodiscard]] bool may_suspend() noexcept {
    phase seen = phase::arming;
    return phase_.compare_exchange_strong(seen, phase::armed,
                                          std::memory_order_release,   // M
                                          std::memory_order_acquire);  // M
  }

 private:
  enum class phase : std::uint8_t { arming, armed, settled };
  platform::atomic<phase> phase_{phase::arming};
};

/// A waiter in the line of a primitive.
struct line_waiter : waiter {
  platform::var<bool> is_in_line;                  ///< Under the guard of the line.
  platform::var<special_wait*> special = nullptr;  ///< Before it joins the line, once.
  platform::var<line_waiter*> prev;                ///< Belongs to the line, as `next` does.
  /// Who came next, in a line that is joined by an exchange
  /// (sync/detail/lock_free_state.hpp).
  platform::atomic<line_waiter*> younger{nullptr};

  constexpr line_waiter() noexcept : is_in_line{false}, prev{nullptr} {}
  explicit line_waiter(set_later later) noexcept : waiter{later} {}

  void set(std::coroutine_handle<> who, executor* where, std::uint32_t locks) noexcept {
    waiter::set(who, where, locks);
    is_in_line = false;
  }

  /// Decides how the wait ends.  Returns whether the caller must make the task run;
  /// otherwise it has not suspended yet and goes on by itself.
  /// REQUIRES: the caller took us out of the line.  On false, `this` may be gone.
  [[nodiscard]] bool settle(outcome end) const noexcept {
    return special == nullptr || special->settle(end);
  }

  /// Whether somebody else runs the section of this waiter when its turn comes.
  [[nodiscard]] bool is_delegated() const noexcept {
    return special != nullptr && special->on_turn != nullptr;
  }
};

}  // namespace hotseat
