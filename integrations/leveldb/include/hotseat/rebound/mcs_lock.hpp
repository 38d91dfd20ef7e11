// hotseat/rebound/mcs_lock.hpp — a queue lock: each waiter spins on a word of its own.
#pragma once

#include <hotseat/platform/seam.hpp>
#include <hotseat/rebound/patience.hpp>

namespace hotseat::rebound {

/// Mellor-Crummey and Scott's lock, in the form whose owner needs no node: a waiter has its
/// place in the queue on its stack, and when its turn comes the lock itself takes that
/// place. So `unlock` needs no node, which std::mutex has no room to pass along.
///
///     tail_        front_.next   meaning
///     ───────────  ────────────  ──────────────────────────────────────────────
///     nullptr      nullptr       free
///     &front_      nullptr       owned, no waiters
///     a place      a place       owned; from the first waiter to the last one; `next` may
///                                lag behind tail_
///
/// Memory order
///   L  acquire  free → owned           ⟵ U   sees the last owner's section
///   U  release  owned → free           ⟶ L
///   T  acq_rel  tail → our place       ⟷ T   it is whole before the next one writes to it
///   N  release  predecessor's next     ⟶ F   publishes our place
///   F  acquire  next                   ⟵ N
///   G  release  has_turn               ⟶ W   publishes this section to the heir
///   W  acquire  has_turn               ⟵ G
class mcs_lock {
 public:
  void lock() noexcept {
    place* last = nullptr;
    if (!tail_.compare_exchange_strong(last, &front_, std::memory_order_acquire,  // L
                                       std::memory_order_relaxed)) {
      lock_slow();
    }
  }

  void unlock() noexcept {
    place* heir = front_.next.load(std::memory_order_acquire);  // F
    if (heir == nullptr) {
      place* last = &front_;
      if (tail_.compare_exchange_strong(last, nullptr, std::memory_order_release,  // U
                                        std::memory_order_relaxed)) {
        return;
      }
      heir = &behind(front_);
    }
    heir->has_turn.store(true, std::memory_order_release);  // G; its place may be gone.
  }

 private:
  struct place {
    platform::atomic<place*> next{nullptr};
    platform::atomic<bool> has_turn{false};
  };

  [[gnu::noinline]] void lock_slow() noexcept {
    place self;
    place* last = tail_.load(std::memory_order_relaxed);
    for (;;) {
      if (last == nullptr) {
        if (tail_.compare_exchange_weak(last, &front_, std::memory_order_acquire,  // L
                                        std::memory_order_relaxed)) {
          return;
        }
      } else if (tail_.compare_exchange_weak(last, &self, std::memory_order_acq_rel,  // T
                                             std::memory_order_relaxed)) {
        break;
      }
    }
    last->next.store(&self, std::memory_order_release);  // N
    patience calm;
    while (!self.has_turn.load(std::memory_order_acquire)) calm.wait();  // W
    give_place_to_lock(self);
  }

  /// The waiters behind `self` wait behind the lock from now on.  REQUIRES: owned by us.
  void give_place_to_lock(place& self) noexcept {
    place* follower = self.next.load(std::memory_order_acquire);  // F
    front_.next.store(follower, std::memory_order_relaxed);
    if (follower != nullptr) return;
    place* last = &self;
    if (tail_.compare_exchange_strong(last, &front_, std::memory_order_acq_rel,  // T
                                      std::memory_order_relaxed)) {
      return;
    }
    front_.next.store(&behind(self), std::memory_order_relaxed);
  }

  /// The place behind `who`.  Its waiter has joined already, and is about to link it.
  static place& behind(place& who) noexcept {
    patience calm;
    for (;;) {
      if (place* const next = who.next.load(std::memory_order_acquire)) return *next;  // F
      calm.wait();
    }
  }

  platform::atomic<place*> tail_{nullptr};
  place front_;
};

}  // namespace hotseat::rebound
