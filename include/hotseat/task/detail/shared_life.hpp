// hotseat/task/detail/shared_life.hpp — how long a shared task lives: for its handles, and
// while it runs.  Layer: task/detail.
#pragma once

#include <hotseat/platform/seam.hpp>

#include <cstdint>

namespace hotseat::detail {

/// The word behind `shared_task`.
///
///     bits   name     meaning
///     ─────  ───────  ─────────────────────────────────────────────────
///     0      started  an awaiter has started it
///     1      ended    it has ended; never without `started`
///     2..63  handles  how many there are; operations that wait have one
///
/// While it runs, from its start to its end, the task keeps itself alive.
///
/// Invariants
///   L1  It is started once.
///   L2  It is destroyed once: by the last handle, or by its own end if no handle is left.
///   L3  The last handle of a task that runs is recognised before it is given up.
///
/// Memory order
///   H  acq_rel  a handle less, or ended   ⟷ H   publishes what its user did; the last
///                                               user sees it all before it destroys
class shared_life {
 public:
  /// Starts with one handle.
  shared_life() = default;

  /// REQUIRES: the caller has a handle.
  void add_handle() noexcept { word_.fetch_add(one_handle, std::memory_order_relaxed); }

  /// Drops a handle.  If it is the last one and the task runs, calls `abandon` first,
  /// perhaps more than once (L3).  Returns whether the caller must destroy the task (L2).
  template <class Abandon>
  [[nodiscard]] bool drop_handle(Abandon abandon) noexcept {
    std::uint64_t seen = word_.load(std::memory_order_relaxed);
    do {
      if (seen == (one_handle | started)) abandon();
    } while (!word_.compare_exchange_weak(seen, seen - one_handle,
                                          std::memory_order_acq_rel,  // H
                                          std::memory_order_relaxed));
    return seen == one_handle || seen == (one_handle | started | ended);
  }

  /// Returns whether the caller must start it (L1).
  [[nodiscard]] bool try_start() noexcept {
    return !is_started() &&
           (word_.fetch_or(started, std::memory_order_relaxed) & started) == 0;
  }

  /// The task has ended.  Returns whether the caller must destroy it (L2).
  [[nodiscard]] bool end() noexcept {
    return word_.fetch_or(ended, std::memory_order_acq_rel) == started;  // H
  }

  /// A glance.
  [[nodiscard]] bool is_started() const noexcept {
    return (word_.load(std::memory_order_relaxed) & started) != 0;
  }

 private:
  static constexpr std::uint64_t started = 1;
  static constexpr std::uint64_t ended = 2;
  static constexpr std::uint64_t one_handle = 4;

  platform::atomic<std::uint64_t> word_{one_handle};
};

}  // namespace hotseat::detail
