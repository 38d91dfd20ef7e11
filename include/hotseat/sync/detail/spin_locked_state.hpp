// hotseat/sync/detail/spin_locked_state.hpp — the owner of a mutex, and a guarded queue.
// Layer: sync/detail.  The paper's final choice; same verbs as lock_free_state.hpp.
#pragma once

#include <hotseat/core/assert.hpp>
#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/spin_wait.hpp>
#include <hotseat/core/waiter_line.hpp>
#include <hotseat/platform/seam.hpp>

#include <cstdint>

namespace hotseat::detail {

/// A word of three bits in front of a queue.  Without contention only the word is touched.
///
///     name       word_                meaning
///     ─────────  ───────────────────  ─────────────────────────────────────────
///     free       0                    no owner
///     held       owned                one owner, no waiters
///     contended  owned|waited         one owner, line_ is not empty
///     guarded    any of these + bit   a thread is changing word_ and line_
///
/// Invariants
///   I1  waited ⇔ line_ is not empty, whenever `guarded` is not set.
///   I2  Only the thread that set `guarded` touches line_.
///   I3  line_ is in order of arrival.  (⇒ FIFO)
///
/// Memory order
///   A  acquire  free → held           ⟵ R    sees the last owner's section
///   G  acquire  any → guarded         ⟵ O    sees the queue as the last guard left it
///   O  release  guarded → any         ⟶ G    publishes the queue
///   R  release  held → free           ⟶ A    publishes this section
class spin_locked_state {
 public:
  [[nodiscard]] bool try_acquire() noexcept {
    std::uint32_t seen = free;
    return word_.compare_exchange_strong(seen, owned, std::memory_order_acquire,  // A
                                         std::memory_order_relaxed);
  }

  /// Returns whether the caller is now the owner.  On false, `w` belongs to the owner: it
  /// may be resumed before this returns.
  [[nodiscard]] bool acquire_or_enqueue(line_waiter& w) noexcept {
    if (guard() == free) {
      word_.store(owned, std::memory_order_release);  // O
      return true;
    }
    line_.push_back(w);
    word_.store(owned | waited, std::memory_order_release);  // O
    return false;
  }

  /// Returns the new owner, which the caller must resume or schedule; null if none waited.
  /// REQUIRES: the caller is the owner.
  [[nodiscard]] line_waiter* release() noexcept {
    std::uint32_t seen = owned;
    if (word_.compare_exchange_strong(seen, free, std::memory_order_release,  // R
                                      std::memory_order_relaxed)) {
      return nullptr;
    }
    seen = guard();
    require((seen & owned) != 0, "mutex", this,
            "only the owner may unlock; nobody owns it");
    if ((seen & waited) == 0) {
      word_.store(free, std::memory_order_release);  // R, O
      return nullptr;
    }
    line_waiter& heir = line_.pop_front();  // I3: the oldest arrival.
    if (const line_waiter* const after = line_.front())
      platform::prefetch(after->task.address());
    word_.store(line_.empty() ? owned : owned | waited, std::memory_order_release);  // O
    return &heir;
  }

  /// Removes a waiter from the line.  Returns whether it was there; if not, it owns the
  /// lock.
  [[nodiscard]] bool leave(line_waiter& w) noexcept {
    const std::uint32_t seen = guard();
    const bool is_in_line = w.is_in_line;
    if (is_in_line) line_.remove(w);
    const bool is_last = is_in_line && line_.empty();
    word_.store(is_last ? owned : seen, std::memory_order_release);  // O
    return is_in_line;
  }

  [[nodiscard]] bool is_free() const noexcept {
    return word_.load(std::memory_order_relaxed) == free;
  }

 private:
  static constexpr std::uint32_t free = 0;
  static constexpr std::uint32_t owned = 1;
  static constexpr std::uint32_t waited = 2;
  static constexpr std::uint32_t guarded = 4;

  /// any → guarded.  Returns the word without the bit.
  std::uint32_t guard() noexcept {
    for (spin_wait wait;; wait()) {
      std::uint32_t seen = word_.load(std::memory_order_relaxed);
      if ((seen & guarded) == 0 &&
          word_.compare_exchange_weak(seen, seen | guarded, std::memory_order_acquire,  // G
                                      std::memory_order_relaxed)) {
        return seen;
      }
    }
  }

  platform::atomic<std::uint32_t> word_{free};
  waiter_line line_;  // Under `guarded` (I2).
};

}  // namespace hotseat::detail
