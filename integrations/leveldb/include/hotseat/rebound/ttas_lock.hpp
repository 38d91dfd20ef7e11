// hotseat/rebound/ttas_lock.hpp — test and test-and-set: the smallest lock there is.
#pragma once

#include <hotseat/platform/seam.hpp>
#include <hotseat/rebound/patience.hpp>

namespace hotseat::rebound {

/// All waiters spin on one word, reading it until it looks free.  No order of arrival.
///
/// Memory order
///   L  acquire  free → owned    ⟵ U   sees the last owner's section
///   U  release  owned → free    ⟶ L
class ttas_lock {
 public:
  void lock() noexcept {
    while (!try_lock()) {
      patience calm;
      while (is_owned_.load(std::memory_order_relaxed)) calm.wait();
    }
  }

  [[nodiscard]] bool try_lock() noexcept {
    return !is_owned_.exchange(true, std::memory_order_acquire);  // L
  }

  void unlock() noexcept { is_owned_.store(false, std::memory_order_release); }  // U

 private:
  platform::atomic<bool> is_owned_{false};
};

}  // namespace hotseat::rebound
