// hotseat/sched/wait_limits.hpp — how long a task waits, and what may stop it.
// Layer: sched.
#pragma once

#include <hotseat/core/assert.hpp>
#include <hotseat/core/deadline.hpp>
#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/pinned.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sched/executor.hpp>

#include <chrono>
#include <optional>
#include <stop_token>
#include <utility>

namespace hotseat {

/// Ends a wait early: a duration, a time of any clock, a stop token, or a time and a token.
///
///     const bool owns = co_await m.lock(10ms);
///     const bool is_set = co_await e.wait(stop);
///     auto value = co_await c.receive({10ms, stop});
///
/// Every wait of every primitive takes one as its last argument, or its last before a
/// function.  The wait then yields something that is true if it was granted: a bool, or, if
/// the wait has a result, an optional or something that reads like one.  A wait that was
/// not granted has left the line and taken nothing.
///
/// What is free is granted at once, even if the time has passed.
///
/// Cost.  A stop token neither throws nor allocates.  A deadline needs the clock of the
/// task's executor, and that of a pool is a thread, started by the pool's first task that
/// must wait with a deadline.  Starting it allocates, and throws std::system_error or
/// std::bad_alloc if no thread can be created.  Then the task has not joined the line, has
/// arrived nowhere and still owns what it owned, and the next wait with a deadline tries
/// again.  A plain thread in `block_on` is its own clock.
class wait_limits {
 public:
  /// None.
  wait_limits() noexcept = default;

  // NOLINTBEGIN(google-explicit-constructor): to be written where it is used.
  wait_limits(std::stop_token token) noexcept : stop{std::move(token)} {}

  /// From now.  Too long to represent is for ever; negative or not a number is no wait.
  template <class Rep, class Period>
  wait_limits(std::chrono::duration<Rep, Period> time, std::stop_token token = {}) noexcept
      : due{detail::later(platform::now(), time)}, stop{std::move(token)} {}

  /// A time of any clock, converted by what both clocks say now.
  template <class Clock, class Duration>
  wait_limits(std::chrono::time_point<Clock, Duration> at,
              std::stop_token token = {}) noexcept
      : due{detail::moment_of<platform::clock>(at)}, stop{std::move(token)} {}
  // NOLINTEND(google-explicit-constructor)

  std::optional<platform::clock::time_point> due;
  std::stop_token stop;
};

namespace detail {

// For the standard's names: `try_lock_for` takes a duration, `try_lock_until` a time.
template <class T>
concept any_duration =
    requires(T t) { []<class R, class P>(std::chrono::duration<R, P>) {}(t); };
template <class T>
concept any_time =
    requires(T t) { []<class C, class D>(std::chrono::time_point<C, D>) {}(t); };

/// Ends the wait of one waiter when its time has come or when it is told to stop, whichever
/// is first, unless it has been granted before.
///
///     await_suspend:  prepare();  join the line;  return arm();
///     await_resume:   disarm();
class early_end : alarm_clock::alarm, pinned<early_end> {
 public:
  /// Takes the waiter out of its line.  Returns whether it was still there (W1).
  using leave_function = bool (*)(line_waiter& who) noexcept;

  early_end(line_waiter& who, leave_function leave, wait_limits limits) noexcept
      : who_{who}, leave_{leave}, stop_token_{std::move(limits.stop)} {
    special_.has_limits = true;
    who_.special = &special_;
    if (limits.due) {
      due = *limits.due;
      ring = &on_alarm;
    }
  }

  ~early_end() { disarm(); }

  /// Whether an end was attempted, even if it came too late to take the waiter out of its
  /// line.  Exact for a caller that has put the waiter into a line again: both go through
  /// the line's guard.
  [[nodiscard]] bool was_attempted() const noexcept {
    return was_attempted_.load(std::memory_order_relaxed);
  }

  /// Before the waiter joins the line.  Throws what starting the clock throws.
  /// REQUIRES: with a deadline, the task runs on an executor that keeps time.
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

  /// The first half of `arm`, for operations that have more to do before they suspend.
  void watch() noexcept {
    if (stop_token_.stop_possible()) stop_.emplace(stop_token_, on_stop{this});
    if (has_deadline() && !clock_->set(*this)) {
      is_early = true;
      end();
    }
  }

  [[nodiscard]] special_wait& special() noexcept { return special_; }

  /// Waits for an early end that is in progress on another thread.  Idempotent.
  void disarm() noexcept {
    stop_.reset();
    if (clock_ != nullptr) std::exchange(clock_, nullptr)->withdraw(*this);
  }

  [[nodiscard]] outcome how_it_ended() const noexcept { return special_.how; }

  /// Whether the wait ended before its time because the executor is being closed.
  [[nodiscard]] bool is_cut_short() const noexcept { return is_early; }

 private:
  struct on_stop {
    early_end* which;
    void operator()() const noexcept { which->end(); }
  };

  [[nodiscard]] bool has_deadline() const noexcept { return ring != nullptr; }

  static void on_alarm(alarm& a) noexcept { static_cast<early_end&>(a).end(); }

  void end() noexcept {
    was_attempted_.store(true, std::memory_order_relaxed);
    if (leave_(who_) && who_.settle(outcome::left)) dispatch_task(who_);  // W2
  }

  line_waiter& who_;
  special_wait special_;
  leave_function leave_;
  alarm_clock* clock_ = nullptr;
  platform::atomic<bool> was_attempted_{false};
  std::stop_token stop_token_;
  std::optional<platform::stop_callback<on_stop>> stop_;
};

}  // namespace detail

}  // namespace hotseat
