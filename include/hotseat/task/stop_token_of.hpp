// hotseat/task/stop_token_of.hpp — the stop token of a suspended coroutine.
// Layer: task.  For operations that want to be stopped; tasks ask task/this_task.hpp.
#pragma once

#include <hotseat/task/detail/promise_base.hpp>

#include <coroutine>
#include <stop_token>
#include <type_traits>

namespace hotseat::detail {

/// The token of a coroutine of any type; null if it has none.
template <class Promise>
[[nodiscard]] const std::stop_token* stop_token_of(
    std::coroutine_handle<Promise> task) noexcept {
  if constexpr (std::is_base_of_v<promise_base, Promise>) {
    return task.promise().stop_token();
  } else {
    return nullptr;
  }
}

}  // namespace hotseat::detail
