// hotseat/task/synchronized.hpp — a value that can only be touched in a section.
// Layer: task.  Read next: task/with_lock.hpp.
#pragma once

#include <hotseat/core/awaitable.hpp>
#include <hotseat/core/pinned.hpp>
#include <hotseat/sched/wait_limits.hpp>
#include <hotseat/sync/mutex.hpp>
#include <hotseat/sync/section_operation.hpp>
#include <hotseat/task/with_lock.hpp>

#include <concepts>
#include <functional>
#include <type_traits>
#include <utility>

namespace hotseat {

/// A value and its mutex.
///
///     synchronized<std::map<int, int>> hits;
///     const int n = co_await hits.with([&](auto& map) { return ++map[key]; });
///
/// The function is called like the section of `with_lock`: delegated to the worker that has
/// the mutex, if another task owns it; or awaited inside, if it returns an awaitable.  What
/// it returns must not refer to the value.
template <class T, class Mutex = mutex>
class synchronized : pinned<synchronized<T, Mutex>> {
 public:
  synchronized()
    requires std::default_initializable<T>
  = default;

  template <class... Args>
    requires std::constructible_from<T, Args...>
  explicit synchronized(std::in_place_t, Args&&... args)
      : value_(std::forward<Args>(args)...) {}

  explicit synchronized(T value)
    requires std::move_constructible<T>
      : value_(std::move(value)) {}

  /// Awaitable.  Yields the result of `f(value)`.
  template <std::invocable<T&> F>
  auto with(F f) {
    return with_lock(mutex_, section<F>{*this, std::move(f)});
  }

  /// The same with limits, as with `with_lock`: yields a std::optional of the result, or a
  /// bool.
  template <std::invocable<T&> F>
  auto with(wait_limits limits, F f) {
    return with_lock(mutex_, std::move(limits), section<F>{*this, std::move(f)});
  }

  /// Calls `f(value)` if that needs no wait, and never suspends: for destructors and
  /// callbacks.  Returns a std::optional of the result, or, if there is none, whether it
  /// was called.  If a task waits at the end, it is dispatched.
  template <std::invocable<T&> F>
    requires(!awaitable<std::invoke_result_t<F&, T&>>)
  [[nodiscard("it may not have been called")]] auto try_with(F f)
      -> detail::if_called<std::invoke_result_t<F&, T&>> {
    if (!mutex_.try_lock()) return {};
    const unlock_at_end end{mutex_};
    if constexpr (std::is_void_v<std::invoke_result_t<F&, T&>>) {
      std::invoke(f, value_);
      return true;
    } else {
      return std::invoke(f, value_);
    }
  }

  /// For non-worker threads: blocks the calling thread.
  template <std::invocable<T&> F>
    requires(!awaitable<std::invoke_result_t<F&, T&>>)
  decltype(auto) with_blocking(F f) {
    mutex_.lock_blocking();
    const unlock_at_end end{mutex_};
    return std::invoke(f, value_);
  }

 private:
  template <class F>
  class section {
   public:
    section(synchronized& all, F f) : all_{&all}, f_{std::move(f)} {}
    decltype(auto) operator()() { return std::invoke(f_, all_->value_); }

   private:
    synchronized* all_;
    F f_;
  };

  struct unlock_at_end {
    Mutex& mutex;
    ~unlock_at_end() { mutex.unlock_dispatch(); }
  };

  Mutex mutex_;
  T value_{};
};

}  // namespace hotseat
