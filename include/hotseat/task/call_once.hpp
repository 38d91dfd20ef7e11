// hotseat/task/call_once.hpp — co_await call_once(flag, f): one does it, the others wait.
// Layer: task.  Read next: sync/once_flag.hpp.
#pragma once

#include <hotseat/core/awaitable.hpp>
#include <hotseat/core/pinned.hpp>
#include <hotseat/sched/blocking.hpp>
#include <hotseat/sched/handoff.hpp>
#include <hotseat/sched/limits.hpp>
#include <hotseat/sched/wait_operation.hpp>
#include <hotseat/sync/once_flag.hpp>
#include <hotseat/task/task.hpp>

#include <chrono>
#include <concepts>
#include <coroutine>
#include <exception>
#include <functional>
#include <optional>
#include <stop_token>
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

/// Waits for its turn, if it comes at all, and tries.  `Limits` are the wait_limits of that
/// wait, or `unlimited`.  Gives whether it has been done, by whomever.
template <class Flag, class Limits, class F, class... Args>
task<bool> run_once(Flag& flag, Limits& what, F& f, std::tuple<Args...>& arguments) {
  if constexpr (std::same_as<Limits, wait_limits>) {
    auto entering = flag.enter(std::move(what));
    const once_status found = co_await entering;
    if (found != once_status::ours) co_return found == once_status::done;
  } else {
    const bool is_our_turn = co_await flag.enter();
    if (!is_our_turn) co_return true;
  }
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
  co_return true;
}

/// Makes the task that does it only if it is not done.  Movable until it is awaited.
template <class Flag, class Limits, class F, class... Args>
class [[nodiscard("co_await it")]] call_once_operation {
 public:
  template <class G, class... Given>
  explicit call_once_operation(Flag& flag, Limits what, G&& f, Given&&... arguments)
      : flag_{&flag},
        what_{std::move(what)},
        f_{std::forward<G>(f)},
        arguments_{std::forward<Given>(arguments)...} {}

  bool await_ready() const noexcept { return flag_->is_done(); }

  template <class Promise>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> self) {
    attempt_.emplace(run_once(*flag_, what_, f_, arguments_));
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

  Flag* flag_;
  [[no_unique_address]] Limits what_;
  F f_;
  std::tuple<Args...> arguments_;
  std::optional<task<bool>> attempt_;
  std::optional<task<bool>::operation> waiting_;
};

template <class Flag, class Limits, class F, class... Args>
auto make_call_once(Flag& flag, Limits what, F&& f, Args&&... args) {
  return call_once_operation<Flag, Limits, std::decay_t<F>, std::decay_t<Args>...>{
      flag, std::move(what), std::forward<F>(f), std::forward<Args>(args)...};
}

template <class Flag, class F, class... Args>
void call_blocking(Flag& flag, F&& f, Args&&... args) {
  once_scope turn{flag};
  static_cast<void>(std::invoke(std::forward<F>(f), std::forward<Args>(args)...));
  turn.end().succeed_dispatch();
}

/// Gives whether it has been done.
template <class Flag, class F, class... Args>
[[nodiscard]] bool call_blocking_limited(Flag& flag, wait_limits what, F&& f,
                                         Args&&... args) {
  const once_status found = block_on(flag.enter(std::move(what)));
  if (found == once_status::ours) {
    call_blocking(flag, std::forward<F>(f), std::forward<Args>(args)...);
  }
  return found != once_status::left;
}

template <class F, class... Args>
concept called_at_once =
    std::invocable<F, Args...> && !awaitable<std::invoke_result_t<F, Args...>>;

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
  return detail::make_call_once(flag, detail::unlimited{}, std::forward<F>(f),
                                std::forward<Args>(args)...);
}

/// Awaitable; gives whether it has been done.  It has not if the time was over, or the
/// caller was told to stop, while somebody else was at it; then it is out of the line.  Who
/// has begun to call goes on to the end.  For both limits at once: `once_flag::enter_for`.
template <handoff_policy Handoff, class F, class... Args>
  requires std::invocable<std::decay_t<F>, std::decay_t<Args>...>
auto call_once(basic_once_flag<Handoff>& flag, std::stop_token stop, F&& f,
               Args&&... args) {
  return detail::make_call_once(flag, wait_limits{std::nullopt, std::move(stop)},
                                std::forward<F>(f), std::forward<Args>(args)...);
}
template <handoff_policy Handoff, class Rep, class Period, class F, class... Args>
  requires std::invocable<std::decay_t<F>, std::decay_t<Args>...>
auto call_once_for(basic_once_flag<Handoff>& flag, std::chrono::duration<Rep, Period> time,
                   F&& f, Args&&... args) {
  return detail::make_call_once(flag, wait_limits{deadline_after(time), {}},
                                std::forward<F>(f), std::forward<Args>(args)...);
}
template <handoff_policy Handoff, class Clock, class Duration, class F, class... Args>
  requires std::invocable<std::decay_t<F>, std::decay_t<Args>...>
auto call_once_until(basic_once_flag<Handoff>& flag,
                     std::chrono::time_point<Clock, Duration> due, F&& f, Args&&... args) {
  return detail::make_call_once(flag, wait_limits{deadline_at(due), {}}, std::forward<F>(f),
                                std::forward<Args>(args)...);
}

/// For threads that are no workers, and ordinary functions: blocks the calling thread.
template <handoff_policy Handoff, class F, class... Args>
  requires detail::called_at_once<F, Args...>
void call_once_blocking(basic_once_flag<Handoff>& flag, F&& f, Args&&... args) {
  if (!block_on(flag.enter())) return;
  detail::call_blocking(flag, std::forward<F>(f), std::forward<Args>(args)...);
}

/// The same with limits; returns whether it has been done.
template <handoff_policy Handoff, class F, class... Args>
  requires detail::called_at_once<F, Args...>
[[nodiscard]] bool call_once_blocking(basic_once_flag<Handoff>& flag, std::stop_token stop,
                                      F&& f, Args&&... args) {
  return detail::call_blocking_limited(flag, {std::nullopt, std::move(stop)},
                                       std::forward<F>(f), std::forward<Args>(args)...);
}
template <handoff_policy Handoff, class Rep, class Period, class F, class... Args>
  requires detail::called_at_once<F, Args...>
[[nodiscard]] bool call_once_blocking_for(basic_once_flag<Handoff>& flag,
                                          std::chrono::duration<Rep, Period> time, F&& f,
                                          Args&&... args) {
  return detail::call_blocking_limited(flag, {deadline_after(time), {}}, std::forward<F>(f),
                                       std::forward<Args>(args)...);
}
template <handoff_policy Handoff, class Clock, class Duration, class F, class... Args>
  requires detail::called_at_once<F, Args...>
[[nodiscard]] bool call_once_blocking_until(basic_once_flag<Handoff>& flag,
                                            std::chrono::time_point<Clock, Duration> due,
                                            F&& f, Args&&... args) {
  return detail::call_blocking_limited(flag, {deadline_at(due), {}}, std::forward<F>(f),
                                       std::forward<Args>(args)...);
}

}  // namespace hotseat
