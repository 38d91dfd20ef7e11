// hotseat/task/sleep.hpp — co_await sleep_for(d), co_await sleep_until(t).
// Layer: task.
#pragma once

#include <hotseat/core/deadline.hpp>
#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/pinned.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sched/current.hpp>
#include <hotseat/sched/wait_limits.hpp>
#include <hotseat/task/stop_token_of.hpp>

#include <chrono>
#include <coroutine>
#include <optional>
#include <stop_token>

namespace hotseat {

/// Yields true when the time has come; false if the task was woken earlier, because its
/// stop token was triggered or its pool is being destroyed.  Throws if the pool's clock
/// cannot be started (sched/wait_limits.hpp).
/// REQUIRES: the task runs on an executor that keeps time, such as thread_pool.
class [[nodiscard("co_await it")]] sleep_operation : line_waiter, pinned<sleep_operation> {
 public:
  bool await_ready() const noexcept { return due_ <= platform::now(); }

  template <class Promise>
  bool await_suspend(std::coroutine_handle<Promise> self) {
    early_end_.emplace(static_cast<line_waiter&>(*this), &leave,
                       wait_limits{due_, stop_token_of(self)});
    early_end_->prepare();
    detail::note_suspended(*this, self);
    return early_end_->arm();  // Suspended: `this` may be gone.
  }

  bool await_resume() noexcept {
    if (!early_end_) return true;
    early_end_->disarm();
    detail::note_resumed(*this);
    return due_ <= platform::now() && !early_end_->is_cut_short();
  }

 private:
  friend sleep_operation sleep_until(platform::clock::time_point due) noexcept;
  explicit sleep_operation(platform::clock::time_point due) noexcept : due_{due} {}

  /// There is no line, and nothing is granted: the first call ends the sleep.
  static bool leave(line_waiter& who) noexcept {
    return !static_cast<sleep_operation&>(who).is_over_.exchange(true,
                                                                 std::memory_order_relaxed);
  }

  platform::clock::time_point due_;
  platform::atomic<bool> is_over_{false};
  std::optional<detail::early_end> early_end_;
};

/// Awaitable: continues at `due` or soon after, or earlier if the task is asked to stop.
inline sleep_operation sleep_until(platform::clock::time_point due) noexcept {
  return sleep_operation{due};
}

/// The same for a time of any clock, converted by what both clocks say now.
template <class Clock, class Duration>
sleep_operation sleep_until(std::chrono::time_point<Clock, Duration> due) noexcept {
  return sleep_until(detail::moment_of<platform::clock>(due));
}

/// Awaitable: continues after `time`.  Too long to represent means for ever.
template <class Rep, class Period>
sleep_operation sleep_for(std::chrono::duration<Rep, Period> time) noexcept {
  return sleep_until(detail::later(platform::now(), time));
}

}  // namespace hotseat
