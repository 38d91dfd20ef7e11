// hotseat/rebound/parking_condition.hpp — a condition variable for locks without their own.
#pragma once

#include <hotseat/core/spin_lock.hpp>
#include <hotseat/platform/parker.hpp>

namespace hotseat::rebound {

/// Waiters sleep in the kernel, in order of arrival, and lock again after waking.
class parking_condition {
 public:
  /// REQUIRES: the caller owns `owned`.
  template <class Lock>
  void wait(Lock& owned) noexcept {
    sleeper self;
    guard_.lock();
    (first_ == nullptr ? first_ : last_->next) = &self;
    last_ = &self;
    guard_.unlock();
    owned.unlock();
    self.bed.park();
    owned.lock();
  }

  void notify_one() noexcept {
    guard_.lock();
    sleeper* const woken = first_;
    if (woken != nullptr) first_ = woken->next;
    guard_.unlock();
    if (woken != nullptr) woken->bed.unpark();  // It may be gone then.
  }

  void notify_all() noexcept {
    guard_.lock();
    sleeper* woken = first_;
    first_ = nullptr;
    guard_.unlock();
    while (woken != nullptr) {
      sleeper* const after = woken->next;
      woken->bed.unpark();
      woken = after;
    }
  }

 private:
  struct sleeper {
    sleeper* next = nullptr;
    platform::parker bed;
  };

  spin_lock guard_;
  sleeper* first_ = nullptr;
  sleeper* last_ = nullptr;  // Valid if there is a first one.
};

}  // namespace hotseat::rebound
