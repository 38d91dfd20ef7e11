// hotseat/rebound/shfl_lock.hpp — a queue lock whose waiters reorder themselves.
#pragma once

#include <hotseat/platform/seam.hpp>
#include <hotseat/rebound/patience.hpp>

#include <sched.h>

#include <cstdint>

namespace hotseat::rebound {

/// Where the calling thread is, according to the machine.
struct real_nodes {
  static unsigned here() noexcept {
    unsigned cpu = 0;
    unsigned node = 0;
    return ::getcpu(&cpu, &node) == 0 ? node : 0;
  }
};

/// Kashyap et al., Scalable and Practical Locking with Shuffling (SOSP 2019), the spinning
/// form.  Ownership is one word, which any thread may take that finds it free.  The others
/// queue, and only the first in the queue tries for the word.  One waiter, the shuffler,
/// moves the waiters of its own NUMA node to the front, behind itself, and passes its role
/// to the last one it moved: the data stays on one node for a while.
///
///     owned_         meaning
///     ─────────────  ─────────────────────────────────────────────────
///     false          free for the first thread to take it
///     true           owned
///
/// Invariants
///   S1  At most one waiter of a queue is the shuffler.  Only it changes `next` of others.
///   S2  The tail is never moved: the next arrival writes to its `next`.
///   S3  After `most_in_a_row` waiters of one node the order is that of arrival again.
///
/// Memory order
///   L  acquire  free → owned        ⟵ U   sees the last owner's section
///   U  release  owned → free        ⟶ L
///   T  acq_rel  tail → our place    ⟷ T   it is whole before the next one writes to it
///   N  release  next                ⟶ F   publishes a place, and the order behind it
///   F  acquire  next                ⟵ N
///   G  release  is_first, shuffler  ⟶ W   publishes the predecessor's changes to the queue
///   W  acquire  is_first, shuffler  ⟵ G
template <class Nodes = real_nodes>
class shfl_lock {
 public:
  static constexpr std::uint32_t most_in_a_row = 1024;

  void lock() noexcept {
    if (!try_lock()) lock_slow();
  }

  [[nodiscard]] bool try_lock() noexcept {
    return !owned_.load(std::memory_order_relaxed) &&
           !owned_.exchange(true, std::memory_order_acquire);  // L
  }

  void unlock() noexcept { owned_.store(false, std::memory_order_release); }  // U

 private:
  friend struct shfl_lock_probe;  // tests/shfl_lock_test.cpp

  struct place {
    platform::atomic<place*> next{nullptr};
    platform::atomic<bool> is_first{false};
    platform::atomic<bool> is_shuffler{false};
    std::uint32_t in_a_row =
        0;  // Waiters of this node since the order was last that of arrival.
    unsigned node = Nodes::here();
  };

  [[gnu::noinline]] void lock_slow() noexcept {
    place self;
    if (place* const ahead = tail_.exchange(&self, std::memory_order_acq_rel)) {  // T
      ahead->next.store(&self, std::memory_order_release);                        // N
      patience calm;
      while (!self.is_first.load(std::memory_order_acquire)) {                // W
        if (self.is_shuffler.load(std::memory_order_acquire)) shuffle(self);  // W
        calm.wait();
      }
    }
    // The first waiter shuffles unless a row already includes it.
    if (self.in_a_row == 0) self.is_shuffler.store(true, std::memory_order_relaxed);
    patience calm;
    while (!try_lock()) {
      if (self.is_shuffler.load(std::memory_order_acquire)) shuffle(self);  // W
      calm.wait();
    }
    leave(self);
  }

  /// Leaves the queue as the owner: the next waiter is first now.
  void leave(place& self) noexcept {
    place* next = self.next.load(std::memory_order_acquire);  // F
    if (next == nullptr) {
      place* last = &self;
      if (tail_.compare_exchange_strong(last, nullptr, std::memory_order_acq_rel,  // T
                                        std::memory_order_relaxed)) {
        return;
      }
      patience calm;
      while ((next = self.next.load(std::memory_order_acquire)) == nullptr) {  // F
        calm.wait();
      }
    }
    next->is_first.store(true, std::memory_order_release);  // G; its place may be gone.
  }

  /// Moves waiters of our node to right behind us, then passes the role on.
  /// REQUIRES: self is the shuffler.
  void shuffle(place& self) noexcept {
    self.is_shuffler.store(false, std::memory_order_relaxed);
    if (self.in_a_row == 0) self.in_a_row = 1;
    if (self.in_a_row >= most_in_a_row) return;  // S3
    place* grouped = &self;  // The last of our node in a row that starts with us.
    place* before = &self;   // The predecessor of `seen`.
    while (!may_go_on(self)) {
      place* const seen = before->next.load(std::memory_order_acquire);             // F
      if (seen == nullptr || seen == tail_.load(std::memory_order_relaxed)) break;  // S2
      if (seen->node != self.node) {
        before = seen;
        continue;
      }
      if (before != grouped) {
        place* const after = seen->next.load(std::memory_order_acquire);  // F
        if (after == nullptr) break;  // It has just ceased to be the tail.
        before->next.store(after, std::memory_order_release);  // N
        seen->next.store(grouped->next.load(std::memory_order_relaxed),
                         std::memory_order_release);           // N
        grouped->next.store(seen, std::memory_order_release);  // N
      } else {
        before = seen;
      }
      seen->in_a_row = grouped->in_a_row + 1;
      grouped = seen;
      if (grouped->in_a_row >= most_in_a_row) break;  // S3
    }
    grouped->is_shuffler.store(true, std::memory_order_release);  // G; S1: we were it.
  }

  /// Whether the shuffler `self` can try for the lock instead.
  bool may_go_on(const place& self) const noexcept {
    return !owned_.load(std::memory_order_relaxed) &&
           self.is_first.load(std::memory_order_relaxed);
  }

  platform::atomic<bool> owned_{false};
  platform::atomic<place*> tail_{nullptr};
};

}  // namespace hotseat::rebound
