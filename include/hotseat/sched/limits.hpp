// hotseat/sched/limits.hpp — how long a task is ready to wait: until a time, until told to
// stop. Layer: sched.
#pragma once

#include <hotseat/core/assert.hpp>
#include <hotseat/core/deadline.hpp>
#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/pinned.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sched/alarm_clock.hpp>
#include <hotseat/sched/dispatch.hpp>
#include <hotseat/sched/executor.hpp>

#include <chrono>
#include <optional>
#include <stop_token>
#include <utility>

namespace hotseat {

/// When a wait ends at the latest.
///
/// What it may cost.  A stop token neither throws nor allocates.  A deadline needs the
/// clock of the task's executor, and that of a pool is a thread: the first task of the pool
/// that has to wait until a time starts it.  Starting allocates, and throws
/// std::system_error or std::bad_alloc if no thread is to be had.  Then the task has not
/// joined the line, has arrived nowhere and still owns what it owned, and the next wait
/// with a deadline tries again.  A plain thread in `block_on` is its own clock.
struct wait_limits {
  // No aggregate: g++ 12 copies those bitwise in an expression that awaits.
  wait_limits() noexcept = default;
  wait_limits(std::optional<platform::clock::time_point> at, std::stop_token token) noexcept
      : due{at}, stop{std::move(token)} {}

  std::optional<platform::clock::time_point> due;
  std::stop_token stop;
};

/// `time` from now.  A duration that is too long to represent is for ever; one that is
/// negative or not a number is over now.
template <class Rep, class Period>
[[nodiscard]] platform::clock::time_point deadline_after(
    std::chrono::duration<Rep, Period> time) noexcept {
  return detail::later(platform::now(), time);
}

/// The same for a time of any clock, as that clock goes now.
template <class Clock, class Duration>
[[nodiscard]] platform::clock::time_point deadline_at(
    std::chrono::time_point<Clock, Duration> due) noexcept {
  return detail::moment_of<platform::clock>(due);
}

/// Ends the wait of one waiter when its time has come or when it is told to stop,
/// whichever is first, unless it has been granted before.
///
///     await_suspend:  prepare();  join the line;  return arm();
///     await_resume:   disarm();
class limits : alarm_clock::alarm, pinned<limits> {
 public:
  /// Takes the waiter out of its line.  Returns whether it was still there (W1).
  using leave_function = bool (*)(line_waiter& who) noexcept;

  limits(line_waiter& who, leave_function leave, wait_limits what) noexcept
      : who_{who}, leave_{leave}, stop_token_{std::move(what.stop)} {
    special_.has_limits = true;
    who_.special = &special_;
    if (what.due) {
      due = *what.due;
      ring = &on_alarm;
    }
  }

  ~limits() { disarm(); }

  /// Whether an end was tried, although it may have come too late to take the waiter out
  /// of its line.  Exact for whoever asks after having put it into a line again, since both
  /// touch the guard of that line.
  [[nodiscard]] bool is_over() const noexcept {
    return is_over_.load(std::memory_order_relaxed);
  }

  /// Before the waiter joins the line.  Throws what starting the clock throws.
  /// REQUIRES: the task runs on an executor that keeps time, if it has a deadline.
  void prepare() {
    if (!has_deadline()) return;
    executor* const here = executor::current();
    clock_ = here != nullptr ? here->timers() : nullptr;
    require(clock_ != nullptr, "wait", &who_,
            "a deadline needs an executor that keeps time");
    clock_->start();
  }

  /// After the waiter has joined the line, which may already have granted it.  Returns
  /// whether the task stays suspended; if so, `this` may be gone.
  [[nodiscard]] bool arm() noexcept {
    watch();
    return special_.may_suspend();
  }

  /// The first half of `arm`, for those who have something to do before they suspend.
  void watch() noexcept {
    if (stop_token_.stop_possible()) stop_.emplace(stop_token_, on_stop{this});
    if (has_deadline() && !clock_->set(*this)) {
      is_early = true;
      end();
    }
  }

  [[nodiscard]] special_wait& special() noexcept { return special_; }

  /// Waits for an end that is under way on another thread.  Idempotent.
  void disarm() noexcept {
    stop_.reset();
    if (clock_ != nullptr) std::exchange(clock_, nullptr)->withdraw(*this);
  }

  [[nodiscard]] outcome how_it_ended() const noexcept { return special_.how; }

  /// Whether the wait ended although its time had not come: the executor is being closed.
  [[nodiscard]] bool is_cut_short() const noexcept { return is_early; }

 private:
  struct on_stop {
    limits* which;
    void operator()() const noexcept { which->end(); }
  };

  [[nodiscard]] bool has_deadline() const noexcept { return ring != nullptr; }

  static void on_alarm(alarm& a) noexcept { static_cast<limits&>(a).end(); }

  void end() noexcept {
    is_over_.store(true, std::memory_order_relaxed);
    if (leave_(who_) && who_.settle(outcome::left)) dispatch_task(who_);  // W2
  }

  line_waiter& who_;
  special_wait special_;
  leave_function leave_;
  alarm_clock* clock_ = nullptr;
  platform::atomic<bool> is_over_{false};
  std::stop_token stop_token_;
  std::optional<platform::stop_callback<on_stop>> stop_;
};

}  // namespace hotseat
