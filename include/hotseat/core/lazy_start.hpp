// hotseat/core/lazy_start.hpp — a coroutine that waits to be started.
// Layer: core.
#pragma once

#include <hotseat/core/assert.hpp>
#include <hotseat/platform/config.hpp>

#include <coroutine>
#include <type_traits>
#include <utility>

namespace hotseat {

namespace detail {

class suspends_always {
 public:
  static std::suspend_always initial_suspend() noexcept { return {}; }
};

/// g++ 12 miscompiles coroutines that await in a condition and declare no variable in
/// their outermost block, as in
///
///     task<> wait(mutex& m) {
///       if (co_await m.try_lock_for(1s)) co_await m.unlock();
///     }
///
/// The frame loses track of where it was suspended.  Depending on what was in its memory
/// before, starting it traps, or runs its beginning a second time.  This class reports the
/// second case.
class starts_once {
 public:
  starts_once() noexcept : self_{this} {}
  starts_once(const starts_once&) = delete;
  starts_once& operator=(const starts_once&) = delete;

  std::suspend_always initial_suspend() noexcept {
    require(
        std::exchange(self_, nullptr) == this, "task", this,
        "g++ 12 miscompiles a coroutine that awaits in a condition unless its outermost "
        "block declares a variable: write `const bool b = co_await ...; if (b) ...`");
    return {};
  }

 protected:
  ~starts_once() = default;

 private:
  const starts_once* self_;  // `this` until initial_suspend has run.
};

}  // namespace detail

/// Base of a promise whose coroutine suspends before its first statement.
using lazy_start = std::conditional_t<config::may_start_twice, detail::starts_once,
                                      detail::suspends_always>;

}  // namespace hotseat
