// hotseat/task/detail/root.hpp — the coroutine at the bottom: started on an executor, owned
// by itself.  Layer: task/detail.
#pragma once

#include <hotseat/core/waiter.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/task/detail/promise_base.hpp>

#include <coroutine>
#include <exception>
#include <stop_token>

namespace hotseat::detail {

/// Destroys itself at its end.  No exception may leave it: its body must catch them all.
class root {
 public:
  class promise_type final : public promise_base {
   public:
    root get_return_object() noexcept {
      return root{std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    static std::suspend_never final_suspend() noexcept { return {}; }
    static void return_void() noexcept {}
    [[noreturn]] static void unhandled_exception() noexcept { std::terminate(); }

    waiter in_line;
  };

 private:
  friend waiter& place_of(root coroutine, const std::stop_token* token) noexcept;
  explicit root(std::coroutine_handle<promise_type> coroutine) noexcept
      : coroutine_{coroutine} {}
  std::coroutine_handle<promise_type> coroutine_;
};

/// The place in line of a coroutine that has not started.  `token` must outlive it.
[[nodiscard]] inline waiter& place_of(root coroutine,
                                      const std::stop_token* token) noexcept {
  root::promise_type& promise = coroutine.coroutine_.promise();
  promise.set_stop_token(token);
  promise.in_line.task = coroutine.coroutine_;
  return promise.in_line;
}

/// Schedules the coroutine on `where`.  `token` must outlive it.
inline void start(root coroutine, executor& where, const std::stop_token* token) noexcept {
  waiter& place = place_of(coroutine, token);
  place.home = &where;
  where.schedule(place);
}

}  // namespace hotseat::detail
