// hotseat/boost_fiber/detail/lockable.hpp — what the four mutexes share.
// Read next: lock_core.hpp.
#pragma once

#include <hotseat/boost_fiber/detail/boost.hpp>
#include <hotseat/boost_fiber/detail/lock_core.hpp>
#include <hotseat/platform/seam.hpp>

#include <chrono>
#include <cstddef>

namespace hotseat::boost_fiber {

class condition_variable;
class condition_variable_any;

}  // namespace hotseat::boost_fiber

namespace hotseat::boost_fiber::detail {

/// Behind `mutex` and `timed_mutex`: the owner must not lock again.
class single_lock {
 public:
  void lock() { core_.acquire(*context::active()); }

  /// On failure, lets other fibers run, so that the owner can proceed.
  bool try_lock() {
    context& self = *context::active();
    if (core_.try_acquire(self)) return true;
    core_.require_other_owner(self);
    self.yield();
    return false;
  }

  void unlock() { core_.release(*context::active()); }

 protected:
  bool lock_until(time_point due) { return core_.acquire_until(*context::active(), due); }

 private:
  friend condition_variable;
  friend condition_variable_any;

  lock_core core_;
};

/// Behind `recursive_mutex` and `recursive_timed_mutex`: the owner may lock again, and
/// unlocks as often.
class recursive_lock {
 public:
  void lock() {
    context& self = *context::active();
    if (goes_deeper(self)) return;
    core_.acquire(self);
    depth_ = 1;
  }

  /// On failure, lets other fibers run, so that the owner can proceed.
  bool try_lock() {
    context& self = *context::active();
    if (goes_deeper(self)) return true;
    if (core_.try_acquire(self)) {
      depth_ = 1;
      return true;
    }
    self.yield();
    return false;
  }

  void unlock() {
    context& self = *context::active();
    core_.require_owner(self);
    depth_ = depth_ - 1;
    if (depth_ == 0) core_.release(self);
  }

 protected:
  bool lock_until(time_point due) {
    context& self = *context::active();
    if (goes_deeper(self)) return true;
    if (!core_.acquire_until(self, due)) return false;
    depth_ = 1;
    return true;
  }

 private:
  friend condition_variable_any;

  bool goes_deeper(const context& self) noexcept {
    if (!core_.is_owned_by(self)) return false;
    depth_ = depth_ + 1;
    return true;
  }

  lock_core core_;
  platform::var<std::size_t> depth_ = 0;  // Belongs to the owner.
};

/// Adds the timed mutexes' waits with limits.
template <class Lock>
class timed : public Lock {
 public:
  template <class Clock, class Duration>
  bool try_lock_until(const std::chrono::time_point<Clock, Duration>& due) {
    return this->lock_until(deadline_at(due));
  }

  template <class Rep, class Period>
  bool try_lock_for(const std::chrono::duration<Rep, Period>& time) {
    return this->lock_until(deadline_after(time));
  }
};

}  // namespace hotseat::boost_fiber::detail
