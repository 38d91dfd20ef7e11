// hotseat/sync/detail/permit_state.hpp — how many permits a semaphore has, and which tasks
// wait for how many.  Layer: sync/detail.
#pragma once

#include <hotseat/core/assert.hpp>
#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/sync/detail/guarded_line.hpp>

#include <cstdint>

namespace hotseat::detail {

struct permit_waiter : line_waiter {
  using line_waiter::line_waiter;
  std::uint64_t wants = 1;
};

/// The state machine behind `semaphore`.
///
///     name     value          line
///     ───────  ─────────────  ─────────────────────────────────────────────────────────
///     free     n > 0          empty: a request for up to n goes on
///     used up  0              empty: the next request joins the line
///     waited   n              waiters in order of arrival; the first wants more than n
///
/// Invariants
///   P1  Permits are neither lost nor made, except by `replace`:
///       initial + released = free + granted.
///   P2  While a task waits, the first in line wants more than is free.
///   P3  No request is granted before an earlier one.  (⇒ small requests cannot starve a
///       large one)
/// Memory order: guarded_word.hpp.
class permit_state {
 public:
  constexpr explicit permit_state(std::uint64_t permits) noexcept : line_{permits} {}

  [[nodiscard]] bool try_acquire(std::uint64_t wanted) noexcept {
    return line_.try_change([wanted](std::uint64_t free) { return free >= wanted; },
                            [wanted](std::uint64_t free) { return free - wanted; });
  }

  /// Returns whether the caller now has its permits.  On false, `w` belongs to the line: it
  /// may be resumed before this returns.
  [[nodiscard]] bool acquire_or_enqueue(permit_waiter& w) noexcept {
    const std::uint64_t free = line_.guard();
    if (line_.is_empty() && free >= w.wants) {
      line_.unguard(free - w.wants);
      return true;
    }
    line_.push_back(w);
    line_.unguard(free);
    return false;
  }

  /// Adds permits.  Returns the waiters that now have theirs, in order.
  [[nodiscard]] waiter_queue release(std::uint64_t permits) noexcept {
    require(permits <= guarded_word::max_value, "semaphore", this, too_many);
    const std::uint64_t room = guarded_word::max_value - permits;
    if (line_.try_change([room](std::uint64_t free) { return free <= room; },
                         [permits](std::uint64_t free) { return free + permits; })) {
      return {};
    }
    const std::uint64_t free = line_.guard();
    require(free <= room, "semaphore", this, too_many);
    return grant(free + permits);
  }

  /// Sets the number of permits.  Returns the waiters that now have theirs, in order.
  [[nodiscard]] waiter_queue replace(std::uint64_t permits) noexcept {
    if (line_.try_change([](std::uint64_t) { return true; },
                         [permits](std::uint64_t) { return permits; })) {
      return {};
    }
    static_cast<void>(line_.guard());
    return grant(permits);
  }

  /// Takes a waiter out of the line.  Returns whether it was still there; `heirs` are the
  /// waiters behind it that now have their permits.
  [[nodiscard]] bool leave(permit_waiter& w, waiter_queue& heirs) noexcept {
    const std::uint64_t free = line_.guard();
    const bool was_in_line = line_.remove(w);
    heirs = grant(free);
    return was_in_line;
  }

  [[nodiscard]] std::uint64_t available() const noexcept { return line_.value(); }
  [[nodiscard]] bool is_waited() const noexcept { return line_.is_waited(); }

 private:
  static constexpr const char* too_many = "more permits than it can count";

  /// Serves the line from its front (P2, P3), then clears the guard.
  waiter_queue grant(std::uint64_t free) noexcept {
    waiter_queue heirs;
    while (line_waiter* const first = line_.front()) {
      const std::uint64_t wants = static_cast<permit_waiter*>(first)->wants;
      if (wants > free) break;
      free -= wants;
      heirs.push_back(line_.pop_front());
    }
    line_.unguard(free);
    return heirs;
  }

  guarded_line line_;
};

}  // namespace hotseat::detail
