// hotseat/sched/reschedule.hpp — going to the back of the line, and to another executor.
// Layer: sched.
#pragma once

#include <hotseat/core/pinned.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/sched/this_thread.hpp>

#include <coroutine>

namespace hotseat {

/// Lets everything that is ready run first.  Does nothing on a thread without an executor.
class [[nodiscard("co_await it")]] reschedule_operation : pinned<reschedule_operation> {
 public:
  static bool await_ready() noexcept { return executor::current() == nullptr; }

  void await_suspend(std::coroutine_handle<> self) noexcept {
    executor* const here = executor::current();
    place_.task = self;
    place_.home = here;
    place_.locks_held = this_thread().locks_held;
    here->schedule_last(place_);  // `this` may be gone.
  }

  void await_resume() const noexcept {
    if (place_.task) this_thread().locks_held = place_.locks_held;
  }

 private:
  friend reschedule_operation reschedule() noexcept;
  reschedule_operation() = default;
  waiter place_;
};

/// Awaitable: `co_await reschedule()` goes to the back of the line.
inline reschedule_operation reschedule() noexcept { return {}; }

/// Continues on a worker of `where`.
class [[nodiscard("co_await it")]] resume_on_operation : pinned<resume_on_operation> {
 public:
  bool await_ready() const noexcept { return executor::current() == &where_; }

  void await_suspend(std::coroutine_handle<> self) noexcept {
    place_.task = self;
    place_.home = &where_;
    place_.locks_held = this_thread().locks_held;
    where_.schedule(place_);  // `this` may be gone.
  }

  void await_resume() const noexcept {
    if (place_.task) this_thread().locks_held = place_.locks_held;
  }

 private:
  friend resume_on_operation resume_on(executor& where) noexcept;
  explicit resume_on_operation(executor& where) noexcept : where_{where} {}
  executor& where_;
  waiter place_;
};

/// Awaitable: `co_await resume_on(pool)` moves the calling task there.  Does nothing for a
/// task that is there already.
inline resume_on_operation resume_on(executor& where) noexcept {
  return resume_on_operation{where};
}

}  // namespace hotseat
