// hotseat/fiber/fiber_condition_variable.hpp — wait and notify with a fiber_mutex.
// Layer: fiber.  Read next: sync/condition_variable.hpp, which it is the face of.
#pragma once

#include <hotseat/core/pinned.hpp>
#include <hotseat/fiber/await.hpp>
#include <hotseat/fiber/fiber_mutex.hpp>
#include <hotseat/sched/handoff.hpp>
#include <hotseat/sched/limits.hpp>
#include <hotseat/sync/condition_variable.hpp>

#include <chrono>
#include <concepts>
#include <condition_variable>
#include <mutex>
#include <stop_token>

namespace hotseat {

/// The interface of std::condition_variable_any, for a std::unique_lock of a fiber_mutex.
///
///     std::unique_lock held{m};
///     ready.wait(held, [&] { return !queue.empty(); });
///
/// Fibers suspend, threads that are no workers block.  A notification that hands over a
/// free mutex to a waiter may suspend the fiber that notifies.  A predicate is called by
/// whoever waits, as with the standard's; `await(c.native().wait(m.native(), predicate))`
/// wakes nobody in vain.
template <handoff_policy Handoff = handoff::exchange>
class basic_fiber_condition_variable : pinned<basic_fiber_condition_variable<Handoff>> {
 public:
  using native_type = basic_condition_variable<Handoff>;

  basic_fiber_condition_variable() = default;

  /// The same condition for coroutines.
  [[nodiscard]] native_type& native() noexcept { return condition_; }

  // Not inlined: they ask the thread (fiber_control.hpp, F3).
  [[gnu::noinline]] void notify_one() noexcept {
    auto operation = condition_.notify_one();
    if (!operation.await_ready()) detail::hand_over_from_here(operation);
  }
  [[gnu::noinline]] void notify_all() noexcept {
    auto operation = condition_.notify_all();
    if (!operation.await_ready()) detail::hand_over_from_here(operation);
  }

  /// REQUIRES, for all forms: `held` owns its mutex.  It does again afterwards.
  template <class Mutex>
  void wait(std::unique_lock<Mutex>& held) {
    await(condition_.wait(held.mutex()->native()));
  }
  template <class Mutex, std::predicate Predicate>
  void wait(std::unique_lock<Mutex>& held, Predicate holds) {
    while (!holds()) wait(held);
  }

  template <class Mutex, class Rep, class Period>
  std::cv_status wait_for(std::unique_lock<Mutex>& held,
                          std::chrono::duration<Rep, Period> time) {
    return wait_until(held, deadline_after(time));
  }
  template <class Mutex, class Clock, class Duration>
  std::cv_status wait_until(std::unique_lock<Mutex>& held,
                            std::chrono::time_point<Clock, Duration> due) {
    const bool in_time = await(condition_.wait_until(held.mutex()->native(), due));
    return in_time ? std::cv_status::no_timeout : std::cv_status::timeout;
  }

  /// Return whether the predicate holds.
  template <class Mutex, class Rep, class Period, std::predicate Predicate>
  bool wait_for(std::unique_lock<Mutex>& held, std::chrono::duration<Rep, Period> time,
                Predicate holds) {
    return wait_until(held, deadline_after(time), std::move(holds));
  }
  template <class Mutex, class Clock, class Duration, std::predicate Predicate>
  bool wait_until(std::unique_lock<Mutex>& held,
                  std::chrono::time_point<Clock, Duration> due, Predicate holds) {
    while (!holds()) {
      if (wait_until(held, due) == std::cv_status::timeout) return holds();
    }
    return true;
  }
  template <class Mutex, std::predicate Predicate>
  bool wait(std::unique_lock<Mutex>& held, std::stop_token stop, Predicate holds) {
    while (!holds()) {
      if (!await(condition_.wait(held.mutex()->native(), stop))) return holds();
    }
    return true;
  }

 private:
  native_type condition_;
};

using fiber_condition_variable = basic_fiber_condition_variable<>;

}  // namespace hotseat
