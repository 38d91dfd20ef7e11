// hotseat/timer/sleep.hpp — co_await sleep_for(d), co_await sleep_until(t).
// Layer: timer.
#pragma once

#include <hotseat/core/assert.hpp>
#include <hotseat/core/pinned.hpp>
#include <hotseat/platform/clock.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/sched/this_thread.hpp>
#include <hotseat/task/stop_token_of.hpp>
#include <hotseat/timer/timer_queue.hpp>

#include <chrono>
#include <coroutine>
#include <optional>
#include <stop_token>

namespace hotseat {

/// Gives true when the time has come, and false when the task was woken earlier: its stop
/// token was triggered, or its pool is being destroyed.
/// REQUIRES: the task runs on an executor that keeps time, such as thread_pool.
class [[nodiscard("co_await it")]] sleep_operation : pinned<sleep_operation> {
 public:
  bool await_ready() const noexcept { return timer_.due <= platform::now(); }

  template <class Promise>
  bool await_suspend(std::coroutine_handle<Promise> self) {
    executor* const here = executor::current();
    queue_ = here != nullptr ? here->timers() : nullptr;
    require(queue_ != nullptr, "sleep_for", this,
            "it must be awaited on an executor that keeps time");
    timer_.sleeper.task = self;
    timer_.sleeper.home = here;
    timer_.sleeper.locks_held = this_thread().locks_held;
    // The callback first: once added, the timer may ring and end this operation.
    if (const std::stop_token* const token = detail::stop_token_of(self)) {
      stop_.emplace(*token, cancel{this});
    }
    return queue_->add(timer_);
  }

  bool await_resume() noexcept {
    if (queue_ == nullptr) return true;
    stop_.reset();  // Waits for a callback that is under way.
    this_thread().locks_held = timer_.sleeper.locks_held;
    return timer_.state == detail::timer::phase::rung;
  }

 private:
  friend sleep_operation sleep_until(platform::clock::time_point due) noexcept;
  explicit sleep_operation(platform::clock::time_point due) noexcept { timer_.due = due; }

  struct cancel {
    sleep_operation* which;
    void operator()() const noexcept { which->queue_->cancel(which->timer_); }
  };

  detail::timer timer_;
  detail::timer_queue* queue_ = nullptr;
  std::optional<std::stop_callback<cancel>> stop_;
};

/// Awaitable: continues at `due` or soon after, or earlier if the task is asked to stop.
inline sleep_operation sleep_until(platform::clock::time_point due) noexcept {
  return sleep_operation{due};
}

/// Awaitable: continues after `time`; a duration that is too long to represent is for ever.
template <class Rep, class Period>
sleep_operation sleep_for(std::chrono::duration<Rep, Period> time) noexcept {
  using clock = platform::clock;
  const auto now = platform::now();
  using wide = std::chrono::duration<long double, clock::period>;
  const auto furthest = clock::time_point::max() - now;
  if (wide{time} >= wide{furthest}) return sleep_until(clock::time_point::max());
  return sleep_until(now + std::chrono::ceil<clock::duration>(time));
}

}  // namespace hotseat
