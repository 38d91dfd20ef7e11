// hotseat/task/call_once.hpp — co_await call_once(flag, f): one task calls f, others wait.
// Layer: task.  Read next: sync/once_flag.hpp.
#pragma once

#include <hotseat/core/awaitable.hpp>
#include <hotseat/core/pinned.hpp>
#include <hotseat/sched/acquire_operation.hpp>
#include <hotseat/sched/block_on.hpp>
#include <hotseat/sched/wait_limits.hpp>
#include <hotseat/sync/once_flag.hpp>
#include <hotseat/task/task.hpp>

#include <concepts>
#include <coroutine>
#include <exception>
#include <functional>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

namespace hotseat {

namespace detail {

/// The turn of the task that entered.  If that task is destroyed before the end, the turn
/// passes to the next one.
class once_scope : pinned<once_scope> {
 public:
  explicit once_scope(once_flag& flag) noexcept : flag_{&flag} {}
  ~once_scope() {
    if (flag_ != nullptr) flag_->fail_dispatch();
  }
  once_flag& end() noexcept { return *std::exchange(flag_, nullptr); }

 private:
  once_flag* flag_;
};

/// Waits for its turn, unless another task completes the call first, and tries.  `Limits`
/// are wait_limits, or `unlimited`.  Returns whether the call has been done, here or
/// elsewhere.
template <class Limits, class F, class... Args>
task<bool> run_once(once_flag& flag, Limits& limits, F& f, std::tuple<Args...>& arguments) {
  if constexpr (std::same_as<Limits, wait_limits>) {
    auto entering = flag.enter(std::move(limits));
    const once_status found = co_await entering;
    if (found != once_status::ours) co_return found == once_status::done;
  } else {
    const bool is_our_turn = co_await flag.enter();
    if (!is_our_turn) co_return true;
  }
  once_scope turn{flag};
  std::exception_ptr error;
  try {
    if constexpr (awaitable<std::invoke_result_t<F, Args...>>) {
      auto awaited = std::apply(std::forward<F>(f), std::move(arguments));
      auto&& operation = get_awaiter(std::move(awaited));
      static_cast<void>(co_await operation);
    } else {
      static_cast<void>(std::apply(std::forward<F>(f), std::move(arguments)));
    }
  } catch (...) {
    error = std::current_exception();
  }
  if (error) {
    co_await turn.end().fail();
    std::rethrow_exception(std::move(error));
  }
  co_await turn.end().succeed();
  co_return true;
}

/// Creates a task only if the call has not been done.  Movable until it is awaited.
template <class Limits, class F, class... Args>
class [[nodiscard("co_await it")]] call_once_operation {
 public:
  template <class G, class... Given>
  explicit call_once_operation(once_flag& flag, Limits limits, G&& f, Given&&... arguments)
      : flag_{&flag},
        limits_{std::move(limits)},
        f_{std::forward<G>(f)},
        arguments_{std::forward<Given>(arguments)...} {}

  bool await_ready() const noexcept { return flag_->is_done(); }

  template <class Promise>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> self) {
    attempt_.emplace(run_once(*flag_, limits_, f_, arguments_));
    waiting_.emplace(get_awaiter(*attempt_));
    return waiting_->await_suspend(self);
  }

  void await_resume()
    requires std::same_as<Limits, unlimited>
  {
    static_cast<void>(is_done());
  }
  [[nodiscard("it may not have been done")]] bool await_resume()
    requires std::same_as<Limits, wait_limits>
  {
    return is_done();
  }

 private:
  bool is_done() { return !waiting_ || waiting_->await_resume(); }

  once_flag* flag_;
  [[no_unique_address]] Limits limits_;
  F f_;
  std::tuple<Args...> arguments_;
  std::optional<task<bool>> attempt_;
  std::optional<task<bool>::operation> waiting_;
};

template <class Limits, class F, class... Args>
auto make_call_once(once_flag& flag, Limits limits, F&& f, Args&&... args) {
  return call_once_operation<Limits, std::decay_t<F>, std::decay_t<Args>...>{
      flag, std::move(limits), std::forward<F>(f), std::forward<Args>(args)...};
}

template <class F, class... Args>
void call_in_turn(once_flag& flag, F&& f, Args&&... args) {
  once_scope turn{flag};
  static_cast<void>(std::invoke(std::forward<F>(f), std::forward<Args>(args)...));
  turn.end().succeed_dispatch();
}

template <class F, class... Args>
concept called_at_once =
    std::invocable<F, Args...> && !awaitable<std::invoke_result_t<F, Args...>>;

}  // namespace detail

/// Awaitable.  Of all tasks that await it with the same flag, one calls `f(args...)`; the
/// others wait until that is done.  After that it costs one load.
///
///     co_await call_once(flag, [&] { table = load(); });
///     co_await call_once(flag, open_connection, std::ref(address));
///
/// If `f` returns an awaitable, such as a task, that is awaited before the call counts as
/// done; a result is dropped.  If `f` throws, the exception goes to the task that called
/// it, and the one that has waited longest tries next; likewise if the calling task is
/// destroyed.
///
/// `f` and its arguments are copied or moved into the operation, as with std::thread.
/// `f` must not await the same flag: it would wait for itself.
template <class F, class... Args>
  requires std::invocable<std::decay_t<F>, std::decay_t<Args>...>
auto call_once(once_flag& flag, F&& f, Args&&... args) {
  return detail::make_call_once(flag, detail::unlimited{}, std::forward<F>(f),
                                std::forward<Args>(args)...);
}

/// Awaitable.  Yields true if the call has been done; false on timeout or stop while
/// another task was making it, no longer queued.  A call that has begun runs to its end.
template <class F, class... Args>
  requires std::invocable<std::decay_t<F>, std::decay_t<Args>...>
auto call_once(once_flag& flag, wait_limits limits, F&& f, Args&&... args) {
  return detail::make_call_once(flag, std::move(limits), std::forward<F>(f),
                                std::forward<Args>(args)...);
}
auto call_once_for(once_flag& flag, detail::any_duration auto time, auto&&... call) {
  return call_once(flag, wait_limits{time}, std::forward<decltype(call)>(call)...);
}
auto call_once_until(once_flag& flag, detail::any_time auto due, auto&&... call) {
  return call_once(flag, wait_limits{due}, std::forward<decltype(call)>(call)...);
}

/// For non-worker threads, and functions that return no awaitable: blocks the calling
/// thread.
template <class F, class... Args>
  requires detail::called_at_once<F, Args...>
void call_once_blocking(once_flag& flag, F&& f, Args&&... args) {
  if (!block_on(flag.enter())) return;
  detail::call_in_turn(flag, std::forward<F>(f), std::forward<Args>(args)...);
}

/// The same with limits; returns whether the call has been done.
template <class F, class... Args>
  requires detail::called_at_once<F, Args...>
[[nodiscard]] bool call_once_blocking(once_flag& flag, wait_limits limits, F&& f,
                                      Args&&... args) {
  const once_status found = block_on(flag.enter(std::move(limits)));
  if (found == once_status::ours) {
    detail::call_in_turn(flag, std::forward<F>(f), std::forward<Args>(args)...);
  }
  return found != once_status::left;
}

}  // namespace hotseat
