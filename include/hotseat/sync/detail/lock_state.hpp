// hotseat/sync/detail/lock_state.hpp — who owns a mutex, and who is next: one lock-free
// word. Layer: sync/detail.  States and edges only: no coroutines, no scheduling.
#pragma once

#include <hotseat/core/assert.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/core/waiter_queue.hpp>
#include <hotseat/platform/atomic.hpp>
#include <hotseat/platform/relax.hpp>
#include <hotseat/platform/var.hpp>

#include <cstdint>

namespace hotseat::detail {

/// The state machine behind `mutex`.
///
///              acquire            enqueue
///     ┌──────┐ ───────► ┌──────┐ ────────► ┌───────────┐
///     │ free │          │ held │           │ contended │ ⟲ enqueue
///     └──────┘ ◄─────── └──────┘ ◄──────── └───────────┘
///              release*           release* (drain)
///
///     * once line_ is empty; until then, release hands over to its front and leaves
///       word_ alone.
///
///     name       word_      meaning
///     ─────────  ─────────  ─────────────────────────────────────────────────────────
///     free       0          no owner
///     held       1          one owner; nobody arrived since the last drain
///     contended  a waiter*  one owner; the newest arrival, linked to the older ones
///
/// Invariants
///   I1  free ⇒ line_ is empty.
///   I2  Only the owner touches line_.
///   I3  Whoever is in line_ arrived before whoever hangs off word_.  (⇒ FIFO)
///
/// Memory order: each edge names its partner.
///   A  acquire  free → held      ⟵ R    sees the last owner's section
///   E  release  any  → waiter    ⟶ D    publishes the waiter to the owner
///   D  acquire  line → held      ⟵ E    sees every waiter it drains (all E are
///                                        RMWs, so one acquire covers the line)
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
  /// On false, `w` belongs to the owner: it may be resumed before this returns.
  [[nodiscard]] bool acquire_or_enqueue(waiter& w) noexcept {
    std::uintptr_t seen = word_.load(std::memory_order_relaxed);
    for (;;) {
      if (seen == free) {
        if (word_.compare_exchange_weak(seen, held, std::memory_order_acquire,  // A
                                        std::memory_order_relaxed)) {
          return true;
        }
      } else {
        w.next = seen == held ? nullptr : to_waiter(seen);
        if (word_.compare_exchange_weak(seen, to_word(w), std::memory_order_release,  // E
                                        std::memory_order_relaxed)) {
          return false;
        }
      }
    }
  }

  /// Gives up ownership: held → free, or passes it on.  Returns the new owner, whom the
  /// caller must resume or schedule, or nullptr if nobody was waiting.
  /// REQUIRES: the caller is the owner.
  [[nodiscard]] waiter* release() noexcept {
    waiter* heir = line_;
    if (heir == nullptr) {
      std::uintptr_t seen = held;
      if (word_.compare_exchange_strong(seen, free, std::memory_order_release,  // R
                                        std::memory_order_relaxed)) {
        return nullptr;
      }
      require(seen != free, "mutex", this, "only the owner may unlock; nobody owns it");
      heir = oldest_first(to_waiter(word_.exchange(held, std::memory_order_acquire)));  // D
    }
    line_ = heir->next;  // I3: the oldest arrival.
    if (waiter* const after = line_) platform::prefetch(after->task.address());
    return heir;
  }

  [[nodiscard]] bool is_free() const noexcept {
    return word_.load(std::memory_order_relaxed) == free;
  }

 private:
  static constexpr std::uintptr_t free = 0;
  static constexpr std::uintptr_t held = 1;

  static waiter* to_waiter(std::uintptr_t word) noexcept {
    return reinterpret_cast<waiter*>(word);
  }
  static std::uintptr_t to_word(waiter& w) noexcept {
    return reinterpret_cast<std::uintptr_t>(&w);
  }

  platform::atomic<std::uintptr_t> word_{free};
  platform::var<waiter*> line_ = nullptr;  // Owner only (I2).
};

}  // namespace hotseat::detail
