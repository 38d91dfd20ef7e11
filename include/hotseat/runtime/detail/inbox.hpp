// hotseat/runtime/detail/inbox.hpp — tasks that were sent to one worker.
// Layer: runtime/detail.
#pragma once

#include <hotseat/core/cache_line.hpp>
#include <hotseat/core/pinned.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/core/waiter_queue.hpp>
#include <hotseat/platform/seam.hpp>

namespace hotseat::detail {

/// A stack that anybody pushes to and that is always emptied as a whole, by its worker or,
/// if that is busy for long, by a hungry one.  Taking all at once is what makes it safe
/// for several takers: nobody follows a pointer inside it.
///
/// Memory order
///   I  release  push      ⟶ T   publishes the waiter
///   T  acquire  take_all  ⟵ I   (pushes are RMWs: one acquire covers the list)
class alignas(cache_line) inbox : pinned<inbox> {
 public:
  void push(waiter& ready) noexcept {
    waiter* seen = newest_.load(std::memory_order_relaxed);
    do {
      ready.next = seen;
    } while (!newest_.compare_exchange_weak(seen, &ready, std::memory_order_release,  // I
                                            std::memory_order_relaxed));
  }

  [[nodiscard]] bool empty() const noexcept {
    return newest_.load(std::memory_order_relaxed) == nullptr;
  }

  /// All, oldest first, linked by `next`.
  [[nodiscard]] waiter* take_all() noexcept {
    if (empty()) return nullptr;
    return oldest_first(newest_.exchange(nullptr, std::memory_order_acquire));  // T
  }

 private:
  platform::atomic<waiter*> newest_{nullptr};
};

}  // namespace hotseat::detail
