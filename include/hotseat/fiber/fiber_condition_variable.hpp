// hotseat/fiber/fiber_condition_variable.hpp — wait and notify with a fiber_mutex.
// Layer: fiber.  Read next: sync/condition_variable.hpp, which it wraps.
#pragma once

#include <hotseat/core/pinned.hpp>
#include <hotseat/fiber/await.hpp>
#include <hotseat/fiber/fiber_mutex.hpp>
#include <hotseat/sched/wait_limits.hpp>
#include <hotseat/sync/condition_variable.hpp>

#include <concepts>
#include <condition_variable>
#include <mutex>
#include <utility>

namespace hotseat {

/// The interface of std::condition_variable_any, for a std::unique_lock of a fiber_mutex.
///
///     std::unique_lock held{m};
///     ready.wait(held, [&] { return !queue.empty(); });
///
/// Fibers suspend, plain threads block.  A notification that hands a free mutex to a waiter
/// may suspend the notifying fiber.  The waiter calls the predicate, as with the
/// standard's; with `await(c.native().wait(m.native(), predicate))`, no waiter wakes in
/// vain.
class fiber_condition_variable : pinned<fiber_condition_variable> {
 public:
  using native_type = condition_variable;

  fiber_condition_variable() = default;

  /// The same condition for coroutines.
  [[nodiscard]] native_type& native() noexcept { return condition_; }

  // Not inlined: they read thread-local state (fiber_control.hpp, F3).
  [[gnu::noinline]] void notify_one() noexcept {
    auto operation = condition_.notify_one();
    if (!operation.await_ready()) detail::hand_over_from_here(operation);
  }
  [[gnu::noinline]] void notify_all() noexcept {
    auto operation = condition_.notify_all();
    if (!operation.await_ready()) detail::hand_over_from_here(operation);
  }

  /// REQUIRES, for all forms: `held` owns its mutex.  It does so again on return.
  template <class Mutex>
  void wait(std::unique_lock<Mutex>& held) {
    await(condition_.wait(held.mutex()->native()));
  }
  template <class Mutex, std::predicate Predicate>
  void wait(std::unique_lock<Mutex>& held, Predicate holds) {
    while (!holds()) wait(held);
  }

  template <class Mutex>
  std::cv_status wait_for(std::unique_lock<Mutex>& held, detail::any_duration auto time) {
    return wait_limited(held, time);
  }
  template <class Mutex>
  std::cv_status wait_until(std::unique_lock<Mutex>& held, detail::any_time auto due) {
    return wait_limited(held, due);
  }

  /// Returns whether the predicate holds.
  template <class Mutex, std::predicate Predicate>
  bool wait(std::unique_lock<Mutex>& held, wait_limits limits, Predicate holds) {
    while (!holds()) {
      if (wait_limited(held, limits) == std::cv_status::timeout) return holds();
    }
    return true;
  }
  template <class Mutex, std::predicate Predicate>
  bool wait_for(std::unique_lock<Mutex>& held, detail::any_duration auto time,
                Predicate holds) {
    return wait(held, time, std::move(holds));
  }
  template <class Mutex, std::predicate Predicate>
  bool wait_until(std::unique_lock<Mutex>& held, detail::any_time auto due,
                  Predicate holds) {
    return wait(held, due, std::move(holds));
  }

 private:
  template <class Mutex>
  std::cv_status wait_limited(std::unique_lock<Mutex>& held, wait_limits limits) {
    const bool in_time = await(condition_.wait(held.mutex()->native(), std::move(limits)));
    return in_time ? std::cv_status::no_timeout : std::cv_status::timeout;
  }

  native_type condition_;
};

}  // namespace hotseat
