// hotseat/sched/reschedule.hpp — going to the back of the line, and to another executor.
// Layer: sched.
#pragma once

#include <hotseat/core/pinned.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/sched/current.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/sched/worker_scope.hpp>

#include <coroutine>

namespace hotseat {

/// Lets everything that is ready run first.  Does nothing on a non-worker thread.
class [[nodiscard("co_await it")]] reschedule_operation : pinned<reschedule_operation> {
 public:
  static bool await_ready() noexcept { return detail::current().worker == nullptr; }

  void await_suspend(std::coroutine_handle<> self) noexcept {
    detail::note_suspended(place_, self);
    detail::current().worker->schedule_last(place_);  // `this` may be gone.
  }

  void await_resume() const noexcept {
    if (place_.task) detail::note_resumed(place_);
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
    detail::note_suspended(place_, self);
    place_.home = &where_;
    where_.schedule(place_);  // `this` may be gone.
  }

  void await_resume() const noexcept {
    if (place_.task) detail::note_resumed(place_);
  }

 private:
  friend resume_on_operation resume_on(executor& where) noexcept;
  explicit resume_on_operation(executor& where) noexcept : where_{where} {}
  executor& where_;
  waiter place_;
};

/// Awaitable: `co_await resume_on(pool)` moves the calling task there.  Does nothing if it
/// is there already.
inline resume_on_operation resume_on(executor& where) noexcept {
  return resume_on_operation{where};
}

}  // namespace hotseat
