// hotseat/boost_fiber/condition_variable.hpp — boost::fibers::condition_variable for our
// locks.  Read next: detail/lock_core.hpp.
#pragma once

#include <hotseat/boost_fiber/detail/condition_line.hpp>
#include <hotseat/boost_fiber/detail/lock_core.hpp>
#include <hotseat/boost_fiber/detail/lockable.hpp>
#include <hotseat/boost_fiber/mutex.hpp>

#include <boost/assert.hpp>

#include <chrono>
#include <concepts>
#include <mutex>

namespace hotseat::boost_fiber {

using boost::fibers::cv_status;

/// Takes the place of `boost::fibers::condition_variable_any`.
///
/// With a `std::unique_lock` of one of our mutexes, a fiber that is notified while the
/// mutex is owned joins its line without running in between. With any other lock it runs
/// and locks, as with Boost.  A recursive mutex is unlocked once, as with Boost: a fiber
/// that has locked it more often waits as its owner.  Notifying never suspends.
class condition_variable_any {
 public:
  void notify_one() noexcept { line_.notify_one(); }
  void notify_all() noexcept { line_.notify_all(); }

  template <class Lock>
  void wait(Lock& held) {
    if (detail::lock_core* const core = core_of(held)) {
      line_.wait(*core);
      restore_depth(held);
    } else {
      line_.wait_with(held);
    }
  }

  template <class Lock, class Clock, class Duration>
  cv_status wait_until(Lock& held, const std::chrono::time_point<Clock, Duration>& due) {
    const detail::time_point end = detail::deadline_at(due);
    detail::lock_core* const core = core_of(held);
    if (core == nullptr) return line_.wait_until_with(held, end);
    const cv_status how = line_.wait_until(*core, end);
    restore_depth(held);
    return how;
  }

  template <class Lock, class Predicate>
  void wait(Lock& held, Predicate is_fulfilled) {
    while (!is_fulfilled()) wait(held);
  }

  template <class Lock, class Clock, class Duration, class Predicate>
  bool wait_until(Lock& held, const std::chrono::time_point<Clock, Duration>& due,
                  Predicate is_fulfilled) {
    while (!is_fulfilled()) {
      if (wait_until(held, due) == cv_status::timeout) return is_fulfilled();
    }
    return true;
  }

  template <class Lock, class Rep, class Period>
  cv_status wait_for(Lock& held, const std::chrono::duration<Rep, Period>& time) {
    return wait_until(held, detail::deadline_after(time));
  }

  template <class Lock, class Rep, class Period, class Predicate>
  bool wait_for(Lock& held, const std::chrono::duration<Rep, Period>& time,
                Predicate is_fulfilled) {
    return wait_until(held, detail::deadline_after(time), is_fulfilled);
  }

 private:
  /// The lock that a wait releases and acquires again by itself.  Null if `held` does that:
  /// its lock is not ours, or the fiber keeps owning it.
  template <class Lock>
  static detail::lock_core* core_of(Lock&) noexcept {
    return nullptr;
  }
  template <std::derived_from<detail::single_lock> Mutex>
  static detail::lock_core* core_of(std::unique_lock<Mutex>& held) noexcept {
    return &held.mutex()->core_;
  }
  template <std::derived_from<detail::recursive_lock> Mutex>
  static detail::lock_core* core_of(std::unique_lock<Mutex>& held) noexcept {
    detail::recursive_lock& lock = *held.mutex();
    const bool is_deeper =
        lock.core_.is_owned_by(*detail::context::active()) && lock.depth_ != 1;
    return is_deeper ? nullptr : &lock.core_;
  }

  /// Other owners have changed the depth meanwhile.
  template <class Lock>
  static void restore_depth(Lock&) noexcept {}
  template <std::derived_from<detail::recursive_lock> Mutex>
  static void restore_depth(std::unique_lock<Mutex>& held) noexcept {
    held.mutex()->depth_ = 1;
  }

  detail::condition_line line_;
};

/// Takes the place of `boost::fibers::condition_variable`: for `std::unique_lock<mutex>`.
class condition_variable {
 public:
  void notify_one() noexcept { any_.notify_one(); }
  void notify_all() noexcept { any_.notify_all(); }

  void wait(std::unique_lock<mutex>& held) {
    require_owner(held);
    any_.wait(held);
  }

  template <class Predicate>
  void wait(std::unique_lock<mutex>& held, Predicate is_fulfilled) {
    require_owner(held);
    any_.wait(held, is_fulfilled);
  }

  template <class Clock, class Duration>
  cv_status wait_until(std::unique_lock<mutex>& held,
                       const std::chrono::time_point<Clock, Duration>& due) {
    require_owner(held);
    return any_.wait_until(held, due);
  }

  template <class Clock, class Duration, class Predicate>
  bool wait_until(std::unique_lock<mutex>& held,
                  const std::chrono::time_point<Clock, Duration>& due,
                  Predicate is_fulfilled) {
    require_owner(held);
    return any_.wait_until(held, due, is_fulfilled);
  }

  template <class Rep, class Period>
  cv_status wait_for(std::unique_lock<mutex>& held,
                     const std::chrono::duration<Rep, Period>& time) {
    require_owner(held);
    return any_.wait_for(held, time);
  }

  template <class Rep, class Period, class Predicate>
  bool wait_for(std::unique_lock<mutex>& held,
                const std::chrono::duration<Rep, Period>& time, Predicate is_fulfilled) {
    require_owner(held);
    return any_.wait_for(held, time, is_fulfilled);
  }

 private:
  static void require_owner([[maybe_unused]] const std::unique_lock<mutex>& held) {
    BOOST_ASSERT(held.owns_lock());
    BOOST_ASSERT(held.mutex()->core_.is_owned_by(*detail::context::active()));
  }

  condition_variable_any any_;
};

}  // namespace hotseat::boost_fiber
