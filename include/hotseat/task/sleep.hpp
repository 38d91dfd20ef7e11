// hotseat/task/sleep.hpp — co_await sleep_for(d), co_await sleep_until(t).
// Layer: task.
#pragma once

#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/pinned.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/sched/limits.hpp>
#include <hotseat/sched/this_thread.hpp>
#include <hotseat/task/stop_token_of.hpp>

#include <chrono>
#include <coroutine>
#include <optional>
#include <stop_token>

namespace hotseat {

/// Gives true when the time has come, and false when the task was woken earlier: its stop
/// token was triggered, or its pool is being destroyed.  Throws if the pool's clock cannot
/// be started (sched/limits.hpp).
/// REQUIRES: the task runs on an executor that keeps time, such as thread_pool.
class [[nodiscard("co_await it")]] sleep_operation : line_waiter, pinned<sleep_operation> {
 public:
  bool await_ready() const noexcept { return due_ <= platform::now(); }

  template <class Promise>
  bool await_suspend(std::coroutine_handle<Promise> self) {
    const std::stop_token* const token = detail::stop_token_of(self);
    limits_.emplace(static_cast<line_waiter&>(*this), &leave,
                    wait_limits{due_, token != nullptr ? *token : std::stop_token{}});
    limits_->prepare();
    task = self;
    home = executor::current();
    locks_held = this_thread().locks_held;
    return limits_->arm();  // Suspended: `this` may be gone.
  }

  bool await_resume() noexcept {
    if (!limits_) return true;
    limits_->disarm();
    this_thread().locks_held = locks_held;
    return due_ <= platform::now() && !limits_->is_cut_short();
  }

 private:
  friend sleep_operation sleep_until(platform::clock::time_point due) noexcept;
  explicit sleep_operation(platform::clock::time_point due) noexcept : due_{due} {}

  /// There is no line, and nobody grants anything: the first to call ends the sleep.
  static bool leave(line_waiter& who) noexcept {
    return !static_cast<sleep_operation&>(who).is_over_.exchange(true,
                                                                 std::memory_order_relaxed);
  }

  platform::clock::time_point due_;
  platform::atomic<bool> is_over_{false};
  std::optional<limits> limits_;
};

/// Awaitable: continues at `due` or soon after, or earlier if the task is asked to stop.
inline sleep_operation sleep_until(platform::clock::time_point due) noexcept {
  return sleep_operation{due};
}

/// The same for a time of any clock, as that clock goes now.
template <class Clock, class Duration>
sleep_operation sleep_until(std::chrono::time_point<Clock, Duration> due) noexcept {
  return sleep_until(deadline_at(due));
}

/// Awaitable: continues after `time`; a duration that is too long to represent is for ever.
template <class Rep, class Period>
sleep_operation sleep_for(std::chrono::duration<Rep, Period> time) noexcept {
  return sleep_until(deadline_after(time));
}

}  // namespace hotseat
