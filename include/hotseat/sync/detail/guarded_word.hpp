// hotseat/sync/detail/guarded_word.hpp — a number that changes by one atomic operation
// while no task waits, and under a guard otherwise.  Layer: sync/detail.
#pragma once

#include <hotseat/core/back_off.hpp>
#include <hotseat/platform/seam.hpp>

#include <cstdint>

namespace hotseat::detail {

/// The word in front of the line of a primitive: permits, readers, arrivals.  Two bits of
/// it are the guard of the line.
///
///     bits   name     meaning
///     ─────  ───────  ─────────────────────────────────────────────────────────────
///     0      guarded  a thread is changing the value and the line
///     1      waited   the line is not empty: changes need the guard
///     2..63  value    what the primitive counts
///
/// Invariants
///   G1  Only the thread that set `guarded` touches the line.  While `waited`, no other
///       thread makes a change of the value that lets a task in.
///   G2  waited ⇔ the line is not empty, whenever `guarded` is not set.
///
/// Memory order
///   A  acq_rel  value → value        ⟷ A, O   sees and publishes what the value stands for
///   G  acquire  any → guarded        ⟵ A, O   sees the line as the last guard left it
///   O  release  guarded → unguarded  ⟶ A, G   publishes the line
class guarded_word {
 public:
  static constexpr std::uint64_t max_value = UINT64_MAX >> 2U;

  constexpr explicit guarded_word(std::uint64_t value) noexcept : word_{value << 2U} {}

  /// A glance.
  [[nodiscard]] std::uint64_t value() const noexcept {
    return word_.load(std::memory_order_relaxed) >> 2U;
  }
  /// Sees what was published together with the value.
  [[nodiscard]] std::uint64_t acquire_value() const noexcept {
    return word_.load(std::memory_order_acquire) >> 2U;  // A
  }
  /// A glance.
  [[nodiscard]] bool is_waited() const noexcept {
    return (word_.load(std::memory_order_relaxed) & waited) != 0;
  }

  /// Replaces the value by `change(value)` if `may(value)`.  Returns whether it did; false
  /// while a task waits.
  template <class May, class Change>
  [[nodiscard]] bool try_change(May may, Change change) noexcept {
    return try_change_unless(waited, may, change);
  }

  /// The same, even while tasks wait.  REQUIRES: the change lets no task in.
  template <class May, class Change>
  [[nodiscard]] bool try_change_beside_line(May may, Change change) noexcept {
    return try_change_unless(0, may, change);
  }

  /// any → guarded.  Returns the value.
  [[nodiscard]] std::uint64_t guard() noexcept {
    std::uint64_t seen = word_.load(std::memory_order_relaxed);
    return try_guard(seen) ? seen >> 2U : guard_slow();
  }

  /// guarded → unguarded.  REQUIRES: the caller set the guard.
  void unguard(std::uint64_t value, bool is_waited) noexcept {
    word_.store((value << 2U) | (is_waited ? waited : 0), std::memory_order_release);  // O
  }

 private:
  static constexpr std::uint64_t guarded = 1;
  static constexpr std::uint64_t waited = 2;

  [[nodiscard]] bool try_guard(std::uint64_t& seen) noexcept {
    return (seen & guarded) == 0 &&
           word_.compare_exchange_weak(seen, seen | guarded,
                                       std::memory_order_acquire,  // G
                                       std::memory_order_relaxed);
  }

  [[nodiscard, gnu::noinline]] std::uint64_t guard_slow() noexcept {
    for (back_off others_first;;) {
      others_first.wait();
      std::uint64_t seen = word_.load(std::memory_order_relaxed);
      if (try_guard(seen)) return seen >> 2U;
    }
  }

  template <class May, class Change>
  [[nodiscard]] bool try_change_unless(std::uint64_t obstacle, May may,
                                       Change change) noexcept {
    std::uint64_t seen = word_.load(std::memory_order_relaxed);
    for (;;) {
      if ((seen & guarded) != 0) {
        platform::relax();
        seen = word_.load(std::memory_order_relaxed);
        // The thread inside may have lost its core; the slow path knows how to wait.
        if ((seen & guarded) != 0) return false;
      }
      if ((seen & obstacle) != 0 || !may(seen >> 2U)) return false;
      if (word_.compare_exchange_weak(seen, (change(seen >> 2U) << 2U) | (seen & waited),
                                      std::memory_order_acq_rel,  // A
                                      std::memory_order_relaxed)) {
        return true;
      }
    }
  }

  platform::atomic<std::uint64_t> word_;
};

}  // namespace hotseat::detail
