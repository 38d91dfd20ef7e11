// hotseat/fiber/fiber_shared_mutex.hpp — many readers or one writer, for std::shared_lock.
// Layer: fiber.  Read next: sync/shared_mutex.hpp, which it wraps.
#pragma once

#include <hotseat/core/pinned.hpp>
#include <hotseat/fiber/await.hpp>
#include <hotseat/sched/handoff.hpp>
#include <hotseat/sched/wait_limits.hpp>
#include <hotseat/sync/shared_mutex.hpp>

#include <utility>

namespace hotseat {

/// A wrapper of `basic_shared_mutex` for the standard's guards (SharedTimedLockable).
/// Everything said in fiber_mutex.hpp applies here, too.
///
///     const std::shared_lock reading{m};      const std::lock_guard writing{m};
template <handoff_policy Handoff = handoff::exchange>
class basic_fiber_shared_mutex : pinned<basic_fiber_shared_mutex<Handoff>> {
 public:
  using native_type = basic_shared_mutex<Handoff>;

  constexpr basic_fiber_shared_mutex() = default;

  /// The same mutex for coroutines.
  [[nodiscard]] native_type& native() noexcept { return mutex_; }

  // Not inlined: they read thread-local state (fiber_control.hpp, F3).
  [[gnu::noinline]] void lock() noexcept {
    if (!mutex_.try_lock()) await(mutex_.lock());
  }
  [[gnu::noinline]] void lock_shared() noexcept {
    if (!mutex_.try_lock_shared()) await(mutex_.lock_shared());
  }
  [[nodiscard, gnu::noinline]] bool try_lock() noexcept { return mutex_.try_lock(); }
  [[nodiscard, gnu::noinline]] bool try_lock_shared() noexcept {
    return mutex_.try_lock_shared();
  }

  /// REQUIRES: the caller is inside, as the writer or as a reader.
  [[gnu::noinline]] void unlock() noexcept {
    auto operation = mutex_.unlock();
    if (!operation.await_ready()) detail::hand_over_from_here(operation);
  }
  [[gnu::noinline]] void unlock_shared() noexcept {
    auto operation = mutex_.unlock_shared();
    if (!operation.await_ready()) detail::hand_over_from_here(operation);
  }

  /// Returns whether the caller is inside.
  [[nodiscard]] bool lock(wait_limits limits) {
    return await(mutex_.lock(std::move(limits)));
  }
  [[nodiscard]] bool try_lock_for(detail::any_duration auto time) { return lock(time); }
  [[nodiscard]] bool try_lock_until(detail::any_time auto due) { return lock(due); }
  [[nodiscard]] bool lock_shared(wait_limits limits) {
    return await(mutex_.lock_shared(std::move(limits)));
  }
  [[nodiscard]] bool try_lock_shared_for(detail::any_duration auto time) {
    return lock_shared(time);
  }
  [[nodiscard]] bool try_lock_shared_until(detail::any_time auto due) {
    return lock_shared(due);
  }

 private:
  native_type mutex_;
};

using fiber_shared_mutex = basic_fiber_shared_mutex<>;

}  // namespace hotseat
