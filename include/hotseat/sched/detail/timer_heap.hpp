// hotseat/sched/detail/timer_heap.hpp — alarms by due time, without allocation.
// Layer: sched/detail.
#pragma once

#include <hotseat/sched/executor.hpp>

namespace hotseat::detail {

/// A pairing heap of alarms: add and look in constant time, remove in amortized O(log n).
/// Not thread-safe.
///
/// Invariants
///   H1  No alarm is due before its parent.
///   H2  *t.back == &t for every alarm in the heap.
class timer_heap {
  using alarm = alarm_clock::alarm;

 public:
  [[nodiscard]] alarm* earliest() const noexcept { return root_; }

  void add(alarm& t) noexcept {
    t.child = t.sibling = nullptr;
    set_root(meld(root_, &t));
  }

  /// REQUIRES: `t` is in the heap.
  void remove(alarm& t) noexcept {
    alarm* const rest = meld_siblings(t.child);
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
  void set_root(alarm* t) noexcept {
    root_ = t;
    if (t == nullptr) return;
    t->sibling = nullptr;
    t->back = &root_;
  }

  /// The later one becomes the first child of the earlier one.
  static alarm* meld(alarm* a, alarm* b) noexcept {
    if (a == nullptr) return b;
    if (b == nullptr) return a;
    if (b->due < a->due) {
      alarm* const earlier = b;
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
  static alarm* meld_siblings(alarm* first) noexcept {
    alarm* pairs = nullptr;
    while (first != nullptr) {
      alarm* const second = first->sibling;
      alarm* const next = second != nullptr ? second->sibling : nullptr;
      first->sibling = nullptr;
      if (second != nullptr) second->sibling = nullptr;
      alarm* const pair = meld(first, second);
      pair->sibling = pairs;
      pairs = pair;
      first = next;
    }
    alarm* result = nullptr;
    while (pairs != nullptr) {
      alarm* const next = pairs->sibling;
      pairs->sibling = nullptr;
      result = meld(result, pairs);
      pairs = next;
    }
    return result;
  }

  alarm* root_ = nullptr;
};

}  // namespace hotseat::detail
