// hotseat/core/waiter_line.hpp — intrusive FIFO that can be left from the middle.
// Layer: core.
#pragma once

#include <hotseat/core/line_waiter.hpp>
#include <hotseat/platform/seam.hpp>

namespace hotseat {

/// Not thread-safe: exactly one task may touch a line at a time.
///
/// A waiter that leaves early finds its neighbours by `prev`.  Most lines are never left
/// early, so `prev` is set only when a waiter leaves, for all that joined since; each
/// waiter is linked back at most once.
///
/// Invariants
///   L1  w.is_in_line ⇔ w is linked here.
///   L2  w.prev is valid from behind the head up to linked_.
class waiter_line {
 public:
  [[nodiscard]] bool empty() const noexcept { return head_ == nullptr; }

  /// The oldest waiter, or nullptr.
  [[nodiscard]] line_waiter* front() const noexcept { return head_; }

  void push_back(line_waiter& w) noexcept {
    w.is_in_line = true;
    w.next = nullptr;
    if (head_ == nullptr) {
      head_ = &w;
    } else {
      tail_->next = &w;
    }
    tail_ = &w;
  }

  /// REQUIRES: !empty().
  [[nodiscard]] line_waiter& pop_front() noexcept {
    line_waiter& front = *head_;
    head_ = after(front);
    if (linked_ == &front) linked_ = nullptr;
    front.is_in_line = false;
    return front;
  }

  /// REQUIRES: `w` is in this line.
  void remove(line_waiter& w) noexcept {
    link_back();
    line_waiter* const younger = after(w);
    if (&w == head_) {
      head_ = younger;
      if (younger == nullptr) linked_ = nullptr;
    } else {
      w.prev->next = younger;
      if (younger == nullptr) {
        linked_ = tail_ = w.prev;
      } else {
        younger->prev = w.prev;
      }
    }
    w.is_in_line = false;
  }

 private:
  static line_waiter* after(const line_waiter& w) noexcept {
    waiter* const younger = w.next;
    return static_cast<line_waiter*>(younger);
  }

  void link_back() noexcept {
    line_waiter* older = linked_ != nullptr ? linked_ : head_;
    while (line_waiter* const younger = after(*older)) {
      younger->prev = older;
      older = younger;
    }
    linked_ = older;
  }

  platform::var<line_waiter*> head_ = nullptr;
  platform::var<line_waiter*> tail_ = nullptr;    // Meaningless while empty.
  platform::var<line_waiter*> linked_ = nullptr;  // L2; nullptr: no prev is valid.
};

}  // namespace hotseat
