// hotseat/runtime/detail/injector.hpp — where tasks enter a pool from outside.
// Layer: runtime/detail.
#pragma once

#include <hotseat/core/pinned.hpp>
#include <hotseat/core/spin_lock.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/platform/config.hpp>
#include <hotseat/platform/seam.hpp>

#include <cstddef>
#include <mutex>

namespace hotseat::detail {

/// One FIFO for each NUMA node.  Unbounded: the places in line lie in the tasks' frames.
class alignas(cache_line_pair) injector : pinned<injector> {
 public:
  void push(waiter& ready) noexcept {
    const std::lock_guard guard{lock_};
    add(ready);
  }
  /// Empties the queue.
  void push_all(waiter_queue& ready) noexcept {
    const std::lock_guard guard{lock_};
    while (!ready.empty()) add(ready.pop_front());
  }

  /// Takes the oldest, up to `most`, as a list linked by `next`; nullptr if there is none.
  [[nodiscard]] waiter* pop(std::size_t most) noexcept {
    if (length() == 0) return nullptr;
    const std::lock_guard guard{lock_};
    waiter_queue taken;
    std::size_t count = 0;
    for (; count < most && !line_.empty(); ++count) taken.push_back(line_.pop_front());
    length_.store(length() - count, std::memory_order_relaxed);
    return taken.front();
  }

  /// Exact only under the lock; a glance otherwise.
  [[nodiscard]] std::size_t length() const noexcept {
    return length_.load(std::memory_order_relaxed);
  }

 private:
  void add(waiter& ready) noexcept {
    line_.push_back(ready);
    length_.store(length() + 1, std::memory_order_relaxed);
  }

  spin_lock lock_;
  waiter_queue line_;
  platform::atomic<std::size_t> length_{0};
};

}  // namespace hotseat::detail
