// hotseat/core/waiter_queue.hpp — intrusive FIFO of suspended tasks.
// Layer: core.
#pragma once

#include <hotseat/core/waiter.hpp>
#include <hotseat/platform/seam.hpp>

namespace hotseat {

/// Not thread-safe: exactly one task may touch a queue at a time.
class waiter_queue {
 public:
  [[nodiscard]] bool empty() const noexcept { return head_ == nullptr; }

  /// The oldest waiter, or nullptr.
  [[nodiscard]] waiter* front() const noexcept { return head_; }

  void push_back(waiter& w) noexcept {
    w.next = nullptr;
    if (head_ == nullptr) {
      head_ = &w;
    } else {
      tail_->next = &w;
    }
    tail_ = &w;
  }

  /// REQUIRES: !empty().
  [[nodiscard]] waiter& pop_front() noexcept {
    waiter& front = *head_;
    head_ = front.next;
    return front;
  }

 private:
  platform::var<waiter*> head_ = nullptr;
  platform::var<waiter*> tail_ = nullptr;  // Meaningless while empty.
};

/// Turns a stack of arrivals (newest first) around and returns the oldest.
[[nodiscard]] inline waiter* oldest_first(waiter* newest) noexcept {
  waiter* oldest = nullptr;
  while (newest != nullptr) {
    waiter* const older = newest->next;
    newest->next = oldest;
    oldest = newest;
    newest = older;
  }
  return oldest;
}

}  // namespace hotseat
