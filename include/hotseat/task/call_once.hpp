// hotseat/task/call_once.hpp — co_await call_once(flag, f): one does it, the others wait.
// Layer: task.  Read next: sync/once_flag.hpp.
#pragma once

#include <hotseat/core/awaitable.hpp>
#include <hotseat/core/pinned.hpp>
#include <hotseat/sched/blocking.hpp>
#include <hotseat/sched/handoff.hpp>
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

/// The turn of whoever entered.  If its task is destroyed before the end, it is the next
/// one's turn.
template <class Flag>
class once_scope : pinned<once_scope<Flag>> {
 public:
  explicit once_scope(Flag& flag) noexcept : flag_{&flag} {}
  ~once_scope() {
    if (flag_ != nullptr) flag_->fail_dispatch();
  }
  Flag& end() noexcept { return *std::exchange(flag_, nullptr); }

 private:
  Flag* flag_;
};

/// Waits for its turn, if it comes at all, and tries.
template <class Flag, class F, class... Args>
task<> run_once(Flag& flag, F& f, std::tuple<Args...>& arguments) {
  const bool is_our_turn = co_await flag.enter();
  if (!is_our_turn) co_return;
  once_scope<Flag> turn{flag};
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
}

/// Makes the task that does it only if it is not done.  Movable until it is awaited.
template <class Flag, class F, class... Args>
class [[nodiscard("co_await it")]] call_once_operation {
 public:
  template <class G, class... Given>
  explicit call_once_operation(Flag& flag, G&& f, Given&&... arguments)
      : flag_{&flag},
        f_{std::forward<G>(f)},
        arguments_{std::forward<Given>(arguments)...} {}

  bool await_ready() const noexcept { return flag_->is_done(); }

  template <class Promise>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> self) {
    attempt_.emplace(run_once(*flag_, f_, arguments_));
    waiting_.emplace(get_awaiter(*attempt_));
    return waiting_->await_suspend(self);
  }

  void await_resume() {
    if (waiting_) waiting_->await_resume();
  }

 private:
  Flag* flag_;
  F f_;
  std::tuple<Args...> arguments_;
  std::optional<task<>> attempt_;
  std::optional<task<>::operation> waiting_;
};

}  // namespace detail

/// Awaitable.  Of all who await it with the same flag, one calls `f(args...)`; the others
/// wait until that is done.  Then nobody waits or calls any more, and it costs one load.
///
///     co_await call_once(flag, [&] { table = load(); });
///     co_await call_once(flag, open_connection, std::ref(address));
///
/// If `f` returns an awaitable, such as a task, that is awaited before it counts as done; a
/// result is dropped.  If `f` throws, the exception goes to whoever called it, and the one
/// that has waited longest tries next.  The same if the task that runs it is destroyed.
///
/// `f` and its arguments are copied or moved into the operation, as a thread does.
/// `f` must not await the same flag: it would wait for itself.
template <handoff_policy Handoff, class F, class... Args>
  requires std::invocable<std::decay_t<F>, std::decay_t<Args>...>
auto call_once(basic_once_flag<Handoff>& flag, F&& f, Args&&... args) {
  return detail::call_once_operation<basic_once_flag<Handoff>, std::decay_t<F>,
                                     std::decay_t<Args>...>{flag, std::forward<F>(f),
                                                            std::forward<Args>(args)...};
}

/// For threads that are no workers, and ordinary functions: blocks the calling thread.
template <handoff_policy Handoff, class F, class... Args>
  requires(std::invocable<F, Args...> && !awaitable<std::invoke_result_t<F, Args...>>)
void call_once_blocking(basic_once_flag<Handoff>& flag, F&& f, Args&&... args) {
  if (!block_on(flag.enter())) return;
  detail::once_scope turn{flag};
  static_cast<void>(std::invoke(std::forward<F>(f), std::forward<Args>(args)...));
  turn.end().succeed_dispatch();
}

}  // namespace hotseat
