// hotseat/boost_fiber/mutex.hpp — boost::fibers::mutex, but unlock exchanges fibers.
// Read next: detail/lock_core.hpp (who is next?), detail/hand_over.hpp (how do we get
// there?).
#pragma once

#include <hotseat/boost_fiber/detail/lock_core.hpp>

namespace hotseat::boost_fiber {

class condition_variable;
class condition_variable_any;

/// Takes the place of `boost::fibers::mutex`, on any of Boost's scheduling algorithms.
///
/// `unlock` is a point where the fiber may suspend: if others wait, one of them continues
/// here, at once, with the protected data still in this core's cache; the caller becomes
/// ready, and may continue on another thread if its algorithm shares fibers.  It does not
/// suspend if the caller owns another of our locks, or while an exception is handled.
///
/// Throws `boost::fibers::lock_error` as Boost's does: resource_deadlock_would_occur if the
/// owner locks again, operation_not_permitted if another fiber unlocks.
class mutex {
 public:
  void lock() { core_.acquire(*detail::context::active()); }

  /// Lets other fibers run if it fails, so that the owner can get on.
  bool try_lock() {
    detail::context& self = *detail::context::active();
    if (core_.try_acquire(self)) return true;
    core_.require_other_owner(self);
    self.yield();
    return false;
  }

  void unlock() { core_.release(*detail::context::active()); }

 private:
  friend condition_variable;
  friend condition_variable_any;

  detail::lock_core core_;
};

}  // namespace hotseat::boost_fiber
