// hotseat/fiber/fiber_mutex.hpp — a mutex for std::lock_guard, in fibers and on threads.
// Layer: fiber.  Read next: sync/mutex.hpp, which it is the face of.
#pragma once

#include <hotseat/core/pinned.hpp>
#include <hotseat/fiber/await.hpp>
#include <hotseat/sched/handoff.hpp>
#include <hotseat/sched/wait_limits.hpp>
#include <hotseat/sync/mutex.hpp>

#include <utility>

namespace hotseat {

/// A face of `basic_mutex` that the standard's guards understand (TimedLockable).
///
///     const std::lock_guard held{m};     // in fibers and plain threads
///     co_await m.native().lock();        // in coroutines: the same lock, one line for all
///
/// In a fiber both ends may suspend: `lock` while another task owns the mutex, `unlock` if
/// a task waits, which then continues here, at once.  So the destructor of a guard may
/// suspend. A fiber that still owns another lock goes on and the heir is dispatched, or
/// that other section would lose its core.  A plain thread blocks in `lock`, and
/// dispatches.
///
/// A coroutine that must wait in `lock` would block its worker: that stops the program.
/// In a signal handler it must not be used.
template <handoff_policy Handoff = handoff::exchange, class State = detail::lock_free_state>
class basic_fiber_mutex : pinned<basic_fiber_mutex<Handoff, State>> {
 public:
  using native_type = basic_mutex<Handoff, State>;

  constexpr basic_fiber_mutex() = default;

  /// The same mutex for coroutines.
  [[nodiscard]] native_type& native() noexcept { return mutex_; }

  // Not inlined: they ask the thread (fiber_control.hpp, F3).
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
