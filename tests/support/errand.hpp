// hotseat/tests/support/errand.hpp — the smallest things that an executor can run.
#pragma once

#include <hotseat/core/waiter.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/sched/worker_scope.hpp>

#include <coroutine>
#include <exception>
#include <functional>
#include <utility>

namespace hotseat {

/// A coroutine that calls a function when it is run, and then ends.
class errand {
 public:
  struct promise_type {
    errand get_return_object() noexcept {
      in_line.task = std::coroutine_handle<promise_type>::from_promise(*this);
      return errand{in_line};
    }
    static std::suspend_always initial_suspend() noexcept { return {}; }
    static std::suspend_never final_suspend() noexcept { return {}; }
    static void return_void() noexcept {}
    [[noreturn]] static void unhandled_exception() noexcept { std::terminate(); }
    waiter in_line;
  };
  waiter& place() const noexcept { return *place_; }

 private:
  explicit errand(waiter& place) noexcept : place_{&place} {}
  waiter* place_;
};

inline errand make_errand(std::function<void()> what) {
  what();
  co_return;
}

inline void run_on(executor& where, std::function<void()> what) {
  where.schedule(make_errand(std::move(what)).place());
}

/// Forks `child` from the running task.
inline void fork_here(waiter& child) { worker_scope::current()->fork_all({&child, 1}); }

/// Moves the running task to the back of the pool's line.
class to_the_back {
 public:
  explicit to_the_back(executor& where) noexcept : where_{where} {}
  static bool await_ready() noexcept { return false; }
  void await_suspend(std::coroutine_handle<> self) noexcept {
    in_line_.task = self;
    where_.schedule(in_line_);
  }
  static void await_resume() noexcept {}

 private:
  executor& where_;
  waiter in_line_;
};

}  // namespace hotseat
