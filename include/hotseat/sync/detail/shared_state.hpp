// hotseat/sync/detail/shared_state.hpp — who is inside a shared_mutex, and who is next.
// Layer: sync/detail.  States and edges only: no coroutines, no scheduling.
#pragma once

#include <hotseat/core/assert.hpp>
#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/sync/detail/guarded_line.hpp>

#include <cstdint>

namespace hotseat::detail {

/// How a task owns a shared_mutex: a writer alone, a reader together with others.
enum class access : std::uint8_t { exclusive, shared };

struct shared_waiter : line_waiter {
  using line_waiter::line_waiter;
  access wants = access::exclusive;
};

/// The state machine behind `shared_mutex`.
///
///                 acquire exclusive         acquire shared
///     ┌─────────┐ ◄─────────────── ┌──────┐ ──────────────► ┌──────┐ ⟲ acquire shared,
///     │ written │                  │ free │                 │ read │   release shared
///     └─────────┘ ───────────────► └──────┘ ◄────────────── └──────┘
///                 release exclusive         release shared,
///                                           the last one
///
///     name     value          meaning
///     ───────  ─────────────  ──────────────────────────────
///     free     0              no task is inside
///     read     1..            that many readers are inside
///     written  max_value      one writer is inside
///
///     line_                   waiters, in order of arrival
///
/// A lock that becomes free while tasks wait is passed on at once: to the writer at the
/// front of the line, or to all readers up to the first writer.
///
/// Invariants
///   R1  A writer inside is alone.
///   R2  While tasks wait, the first in line cannot enter: it is a writer, or a writer is
///       inside.  (⇒ free: no task waits)
///   R3  No task enters before one that arrived earlier.  (⇒ neither side starves: readers
///       that arrive while a writer waits stand behind it)
/// Memory order: guarded_word.hpp.
class shared_state {
 public:
  [[nodiscard]] bool try_acquire(access wanted = access::exclusive) noexcept {
    return line_.try_change(
        [wanted](std::uint64_t inside) { return fits(inside, wanted); },
        [wanted](std::uint64_t inside) { return with(inside, wanted); });
  }

  /// Returns whether the caller is now inside.  On false, `w` belongs to the line: it may
  /// be resumed before this returns.
  [[nodiscard]] bool acquire_or_enqueue(shared_waiter& w) noexcept {
    const std::uint64_t inside = line_.guard();
    if (line_.is_empty() && fits(inside, w.wants)) {
      line_.unguard(with(inside, w.wants));
      return true;
    }
    line_.push_back(w);
    line_.unguard(inside);
    return false;
  }

  /// Gives up what the caller owns.  Returns the waiters that are now inside, in order: one
  /// writer, or readers.  REQUIRES: the caller is inside as `had` says.
  [[nodiscard]] waiter_queue release(access had = access::exclusive) noexcept {
    // The first waiter is a writer (R2): while other readers stay, no task gets in.
    if (had == access::shared && line_.try_change_beside_line(&are_several, &less_one)) {
      return {};
    }
    if (line_.try_change([had](std::uint64_t inside) { return is_inside(inside, had); },
                         [had](std::uint64_t inside) { return without(inside, had); })) {
      return {};
    }
    const std::uint64_t inside = line_.guard();
    require(is_inside(inside, had), "shared_mutex", this,
            had == access::exclusive
                ? "only its writer may unlock; no writer is inside"
                : "only a reader may unlock_shared; no reader is inside");
    return grant(without(inside, had));
  }

  /// Takes a waiter out of the line.  Returns whether it was still there; `heirs` are the
  /// waiters behind it that are now inside.
  [[nodiscard]] bool leave(shared_waiter& w, waiter_queue& heirs) noexcept {
    const std::uint64_t inside = line_.guard();
    const bool was_in_line = line_.remove(w);
    heirs = grant(inside);
    return was_in_line;
  }

  [[nodiscard]] bool is_free() const noexcept { return line_.value() == free; }

 private:
  static constexpr std::uint64_t free = 0;
  static constexpr std::uint64_t written = guarded_word::max_value;

  static bool fits(std::uint64_t inside, access wanted) noexcept {
    return wanted == access::exclusive ? inside == free : inside != written;  // R1
  }
  static std::uint64_t with(std::uint64_t inside, access wanted) noexcept {
    return wanted == access::exclusive ? written : inside + 1;
  }
  static bool is_inside(std::uint64_t inside, access had) noexcept {
    return had == access::exclusive ? inside == written
                                    : inside != free && inside != written;
  }
  static std::uint64_t without(std::uint64_t inside, access had) noexcept {
    return had == access::exclusive ? free : less_one(inside);
  }

  static bool are_several(std::uint64_t inside) noexcept {
    return inside > 1 && inside != written;
  }
  static std::uint64_t less_one(std::uint64_t inside) noexcept { return inside - 1; }

  /// Lets in all that fit, from the front of the line (R2, R3), then clears the guard.
  waiter_queue grant(std::uint64_t inside) noexcept {
    waiter_queue heirs;
    while (line_waiter* const first = line_.front()) {
      const access wants = static_cast<shared_waiter*>(first)->wants;
      if (!fits(inside, wants)) break;
      inside = with(inside, wants);
      heirs.push_back(line_.pop_front());
    }
    line_.unguard(inside);
    return heirs;
  }

  guarded_line line_{free};
};

}  // namespace hotseat::detail
