// hotseat/task/task.hpp — task<T>: a coroutine that starts when it is awaited.
// Layer: task.  Read next: task/when_all.hpp, task/sync_wait.hpp.
#pragma once

#include <hotseat/core/assert.hpp>
#include <hotseat/core/result_slot.hpp>
#include <hotseat/task/detail/promise_base.hpp>
#include <hotseat/task/stop_token_of.hpp>

#include <concepts>
#include <coroutine>
#include <exception>
#include <stop_token>
#include <type_traits>
#include <utility>

namespace hotseat {

template <class T = void>
class task;

namespace detail {

template <class T>
class task_promise final : public promise_base {
 public:
  task<T> get_return_object() noexcept;
  void unhandled_exception() noexcept { result_.set_exception(std::current_exception()); }

  template <class U = T>
    requires std::is_constructible_v<T, U>
  void return_value(U&& value) noexcept(std::is_nothrow_constructible_v<T, U>) {
    result_.set_value(std::forward<U>(value));
  }

  result_slot<T>& result() noexcept { return result_; }

 private:
  result_slot<T> result_;
};

template <>
class task_promise<void> final : public promise_base {
 public:
  task<void> get_return_object() noexcept;
  void unhandled_exception() noexcept { result_.set_exception(std::current_exception()); }
  void return_void() noexcept {}
  result_slot<void>& result() noexcept { return result_; }

 private:
  result_slot<void> result_;
};

/// Gives joiners access to the coroutine of a task.
struct task_access;

}  // namespace detail

/// Lazy: nothing runs before it is awaited.  Move-only: it owns the coroutine.  Awaited
/// once, by value or as a temporary; an exception that leaves the coroutine is thrown at
/// the `co_await`.  Destroying a task that was never awaited, or that is suspended where
/// nothing will resume it, destroys the coroutine.
///
/// The awaited task gets the awaiting task's stop token.
template <class T>
class [[nodiscard("a task does nothing until it is awaited")]] task {
 public:
  using promise_type = detail::task_promise<T>;
  using value_type = T;

  task(task&& other) noexcept : coroutine_{std::exchange(other.coroutine_, nullptr)} {}
  task& operator=(task&& other) noexcept {
    if (this != &other) {
      destroy();
      coroutine_ = std::exchange(other.coroutine_, nullptr);
    }
    return *this;
  }
  ~task() { destroy(); }

  /// Whether it still owns a coroutine: false after it was moved from.
  [[nodiscard]] bool valid() const noexcept { return coroutine_ != nullptr; }

  class [[nodiscard("co_await it")]] operation {
   public:
    static bool await_ready() noexcept { return false; }
    template <class Promise>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> self) noexcept {
      promise_type& child = coroutine_.promise();
      child.set_continuation(self);
      child.set_stop_token(detail::stop_token_at(self));
      return transfer_to(coroutine_);
    }
    T await_resume() { return coroutine_.promise().result().take(); }

   private:
    friend task;
    explicit operation(std::coroutine_handle<promise_type> coroutine) noexcept
        : coroutine_{coroutine} {}
    std::coroutine_handle<promise_type> coroutine_;
  };

  operation operator co_await() && noexcept { return start(); }
  operation operator co_await() & noexcept { return start(); }

 private:
  friend promise_type;
  friend detail::task_access;

  explicit task(std::coroutine_handle<promise_type> coroutine) noexcept
      : coroutine_{coroutine} {}

  operation start() noexcept {
    require(coroutine_ != nullptr, "task", this, "it was moved from and cannot be awaited");
    require(!coroutine_.done(), "task", this,
            "it has run already and cannot be awaited again");
    return operation{coroutine_};
  }

  void destroy() noexcept {
    if (coroutine_) coroutine_.destroy();
  }

  std::coroutine_handle<promise_type> coroutine_;
};

namespace detail {

struct task_access {
  template <class T>
  static std::coroutine_handle<task_promise<T>> coroutine(task<T>& of) noexcept {
    require(of.coroutine_ != nullptr, "task", &of,
            "it was moved from and cannot be awaited");
    return of.coroutine_;
  }
};

/// Awaits a task that gets `token` instead of the awaiting task's token.
template <class T>
class [[nodiscard("co_await it")]] awaited_with {
 public:
  awaited_with(task<T>& child, const std::stop_token& token) noexcept
      : coroutine_{task_access::coroutine(child)}, token_{&token} {}
  static bool await_ready() noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> self) noexcept {
    coroutine_.promise().set_continuation(self);
    coroutine_.promise().set_stop_token(token_);
    return transfer_to(coroutine_);
  }
  T await_resume() { return coroutine_.promise().result().take(); }

 private:
  std::coroutine_handle<task_promise<T>> coroutine_;
  const std::stop_token* token_;
};

template <class T>
task<T> task_promise<T>::get_return_object() noexcept {
  return task<T>{std::coroutine_handle<task_promise>::from_promise(*this)};
}
inline task<void> task_promise<void>::get_return_object() noexcept {
  return task<void>{std::coroutine_handle<task_promise>::from_promise(*this)};
}

}  // namespace detail

}  // namespace hotseat
