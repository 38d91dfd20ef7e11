// hotseat/task/stop_token_of.hpp — the stop token of a suspended coroutine.
// Layer: task.  For operations that can be stopped; tasks use task/this_task.hpp.
#pragma once

#include <hotseat/task/detail/promise_base.hpp>

#include <coroutine>
#include <stop_token>
#include <type_traits>

namespace hotseat {

namespace detail {

/// The token of a coroutine of any type; null if it has none.
template <class Promise>
[[nodiscard]] const std::stop_token* stop_token_at(
    std::coroutine_handle<Promise> task) noexcept {
  if constexpr (std::is_base_of_v<promise_base, Promise>) {
    return task.promise().stop_token();
  } else {
    return nullptr;
  }
}

}  // namespace detail

/// For an awaitable of your own: the stop token of the task that awaits it.  Empty if
/// nothing can stop that task, and for coroutines that are not hotseat's.
///
///     template <class Promise>
///     void await_suspend(std::coroutine_handle<Promise> self) {
///       cancel_.emplace(hotseat::stop_token_of(self), [this] { cancel(); });
///       ...
template <class Promise>
[[nodiscard]] std::stop_token stop_token_of(std::coroutine_handle<Promise> task) noexcept {
  const std::stop_token* const token = detail::stop_token_at(task);
  return token != nullptr ? *token : std::stop_token{};
}

}  // namespace hotseat
