// hotseat/task/sync_wait.hpp — runs a task from a plain thread, and waits for it.
// Layer: task.
#pragma once

#include <hotseat/core/assert.hpp>
#include <hotseat/core/awaitable.hpp>
#include <hotseat/core/pinned.hpp>
#include <hotseat/core/result_slot.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/sched/blocked_thread.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/task/detail/root.hpp>

#include <exception>
#include <stop_token>
#include <type_traits>
#include <utility>

namespace hotseat {

namespace detail {

template <class T>
struct sync_wait_state : pinned<sync_wait_state<T>> {
  result_slot<T> result;
  blocked_thread caller;
};

template <class T, class Awaitable>
root run_for(sync_wait_state<T>& state, Awaitable&& awaitable) {
  try {
    auto&& operation = get_awaiter(std::forward<Awaitable>(awaitable));
    if constexpr (std::is_void_v<T>) {
      co_await operation;
      state.result.set_value();
    } else {
      state.result.set_value(co_await operation);
    }
  } catch (...) {
    state.result.set_exception(std::current_exception());
  }
  // Last: the caller returns now, which destroys `state`.
  state.caller.wake();
}

}  // namespace detail

/// Awaits `awaitable` on `where` and blocks the calling thread until it is done.  Returns
/// its result or throws its exception.  A stop request of `token` reaches the awaited
/// tasks.
/// REQUIRES: the caller is not a worker of `where`: it would wait for itself.
template <awaitable Awaitable>
auto sync_wait(executor& where, Awaitable&& awaitable, std::stop_token token = {})
    -> await_result_t<Awaitable> {
  using result = await_result_t<Awaitable>;
  require(
      executor::current() != &where, "sync_wait", &where,
      "it must not be called on a worker of the executor it waits for; co_await instead");
  detail::sync_wait_state<result> state;
  detail::start(detail::run_for<result>(state, std::forward<Awaitable>(awaitable)), where,
                &token);
  state.caller.wait();
  return state.result.take();
}

}  // namespace hotseat
