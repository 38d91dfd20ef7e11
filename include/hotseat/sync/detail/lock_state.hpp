// hotseat/sync/detail/lock_state.hpp — who owns a mutex, and who is next: one lock-free
// word. Layer: sync/detail.  States and edges only: no coroutines, no scheduling.
#pragma once

#include <hotseat/core/assert.hpp>
#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/owner_guard.hpp>
#include <hotseat/core/waiter_line.hpp>
#include <hotseat/platform/atomic.hpp>
#include <hotseat/platform/relax.hpp>

#include <cstdint>

namespace hotseat::detail {

/// The state machine behind `mutex`.
///
///              acquire            enqueue
///     ┌──────┐ ───────► ┌──────┐ ────────► ┌───────────┐
///     │ free │          │ held │           │ contended │ ⟲ enqueue, release, leave
///     └──────┘ ◄─────── └──────┘ ◄──────── └───────────┘
///              release            release, if everybody has left
///
///     name       word_     meaning
///     ─────────  ────────  ────────────────────────────────────────────────────────────
///     free       0         no owner
///     held       1         one owner; nobody waits
///     contended  a waiter  one owner; the newest arrival, linked to the older ones, and
///                          whoever is in line_
///                lined     one owner; whoever is in line_, perhaps nobody any more
///
/// Invariants
///   I1  free or held ⇒ line_ is empty.
///   I2  line_ is touched only inside guard_: by the owner who passes the lock on, and by
///       waiters who leave early.
///   I3  Whoever is in line_ arrived before whoever hangs off word_.  (⇒ FIFO)
///
/// Memory order: each edge names its partner.
///   A  acquire  free → held      ⟵ R    sees the last owner's section
///   E  release  any  → waiter    ⟶ D    publishes the waiter to the owner
///   D  acquire  line → lined     ⟵ E    sees every waiter it drains (all E are RMWs, so
///                                        one acquire covers the line)
///   R  release  held → free      ⟶ A    publishes this section
/// A hand-over needs no edge of its own: the executor that runs the heir provides it.
class lock_state {
 public:
  /// free → held.  Returns whether the caller is now the owner.
  [[nodiscard]] bool try_acquire() noexcept {
    std::uintptr_t seen = free;
    return word_.compare_exchange_strong(seen, held, std::memory_order_acquire,  // A
                                         std::memory_order_relaxed);
  }

  /// free → held, or joins the line.  Returns whether the caller is now the owner.
  /// On false, `w` belongs to the line: it may be resumed before this returns.
  [[nodiscard]] bool acquire_or_enqueue(line_waiter& w) noexcept {
    w.is_in_line = true;
    std::uintptr_t seen = word_.load(std::memory_order_relaxed);
    for (;;) {
      if (seen == free) {
        if (word_.compare_exchange_weak(seen, held, std::memory_order_acquire,  // A
                                        std::memory_order_relaxed)) {
          w.is_in_line = false;
          return true;
        }
      } else {
        w.next = newest(seen);
        if (word_.compare_exchange_weak(seen, to_word(w), std::memory_order_release,  // E
                                        std::memory_order_relaxed)) {
          return false;
        }
      }
    }
  }

  /// Gives up ownership: held → free, or passes it on.  Returns the new owner, whom the
  /// caller must settle and resume or schedule, or nullptr if nobody was waiting.
  /// REQUIRES: the caller is the owner.
  [[nodiscard]] line_waiter* release() noexcept {
    if (word_.load(std::memory_order_relaxed) == held && try_free()) return nullptr;
    return release_slow();
  }

  /// Takes a waiter out of the line.  Returns whether it was still there; otherwise it has
  /// been made the owner.
  [[nodiscard]] bool leave(line_waiter& w) noexcept {
    guard_.visit();
    const bool is_in_line = w.is_in_line;
    if (is_in_line) {
      drain();
      line_.remove(w);
    }
    guard_.end_visit();
    return is_in_line;
  }

  [[nodiscard]] bool is_free() const noexcept {
    return word_.load(std::memory_order_relaxed) == free;
  }

 private:
  static constexpr std::uintptr_t free = 0;
  static constexpr std::uintptr_t held = 1;
  static constexpr std::uintptr_t lined = 2;

  /// held → free.
  bool try_free() noexcept {
    std::uintptr_t seen = held;
    return word_.compare_exchange_strong(seen, free, std::memory_order_release,  // R
                                         std::memory_order_relaxed);
  }

  line_waiter* release_slow() noexcept {
    require(!is_free(), "mutex", this, "only the owner may unlock; nobody owns it");
    do {
      if (line_waiter* const heir = pass_on()) return heir;
    } while (!try_free());
    return nullptr;
  }

  /// contended → held, if everybody has left; then nullptr.
  line_waiter* pass_on() noexcept {
    line_waiter* heir = nullptr;
    guard_.enter();
    if (line_.empty()) drain();
    if (line_.empty()) {
      std::uintptr_t seen = lined;
      word_.compare_exchange_strong(seen, held, std::memory_order_relaxed);
    } else {
      heir = &line_.pop_front();  // I3: the oldest arrival.
      if (const line_waiter* const after = line_.front()) {
        platform::prefetch(after->task.address());
      }
    }
    guard_.leave();
    return heir;
  }

  /// Moves all arrivals into line_.  REQUIRES: inside guard_, and not free.
  void drain() noexcept {
    const std::uintptr_t seen = word_.exchange(lined, std::memory_order_acquire);  // D
    line_.push_back_stack(newest(seen));
  }

  static line_waiter* newest(std::uintptr_t word) noexcept {
    return reinterpret_cast<line_waiter*>(word & ~(held | lined));
  }
  static std::uintptr_t to_word(line_waiter& w) noexcept {
    return reinterpret_cast<std::uintptr_t>(&w);
  }

  platform::atomic<std::uintptr_t> word_{free};
  waiter_line line_;  // Inside guard_ (I2).
  owner_guard guard_;
};

}  // namespace hotseat::detail
