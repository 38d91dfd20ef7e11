// hotseat/core/spin_lock.hpp — for a handful of instructions, never across a suspension.
// Layer: core.
#pragma once

#include <hotseat/core/pinned.hpp>
#include <hotseat/platform/atomic.hpp>
#include <hotseat/platform/relax.hpp>

namespace hotseat {

/// Test and test-and-set.  Gives the core away after a while, so that an owner that lost
/// its core can finish when there are more threads than cores.
///
/// Memory order
///   L  acquire  open → shut    ⟵ U   sees the last owner's writes
///   U  release  shut → open    ⟶ L
class spin_lock : pinned<spin_lock> {
 public:
  void lock() noexcept {
    while (!try_lock()) {
      for (int turns = 0; is_shut_.load(std::memory_order_relaxed); ++turns) {
        if (turns < spin_turns) {
          platform::relax();
        } else {
          platform::yield_core();
        }
      }
    }
  }

  [[nodiscard]] bool try_lock() noexcept {
    return !is_shut_.exchange(true, std::memory_order_acquire);  // L
  }

  void unlock() noexcept { is_shut_.store(false, std::memory_order_release); }  // U

 private:
  static constexpr int spin_turns = 64;

  platform::atomic<bool> is_shut_{false};
};

}  // namespace hotseat
