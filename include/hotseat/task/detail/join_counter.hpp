// hotseat/task/detail/join_counter.hpp — the last of several tasks resumes the one that
// waits.  Layer: task/detail.
#pragma once

#include <hotseat/platform/seam.hpp>

#include <coroutine>
#include <cstddef>

namespace hotseat::detail {

/// Memory order
///   J  acq_rel  count → count-1   ⟷ J   each arrival publishes its result; the last one
///      acquire  count == 1        ⟵ J   sees them all and brings them to the waiter
class join_counter {
 public:
  /// REQUIRES: no task has arrived.
  void start(std::size_t count, std::coroutine_handle<> waiting) noexcept {
    waiting_ = waiting;
    left_.store(count, std::memory_order_relaxed);
  }

  /// Returns the waiting task for the last arrival, null for the others.  Unless it is the
  /// last one, the caller must not touch the counter again.
  [[nodiscard]] std::coroutine_handle<> arrive() noexcept {
    // Read first: otherwise clang 19 reads it in any case, between changing the count and
    // comparing it, when this memory may be gone.
    const std::coroutine_handle<> waiting = waiting_;
    // No other arrival is left, so the last one need not count itself.
    if (left_.load(std::memory_order_acquire) == 1) return waiting;          // J
    if (left_.fetch_sub(1, std::memory_order_acq_rel) != 1) return nullptr;  // J
    return waiting;
  }

 private:
  platform::atomic<std::size_t> left_{0};
  std::coroutine_handle<> waiting_;
};

}  // namespace hotseat::detail
