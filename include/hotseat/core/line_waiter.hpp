// hotseat/core/line_waiter.hpp — a waiter in the line of a primitive; it may leave early.
// Layer: core.  Read next: core/waiter_line.hpp.
#pragma once

#include <hotseat/core/waiter.hpp>
#include <hotseat/platform/seam.hpp>

#include <cstdint>

namespace hotseat {

/// How a wait ended.
enum class outcome : std::uint8_t {
  granted,  ///< It has what it waited for.
  left,     ///< It left the line with nothing: timed out, or asked to stop.
};

/// What happened to a section that was run on behalf of its waiter.
enum class turn : std::uint8_t {
  owns,   ///< Nothing was run: the task owns the lock and must be resumed.
  done,   ///< The section has ended: pass the lock on and resume the task.
  moved,  ///< The waiter went to another line: pass the lock on and forget it.
};

struct line_waiter;

/// What is special about a wait.  Most waits need none of it: the waiter waits until it is
/// granted, and then runs its own section.
///
/// A wait with limits may end early, and needs care at both ends:
///
///     the thread that took it out     the task, in await_suspend
///     ───────────────────────────     ───────────────────────────────────────────
///                                     joins the line; sets its alarm and callback
///     settle()                        may_suspend()
///
/// The second of the two resumes the task.  Its frame stays until both are done, so a
/// waiter may be granted while its task is still setting its alarm.
///
/// Invariants
///   W1  A waiter is taken out of a line once, under the guard of the line.
///   W2  The thread that took it out, and no other, settles it, once.
///
/// Memory order
///   S  acq_rel  arming → settled, or armed → settled   ⟷ M  publishes how it ended
///   M  release  arming → armed                         ⟶ S  publishes the frame
///      acquire  settled: no change                     ⟵ S  sees how it ended
struct special_wait {
  /// Runs the waiter's section when its turn comes; null for tasks that run their own.
  /// Called by the owner of the lock, on behalf of the waiter.
  turn (*on_turn)(line_waiter& who) noexcept = nullptr;
  bool must_be_asked = false;  ///< on_turn may return `owns`, and is always called.
  bool has_limits = false;
  platform::var<outcome> how = outcome::granted;

  /// See line_waiter::settle.
  [[nodiscard]] bool settle(outcome end) noexcept {
    if (!has_limits) return true;
    how = end;
    return phase_.exchange(phase::settled, std::memory_order_acq_rel) ==  // S
           phase::armed;
  }

  /// Called last before a task with limits suspends.  Returns false if the wait has already
  /// ended.  On true, `this` may be gone.
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
  platform::var<bool> is_in_line;                  ///< Protected by the line's guard.
  platform::var<special_wait*> special = nullptr;  ///< Set once, before it joins the line.
  platform::var<line_waiter*> prev;                ///< Belongs to the line, as `next` does.
  /// The next arrival, in lines that are joined by an atomic exchange
  /// (sync/detail/lock_free_state.hpp).
  platform::atomic<line_waiter*> younger{nullptr};

  constexpr line_waiter() noexcept : is_in_line{false}, prev{nullptr} {}
  explicit line_waiter(set_later later) noexcept : waiter{later} {}

  void set(std::coroutine_handle<> who, executor* where, std::uint32_t locks) noexcept {
    waiter::set(who, where, locks);
    is_in_line = false;
  }

  /// Decides how the wait ends.  Returns whether the caller must resume the task; if not,
  /// the task has not suspended yet and continues by itself.
  /// REQUIRES: the caller took this waiter out of its line.  On false, `this` may be gone.
  [[nodiscard]] bool settle(outcome end) const noexcept {
    return special == nullptr || special->settle(end);
  }

  /// Whether the worker that has the lock runs this waiter's section.
  [[nodiscard]] bool is_delegated() const noexcept {
    return special != nullptr && special->on_turn != nullptr;
  }
};

}  // namespace hotseat
