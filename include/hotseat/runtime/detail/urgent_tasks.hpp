// hotseat/runtime/detail/urgent_tasks.hpp — tasks that any worker takes first.
// Layer: runtime/detail.
#pragma once

#include <hotseat/core/pinned.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/platform/config.hpp>
#include <hotseat/platform/seam.hpp>

namespace hotseat::detail {

/// Heirs whose chain was cut: each owns a lock that others wait for.  One stack per pool.
/// Any worker pushes; any worker takes all at once.  So several takers are safe: none
/// follows a pointer inside the stack.
///
/// Memory order
///   I  release  push      ⟶ T   publishes the waiter
///   T  acquire  take_all  ⟵ I   (pushes are RMWs: one acquire covers the list)
class alignas(cache_line) urgent_tasks : pinned<urgent_tasks> {
 public:
  void push(waiter& ready) noexcept {
    waiter* seen = newest_.load(std::memory_order_relaxed);
    do {
      ready.next = seen;
    } while (!newest_.compare_exchange_weak(seen, &ready, std::memory_order_release,  // I
                                            std::memory_order_relaxed));
  }

  /// A glance.
  [[nodiscard]] bool empty() const noexcept {
    return newest_.load(std::memory_order_relaxed) == nullptr;
  }

  /// All, oldest first, linked by `next`; null if there is none.
  [[nodiscard]] waiter* take_all() noexcept {
    if (empty()) return nullptr;
    return oldest_first(newest_.exchange(nullptr, std::memory_order_acquire));  // T
  }

 private:
  platform::atomic<waiter*> newest_{nullptr};
};

}  // namespace hotseat::detail
