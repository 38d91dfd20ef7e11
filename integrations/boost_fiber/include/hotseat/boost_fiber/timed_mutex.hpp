// hotseat/boost_fiber/timed_mutex.hpp — boost::fibers::timed_mutex, with the exchange.
#pragma once

#include <hotseat/boost_fiber/detail/lock_core.hpp>

#include <chrono>

namespace hotseat::boost_fiber {

class condition_variable_any;

/// Takes the place of `boost::fibers::timed_mutex`; see `mutex`.
class timed_mutex {
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

  template <class Clock, class Duration>
  bool try_lock_until(const std::chrono::time_point<Clock, Duration>& due) {
    return core_.acquire_until(*detail::context::active(), detail::deadline_at(due));
  }

  template <class Rep, class Period>
  bool try_lock_for(const std::chrono::duration<Rep, Period>& time) {
    return try_lock_until(detail::deadline_after(time));
  }

  void unlock() { core_.release(*detail::context::active()); }

 private:
  friend condition_variable_any;

  detail::lock_core core_;
};

}  // namespace hotseat::boost_fiber
