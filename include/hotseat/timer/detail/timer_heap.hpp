// hotseat/timer/detail/timer_heap.hpp — timers by due time, without allocation.
// Layer: timer/detail.
#pragma once

#include <hotseat/core/waiter.hpp>
#include <hotseat/platform/clock.hpp>

#include <cstdint>

namespace hotseat::detail {

/// A task that sleeps.  Lives in the operation that it awaits.
struct timer {
  enum class phase : std::uint8_t {
    idle,       ///< not in the heap yet
    sleeping,   ///< in the heap
    rung,       ///< taken out: its time has come
    cancelled,  ///< taken out, or kept out, before its time
  };

  platform::clock::time_point due;
  waiter sleeper;
  phase state = phase::idle;  // under the lock of the timer_queue

  // A pairing heap: the first child, the next sibling, and whoever points to us.
  timer* child = nullptr;
  timer* sibling = nullptr;
  timer** back = nullptr;
};

/// A pairing heap of timers: add and look in constant time, remove in amortized O(log n).
/// Not thread-safe.
///
/// Invariants
///   H1  No timer is due before its parent.
///   H2  *t.back == &t for every timer in the heap.
class timer_heap {
 public:
  [[nodiscard]] timer* earliest() const noexcept { return root_; }

  void add(timer& t) noexcept {
    t.child = t.sibling = nullptr;
    set_root(meld(root_, &t));
  }

  /// REQUIRES: `t` is in the heap.
  void remove(timer& t) noexcept {
    timer* const rest = meld_siblings(t.child);
    if (&t == root_) {
      set_root(rest);
    } else {
      *t.back = t.sibling;
      if (t.sibling != nullptr) t.sibling->back = t.back;
      set_root(meld(root_, rest));
    }
    t.child = t.sibling = nullptr;
    t.back = nullptr;
  }

 private:
  void set_root(timer* t) noexcept {
    root_ = t;
    if (t == nullptr) return;
    t->sibling = nullptr;
    t->back = &root_;
  }

  /// The later one becomes the first child of the earlier one.
  static timer* meld(timer* a, timer* b) noexcept {
    if (a == nullptr) return b;
    if (b == nullptr) return a;
    if (b->due < a->due) {
      timer* const earlier = b;
      b = a;
      a = earlier;
    }
    b->sibling = a->child;
    if (b->sibling != nullptr) b->sibling->back = &b->sibling;
    b->back = &a->child;
    a->child = b;
    return a;
  }

  /// Pairs from left to right, then all from right to left; a loop, since a heap may be a
  /// list of a million siblings.
  static timer* meld_siblings(timer* first) noexcept {
    timer* pairs = nullptr;
    while (first != nullptr) {
      timer* const second = first->sibling;
      timer* const next = second != nullptr ? second->sibling : nullptr;
      first->sibling = nullptr;
      if (second != nullptr) second->sibling = nullptr;
      timer* const pair = meld(first, second);
      pair->sibling = pairs;
      pairs = pair;
      first = next;
    }
    timer* result = nullptr;
    while (pairs != nullptr) {
      timer* const next = pairs->sibling;
      pairs->sibling = nullptr;
      result = meld(result, pairs);
      pairs = next;
    }
    return result;
  }

  timer* root_ = nullptr;
};

}  // namespace hotseat::detail
