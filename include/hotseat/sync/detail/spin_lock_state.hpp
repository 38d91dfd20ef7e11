// hotseat/sync/detail/spin_lock_state.hpp — who owns a mutex, and who is next: a guarded
// queue. Layer: sync/detail.  The paper's final choice; same verbs as lock_state.hpp.
#pragma once

#include <hotseat/core/assert.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/core/waiter_queue.hpp>
#include <hotseat/platform/atomic.hpp>
#include <hotseat/platform/relax.hpp>

#include <cstdint>

namespace hotseat::detail {

/// A word of three bits in front of a queue.  Without contention the word is all there is;
/// the queue is touched only by whoever has set `guarded`.
///
///     name       word_                meaning
///     ─────────  ───────────────────  ─────────────────────────────────────────
///     free       0                    no owner
///     held       owned                one owner, nobody waits
///     contended  owned|waited         one owner, queue_ is not empty
///     guarded    any of these + bit   somebody is changing word_ and queue_
///
/// Invariants
///   I1  waited ⇔ queue_ is not empty, whenever `guarded` is not set.
///   I2  Only the thread that set `guarded` touches queue_.
///   I3  queue_ is in order of arrival.  (⇒ FIFO)
///
/// Memory order
///   A  acquire  free → held           ⟵ R    sees the last owner's section
///   G  acquire  any → guarded         ⟵ O    sees the queue as the last guard left it
///   O  release  guarded → any         ⟶ G    publishes the queue
///   R  release  held → free           ⟶ A    publishes this section
class spin_lock_state {
 public:
  [[nodiscard]] bool try_acquire() noexcept {
    std::uint32_t seen = free;
    return word_.compare_exchange_strong(seen, owned, std::memory_order_acquire,  // A
                                         std::memory_order_relaxed);
  }

  /// Returns whether the caller is now the owner.  On false, `w` belongs to the owner: it
  /// may be resumed before this returns.
  [[nodiscard]] bool acquire_or_enqueue(waiter& w) noexcept {
    if (guard() == free) {
      word_.store(owned, std::memory_order_release);  // O
      return true;
    }
    queue_.push_back(w);
    word_.store(owned | waited, std::memory_order_release);  // O
    return false;
  }

  /// Returns the new owner, whom the caller must resume or schedule, or nullptr if nobody
  /// was waiting.  REQUIRES: the caller is the owner.
  [[nodiscard]] waiter* release() noexcept {
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
    waiter& heir = queue_.pop_front();  // I3: the oldest arrival.
    if (waiter* const after = queue_.front()) platform::prefetch(after->task.address());
    word_.store(queue_.empty() ? owned : owned | waited, std::memory_order_release);  // O
    return &heir;
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
    for (int turns = 0;; ++turns) {
      std::uint32_t seen = word_.load(std::memory_order_relaxed);
      if ((seen & guarded) == 0 &&
          word_.compare_exchange_weak(seen, seen | guarded, std::memory_order_acquire,  // G
                                      std::memory_order_relaxed)) {
        return seen;
      }
      if (turns < spin_turns) {
        platform::relax();
      } else {
        platform::yield_core();
      }
    }
  }

  static constexpr int spin_turns = 64;

  platform::atomic<std::uint32_t> word_{free};
  waiter_queue queue_;  // Under `guarded` (I2).
};

}  // namespace hotseat::detail
