// hotseat/core/spin_lock.hpp — for a handful of instructions, never across a suspension.
// Layer: core.
#pragma once

#include <hotseat/core/pinned.hpp>
#include <hotseat/core/spin_wait.hpp>
#include <hotseat/platform/seam.hpp>

namespace hotseat {

/// Test and test-and-set.  Yields the core after a while, so that a preempted owner can
/// finish when there are more threads than cores.
///
/// Memory order
///   L  acquire  open → shut    ⟵ U   sees the last owner's writes
///   U  release  shut → open    ⟶ L
class spin_lock : pinned<spin_lock> {
 public:
  void lock() noexcept {
    while (!try_lock()) {
      for (detail::spin_wait wait; is_shut_.load(std::memory_order_relaxed);) wait();
    }
  }

  [[nodiscard]] bool try_lock() noexcept {
    return !is_shut_.exchange(true, std::memory_order_acquire);  // L
  }

  void unlock() noexcept { is_shut_.store(false, std::memory_order_release); }  // U

 private:
  platform::atomic<bool> is_shut_{false};
};

}  // namespace hotseat
