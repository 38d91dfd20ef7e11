// hotseat/core/owner_guard.hpp — a guard that costs its usual owner next to nothing.
// Layer: core.
#pragma once

#include <hotseat/core/pinned.hpp>
#include <hotseat/platform/seam.hpp>

#include <cstdint>

namespace hotseat {

/// Excludes two sides from each other: the owner of a lock, which enters often, one at a
/// time since it owns the lock; and visitors, which enter rarely, from any thread.  The
/// owner pays two stores and a load; a visitor pays a system call (Dekker's algorithm with
/// its fence on one side).
///
/// Invariants
///   G1  Owner and visitor are never inside together, nor are two visitors.
///
/// Memory order
///   O  release  inside → outside     ⟶ V   a visitor sees what the owner did
///   V  acquire  owner outside        ⟵ O
///   C  release  visited → unvisited  ⟶ N   the owner, and the next visitor, see what the
///   N  acquire  unvisited            ⟵ C   visitor did
class owner_guard : pinned<owner_guard> {
 public:
  /// REQUIRES: the caller owns what the guard protects.
  void enter() noexcept {
    is_inside_.store(true, std::memory_order_relaxed);
    if (platform::load_after_stores(visitors_) != 0) [[unlikely]] {  // N
      enter_slow();
    }
  }
  void leave() noexcept { is_inside_.store(false, std::memory_order_release); }  // O

  void visit() noexcept;
  void end_visit() noexcept { visitors_.store(0, std::memory_order_release); }  // C

 private:
  void enter_slow() noexcept;

  platform::atomic<bool> is_inside_{false};
  platform::atomic<std::uint32_t> visitors_{0};
};

}  // namespace hotseat
