// hotseat/task/this_task.hpp — what a task can ask about itself.
// Layer: task.
#pragma once

#include <hotseat/task/stop_token_of.hpp>

#include <coroutine>
#include <stop_token>
#include <utility>

namespace hotseat::this_task {

class [[nodiscard("co_await it")]] stop_token_operation {
 public:
  stop_token_operation() = default;
  static bool await_ready() noexcept { return false; }
  template <class Promise>
  bool await_suspend(std::coroutine_handle<Promise> self) noexcept {
    token_ = stop_token_of(self);
    return false;  // It only needed the promise.
  }
  std::stop_token await_resume() noexcept { return std::move(token_); }

 private:
  std::stop_token token_;
};

/// Awaitable: the token that tells this task to stop.  It comes from the task that awaits
/// this one, and originally from `sync_wait`, a `task_group` or a `when_any`.  Empty if
/// nothing can stop this task.
inline stop_token_operation stop_token() noexcept { return {}; }

}  // namespace hotseat::this_task
