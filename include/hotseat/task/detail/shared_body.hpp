// hotseat/task/detail/shared_body.hpp — what the awaiters of a shared task share: the task,
// its end, its result.  Layer: task/detail.  Read next: shared_life.hpp (how long?).
#pragma once

#include <hotseat/core/assert.hpp>
#include <hotseat/core/pinned.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/sched/current.hpp>
#include <hotseat/sched/exchange.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/sched/handoff.hpp>
#include <hotseat/sched/run.hpp>
#include <hotseat/sync/event.hpp>
#include <hotseat/task/detail/frame_allocator.hpp>
#include <hotseat/task/detail/root.hpp>
#include <hotseat/task/detail/shared_life.hpp>
#include <hotseat/task/task.hpp>

#include <coroutine>
#include <stop_token>
#include <utility>

namespace hotseat::detail {

/// For a task that is about to end: the first heir gets its worker, and the others are
/// scheduled in one batch.
inline void let_out_at_end(waiter_queue heirs) noexcept {
  settle_all(heirs);
  if (heirs.empty() || !lives_here(current(), *heirs.front())) return dispatch_all(heirs);
  const std::coroutine_handle<> first = heirs.pop_front().task;
  dispatch_all(heirs);
  executor::run_next(first);
}

/// Awaits a task, but leaves its result where it is.
template <class T>
class [[nodiscard("co_await it")]] end_of {
 public:
  explicit end_of(task<T>& child) noexcept : coroutine_{task_access::coroutine(child)} {}
  static bool await_ready() noexcept { return false; }
  template <class Promise>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> self) noexcept {
    coroutine_.promise().set_continuation(self);
    coroutine_.promise().set_stop_token(stop_token_at(self));
    return transfer_to(coroutine_);
  }
  static void await_resume() noexcept {}

 private:
  std::coroutine_handle<task_promise<T>> coroutine_;
};

/// Created with the first handle; destroyed by its last user (shared_life.hpp).
template <class T>
class shared_body : public recycled_frame, pinned<shared_body<T>> {
 public:
  explicit shared_body(task<T> once)
      : task_{std::move(once)}, driver_{place_of(drive(*this), &token_)} {
    require(!task_access::coroutine(task_).done(), "task", &once,
            "it has run already and cannot be awaited again");
  }
  ~shared_body() {
    if (!life_.is_started()) driver_.task.destroy();
  }

  void add_handle() noexcept { life_.add_handle(); }
  /// `of` may be gone then.
  static void drop_handle(shared_body& of) noexcept {
    if (of.life_.drop_handle([&of] { of.request_stop(); })) delete &of;
  }

  [[nodiscard]] event& done() noexcept { return done_; }
  /// REQUIRES: done().
  [[nodiscard]] decltype(auto) result() const {
    return std::as_const(task_access::coroutine(task_).promise().result()).look();
  }
  void request_stop() noexcept { stop_.request_stop(); }

  /// What to run if the caller is the first to start the task; null otherwise.
  [[nodiscard]] waiter* start() noexcept { return life_.try_start() ? &driver_ : nullptr; }

 private:
  /// Keeps the body alive until the task has ended; releases it last.
  static root drive(shared_body& of) {
    co_await end_of{of.task_};
    let_out_at_end(of.done_.state_.open());
    if (of.life_.end()) delete &of;
  }

  shared_life life_;
  event done_;
  std::stop_source stop_;
  const std::stop_token token_ = stop_.get_token();
  mutable task<T> task_;
  waiter& driver_;
};

/// Starts the task if its awaiter is the first.
class shared_start : pinned<shared_start> {
 public:
  template <class T>
  explicit shared_start(shared_body<T>& of) noexcept : driver_{of.start()} {}
  /// If the wait threw: other awaiters may already count on the task.
  ~shared_start() { run_elsewhere(); }

  /// Runs the task in place of the caller, which is suspended: what `await_suspend`
  /// returns.  The task owns none of the caller's locks.
  [[nodiscard]] std::coroutine_handle<> run_here() noexcept {
    if (driver_ == nullptr) return std::noop_coroutine();
    current().locks_held = 0;
    return transfer_to(std::exchange(driver_, nullptr)->task);
  }

  /// Dispatches the task; the caller goes on.
  void run_elsewhere() noexcept {
    if (driver_ == nullptr) return;
    driver_->home = executor::current();
    dispatch_task(*std::exchange(driver_, nullptr));
  }

 private:
  waiter* driver_;
};

}  // namespace hotseat::detail
