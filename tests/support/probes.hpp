// hotseat/tests/support/probes.hpp — small coroutines, operations and executors that tests
// observe with.
#pragma once

#include <hotseat/core/lazy_start.hpp>
#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/sched/run.hpp>
#include <hotseat/sched/worker_scope.hpp>

#include <support/manual_executor.hpp>

#include <coroutine>
#include <exception>
#include <functional>
#include <thread>
#include <utility>

namespace hotseat::testing {

/// A coroutine type that is not the library's: starts at once and destroys itself at its
/// end.
struct detached {
  struct promise_type {
    static detached get_return_object() noexcept { return {}; }
    static std::suspend_never initial_suspend() noexcept { return {}; }
    static std::suspend_never final_suspend() noexcept { return {}; }
    static void return_void() noexcept {}
    [[noreturn]] static void unhandled_exception() noexcept { std::terminate(); }
  };
};

/// Like `detached`, but another coroutine or the test starts and destroys it.
class owned {
 public:
  struct promise_type : lazy_start {
    owned get_return_object() noexcept {
      return owned{std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    static std::suspend_always final_suspend() noexcept { return {}; }
    static void return_void() noexcept {}
    [[noreturn]] static void unhandled_exception() noexcept { std::terminate(); }
  };

  owned(owned&& other) noexcept : coroutine_{std::exchange(other.coroutine_, nullptr)} {}
  owned& operator=(owned&&) = delete;
  ~owned() {
    if (coroutine_) coroutine_.destroy();
  }

  [[nodiscard]] std::coroutine_handle<> handle() const noexcept { return coroutine_; }
  [[nodiscard]] bool done() const noexcept { return coroutine_.done(); }

  /// Runs it on this thread, without an executor.
  void run() const { run_until_idle(coroutine_); }

  /// Schedules it on `where`.
  void start_on(executor& where) noexcept {
    place_.task = coroutine_;
    place_.home = &where;
    where.schedule(place_);
  }

 private:
  explicit owned(std::coroutine_handle<promise_type> coroutine) noexcept
      : coroutine_{coroutine} {}
  std::coroutine_handle<promise_type> coroutine_;
  waiter place_;
};

/// `co_await on(e)` continues when `e` runs the task.
class [[nodiscard]] on {
 public:
  explicit on(executor& where) noexcept : where_{where} {}
  static bool await_ready() noexcept { return false; }
  void await_suspend(std::coroutine_handle<> self) noexcept {
    place_.task = self;
    place_.home = &where_;
    where_.schedule(place_);
  }
  static void await_resume() noexcept {}

 private:
  executor& where_;
  waiter place_;
};

/// `co_await stand_in(line)` continues when it is taken out of the line and resumed.  Its
/// places are line_waiters, so that a lock could pass them on.
class [[nodiscard]] stand_in {
 public:
  explicit stand_in(waiter_queue& line) noexcept : line_{line} {}
  static bool await_ready() noexcept { return false; }
  void await_suspend(std::coroutine_handle<> self) noexcept {
    place_.task = self;
    place_.home = executor::current();
    line_.push_back(place_);
  }
  static void await_resume() noexcept {}

 private:
  waiter_queue& line_;
  line_waiter place_;
};

/// `co_await this_coroutine()` yields the caller's handle.
class [[nodiscard]] this_coroutine {
 public:
  this_coroutine() noexcept = default;
  static bool await_ready() noexcept { return false; }
  bool await_suspend(std::coroutine_handle<> self) noexcept {
    self_ = self;
    return false;
  }
  [[nodiscard]] std::coroutine_handle<> await_resume() const noexcept { return self_; }

 private:
  std::coroutine_handle<> self_;
};

/// Runs a task inside `schedule`: it may have ended, and its frame may be gone, on return.
class immediate_executor final : public executor {
 public:
  void schedule(waiter& ready) noexcept override { worker_scope{*this}.run(ready); }
};

/// The same on another thread.
class other_thread_executor final : public executor {
 public:
  void schedule(waiter& ready) noexcept override {
    const std::coroutine_handle<> task = ready.task;
    std::thread{[this, task] { worker_scope{*this}.run(task); }}.join();
  }
};

/// `co_await transfer(to)` continues with another coroutine, and does not come back on its
/// own.
class [[nodiscard]] transfer {
 public:
  explicit transfer(const std::coroutine_handle<>& to) noexcept : to_{to} {}
  static bool await_ready() noexcept { return false; }
  [[nodiscard]] std::coroutine_handle<> await_suspend(
      std::coroutine_handle<>) const noexcept {
    return transfer_to(to_);
  }
  static void await_resume() noexcept {}

 private:
  const std::coroutine_handle<>& to_;
};

/// Awaits `operation`; if it is not ready, calls `in_between` once before it suspends.
template <class Operation>
class [[nodiscard]] interrupted {
 public:
  interrupted(Operation& operation, std::function<void()>& in_between) noexcept
      : operation_{operation}, in_between_{in_between} {}
  bool await_ready() { return operation_.await_ready(); }
  auto await_suspend(std::coroutine_handle<> self) {
    if (const auto call = std::exchange(in_between_, nullptr)) call();
    return operation_.await_suspend(self);
  }
  decltype(auto) await_resume() { return operation_.await_resume(); }

 private:
  Operation& operation_;
  std::function<void()>& in_between_;
};

/// A task that ends when it is first resumed.
inline owned do_nothing() { co_return; }

template <class Mutex>
owned unlock_only(Mutex& m) {
  co_await m.unlock();
}

template <class Mutex>
owned lock_and_unlock(Mutex& m) {
  co_await m.lock();
  co_await m.unlock();
}

/// Whether the mutex is free.
template <class Mutex>
bool is_free(Mutex& m) {
  if (!m.try_lock()) return false;
  m.unlock_dispatch();
  return true;
}

}  // namespace hotseat::testing
