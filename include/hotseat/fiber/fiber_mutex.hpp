// hotseat/fiber/fiber_mutex.hpp — a mutex for std::lock_guard, in fibers and on threads.
// Layer: fiber.  Read next: sync/mutex.hpp, which it wraps.
#pragma once

#include <hotseat/core/pinned.hpp>
#include <hotseat/fiber/await.hpp>
#include <hotseat/sched/handoff.hpp>
#include <hotseat/sched/wait_limits.hpp>
#include <hotseat/sync/mutex.hpp>

#include <utility>

namespace hotseat {

/// A wrapper of `basic_mutex` for the standard's guards (TimedLockable).
///
///     const std::lock_guard held{m};     // in fibers and plain threads
///     co_await m.native().lock();        // in coroutines: the same lock, one line for all
///
/// In a fiber both calls may suspend: `lock` while another task owns the mutex, and
/// `unlock` if a task waits; that task then continues here, at once.  So the destructor of
/// a guard may suspend.  A fiber that still owns another lock does not suspend in `unlock`,
/// or that section would lose its core: the heir is dispatched.  A plain thread blocks in
/// `lock`, and dispatches in `unlock`.
///
/// A coroutine that must wait in `lock` stops the program, since it would block its worker.
/// Not for signal handlers.
template <handoff_policy Handoff = handoff::exchange, class State = detail::lock_free_state>
class basic_fiber_mutex : pinned<basic_fiber_mutex<Handoff, State>> {
 public:
  using native_type = basic_mutex<Handoff, State>;

  constexpr basic_fiber_mutex() = default;

  /// The same mutex for coroutines.
  [[nodiscard]] native_type& native() noexcept { return mutex_; }

  // Not inlined: they read thread-local state (fiber_control.hpp, F3).
  [[gnu::noinline]] void lock() noexcept {
    if (!mutex_.try_lock()) await(mutex_.lock());
  }
  [[nodiscard, gnu::noinline]] bool try_lock() noexcept { return mutex_.try_lock(); }

  /// REQUIRES: the caller owns the mutex.
  [[gnu::noinline]] void unlock() noexcept {
    auto operation = mutex_.unlock();
    if (!operation.await_ready()) [[unlikely]] {
      detail::hand_over_from_here(operation);
    }
  }

  /// Returns whether the caller owns the mutex.
  [[nodiscard]] bool lock(wait_limits limits) {
    return await(mutex_.lock(std::move(limits)));
  }
  [[nodiscard]] bool try_lock_for(detail::any_duration auto time) { return lock(time); }
  [[nodiscard]] bool try_lock_until(detail::any_time auto due) { return lock(due); }

 private:
  native_type mutex_;
};

using fiber_mutex = basic_fiber_mutex<>;

}  // namespace hotseat
