// hotseat/task/shared_task.hpp — shared_task<T>: one task with any number of awaiters.
// Layer: task.  Read next: task/detail/shared_body.hpp (what they share).
#pragma once

#include <hotseat/core/assert.hpp>
#include <hotseat/core/pinned.hpp>
#include <hotseat/sched/run.hpp>
#include <hotseat/sched/wait_limits.hpp>
#include <hotseat/task/detail/shared_body.hpp>
#include <hotseat/task/task.hpp>

#include <concepts>
#include <coroutine>
#include <stop_token>
#include <type_traits>
#include <utility>

namespace hotseat {

/// A task that any number of tasks may await, each as often as it likes.
///
///     shared_task<config> loaded = load(path);         // load returns a task<config>
///
///     const config& c = co_await loaded;               // in one task
///     const config& c = co_await loaded;               // in another
///
/// Lazy: the first awaiter starts it, on its own executor, and waits like all others.  When
/// it ends, the first awaiter in line continues on that worker, and the rest are scheduled
/// in one batch, each on its own executor.  After that, awaiting it costs two atomic
/// operations and does not suspend.  A coroutine may return it in place of a `task<T>`.
///
/// All awaiters see the same result: `co_await` returns a `const T&`, valid as long as
/// there is a handle, or the reference that the task returned.  On a temporary handle it
/// returns a copy.  The result need not be movable.  If the task throws, each `co_await`
/// throws the same exception object: do not change it.
///
/// A handle is copied like a std::shared_ptr, and keeps the task alive.  A wait has a
/// handle of its own: the one that was awaited may be destroyed meanwhile.
///
/// `wait()`, `wait(stop_token)`, `wait_for` and `wait_until` wait for the end only; they
/// start the task, too.  A plain thread uses `sync_wait(pool, loaded)`, since a task needs
/// workers.
///
/// The stop tokens of its awaiters do not reach it: one that gives up must not stop what
/// the others wait for.  Its own token is triggered by `request_stop`, or when its last
/// handle is destroyed while it runs; it then runs to its end on its own.  If it uses what
/// you are about to destroy, keep a handle and wait.  It must not await itself.
template <class T = void>
class [[nodiscard("a task does nothing until it is awaited")]] shared_task {
  static_assert(!std::is_rvalue_reference_v<T>, "only one could take what it refers to");
  using body = detail::shared_body<T>;
  using unlimited_wait = event::wait_operation;
  using limited_wait = event::limited_wait_operation;

  template <class Waiting, class Result>
  class operation;
  struct nothing;

  // What a named handle returns, and what a temporary one returns.
  using shared_result =
      std::conditional_t<std::is_object_v<T>, std::add_lvalue_reference_t<const T>, T>;
  using own_result = std::remove_cv_t<T>;
  static constexpr bool can_be_copied =
      !std::is_object_v<T> || std::copy_constructible<own_result>;

 public:
  using promise_type = detail::task_promise<T>;
  using value_type = T;
  using wait_operation = operation<unlimited_wait, nothing>;
  using limited_wait_operation = operation<limited_wait, nothing>;

  /// REQUIRES: `once` has not been awaited.
  // NOLINTNEXTLINE(google-explicit-constructor): what a coroutine returns becomes one.
  shared_task(task<T> once) : body_{new body{std::move(once)}} {}

  shared_task(const shared_task& other) noexcept : body_{other.body_} {
    if (body_ != nullptr) body_->add_handle();
  }
  shared_task(shared_task&& other) noexcept : body_{std::exchange(other.body_, nullptr)} {}
  shared_task& operator=(shared_task other) noexcept {
    std::swap(body_, other.body_);
    return *this;
  }
  ~shared_task() {
    if (body_ != nullptr) body::drop_handle(*body_);
  }

  /// Whether it is a handle: false after it was moved from.
  [[nodiscard]] bool valid() const noexcept { return body_ != nullptr; }

  /// Whether the task has ended.
  [[nodiscard]] bool is_done() const noexcept { return checked().done().is_set(); }

  /// What `co_await` returns, without waiting.  REQUIRES: is_done().
  [[nodiscard]] shared_result result() const {
    require(is_done(), "shared_task", body_, "it has no result before it has ended");
    return body_->result();
  }

  /// Awaitable.  Returns the result, or throws.
  operation<unlimited_wait, shared_result> operator co_await() const& noexcept {
    return {*this};
  }
  operation<unlimited_wait, own_result> operator co_await() && noexcept
    requires can_be_copied
  {
    return {std::move(*this)};
  }
  void operator co_await() && noexcept
    requires(!can_be_copied)
  = delete;  // The result would die with the temporary: name the handle.

  /// Awaitable.  Waits until the task has ended, with a value or an exception.
  wait_operation wait() const noexcept { return {*this}; }

  /// Awaitable.  Yields true if the task has ended; false on timeout or stop, which does
  /// not affect the task.
  limited_wait_operation wait(wait_limits limits) const noexcept {
    return {*this, std::move(limits)};
  }
  auto wait_for(detail::any_duration auto time, std::stop_token stop = {}) const noexcept {
    return wait({time, std::move(stop)});
  }
  auto wait_until(detail::any_time auto due, std::stop_token stop = {}) const noexcept {
    return wait({due, std::move(stop)});
  }

  /// Asks the task to stop.
  void request_stop() const noexcept { checked().request_stop(); }

 private:
  body& checked() const noexcept {
    require(body_ != nullptr, "shared_task", this,
            "it was moved from and cannot be awaited");
    return *body_;
  }

  body* body_;
};

template <class T>
shared_task(task<T>) -> shared_task<T>;

/// Starts the task unless it has been started, and waits for its end.
template <class T>
template <class Waiting, class Result>
class [[nodiscard("co_await it")]] shared_task<T>::operation
    : pinned<operation<Waiting, Result>> {
  static constexpr bool is_limited = std::same_as<Waiting, limited_wait>;
  static constexpr bool gives_result = !std::same_as<Result, nothing>;

 public:
  bool await_ready() noexcept { return waiting_.await_ready(); }

  std::coroutine_handle<> await_suspend(std::coroutine_handle<> self) noexcept(
      noexcept(std::declval<Waiting&>().await_suspend(self))) {
    detail::shared_start first{*of_.body_};
    if (waiting_.await_suspend(self)) return first.run_here();  // `this` may be gone.
    first.run_elsewhere();
    return transfer_to(self);
  }

  void await_resume() noexcept
    requires(!is_limited && !gives_result)
  {
    waiting_.await_resume();
  }
  [[nodiscard("it may not have ended")]] bool await_resume() noexcept
    requires is_limited
  {
    return waiting_.await_resume();
  }
  Result await_resume()
    requires gives_result
  {
    waiting_.await_resume();
    return of_.body_->result();
  }

 private:
  friend shared_task;
  template <class Of, class... Limits>
  operation(Of&& of, Limits&&... limits) noexcept  // NOLINT(google-explicit-constructor)
      : of_{std::forward<Of>(of)},
        waiting_{of_.checked().done().wait(std::forward<Limits>(limits)...)} {}

  shared_task of_;
  Waiting waiting_;
};

}  // namespace hotseat
