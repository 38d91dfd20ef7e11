// bench/support/observed_lock.hpp — a lock that tells whether it was contended.
#pragma once

#include <coroutine>

namespace hotseat::bench {

/// Locks, and returns whether it had to wait.
template <class Mutex>
class [[nodiscard("co_await it")]] observed_lock {
 public:
  explicit observed_lock(Mutex& mutex) : lock_{mutex.lock()} {}

  bool await_ready() noexcept { return lock_.await_ready(); }
  bool await_suspend(std::coroutine_handle<> self) noexcept {
    has_waited_ = true;
    if (lock_.await_suspend(self)) return true;  // In line: `this` may be gone.
    has_waited_ = false;
    return false;
  }
  bool await_resume() noexcept {
    lock_.await_resume();
    return has_waited_;
  }

 private:
  typename Mutex::lock_operation lock_;
  bool has_waited_ = false;
};

}  // namespace hotseat::bench
