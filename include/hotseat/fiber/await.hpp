// hotseat/fiber/await.hpp — co_await for fibers.
// Layer: fiber.  Read next: detail/fiber_control.hpp.
#pragma once

#include <hotseat/core/assert.hpp>
#include <hotseat/core/awaitable.hpp>
#include <hotseat/fiber/detail/fiber_control.hpp>
#include <hotseat/platform/memory.hpp>
#include <hotseat/sched/block_on.hpp>
#include <hotseat/sched/current.hpp>
#include <hotseat/sched/executor.hpp>

#include <concepts>
#include <coroutine>
#include <exception>
#include <type_traits>
#include <utility>

namespace hotseat {

namespace detail {

/// A fiber's wait for one operation.
template <class Operation>
class fiber_wait_for final : public fiber_wait {
 public:
  explicit fiber_wait_for(Operation& operation) noexcept
      : fiber_wait{&suspend_driver}, operation_{operation} {}

  /// Throws in the fiber what await_suspend threw.
  void rethrow() {
    if (error_) std::rethrow_exception(std::move(error_));
  }

 private:
  static bool suspend_driver(fiber_wait& self,
                             std::coroutine_handle<fiber_control> driver) noexcept {
    auto& mine = static_cast<fiber_wait_for&>(self);
    if constexpr (noexcept(mine.operation_.await_suspend(driver))) {
      return suspend_in(mine.operation_, driver);
    }
    try {
      return suspend_in(mine.operation_, driver);
    } catch (...) {
      mine.error_ = std::current_exception();
      return false;
    }
  }

  // On true, the operation and the fiber's stack may be gone.
  static bool suspend_in(Operation& operation,
                         std::coroutine_handle<fiber_control> driver) {
    using result = decltype(operation.await_suspend(driver));
    if constexpr (std::same_as<result, void>) {
      operation.await_suspend(driver);
      return true;
    } else if constexpr (std::same_as<result, bool>) {
      return operation.await_suspend(driver);
    } else {
      const std::coroutine_handle<> instead = operation.await_suspend(driver);
      // The coroutine to continue with runs in the slot, unless transfer_to put it there
      // itself.
      thread_state& here = current();
      if (!here.run_next) here.run_next = instead;
      return true;
    }
  }

  Operation& operation_;
  std::exception_ptr error_;
};

// The parts of an operation read thread-local state.  Each is a call of its own: inlined
// into a function on the fiber's stack, it could let the compiler find a thread-local
// address once and reuse it after the fiber has moved (F3).
template <class Operation>
[[nodiscard, gnu::noinline]] bool is_operation_ready(Operation& operation) {
  return operation.await_ready();
}
template <class Operation>
[[gnu::noinline]] decltype(auto) take_operation_result(Operation& operation) {
  return operation.await_resume();
}

/// Stops the program where a thread must not block.
inline void require_may_block(const void* operation) noexcept {
  require(executor::current() == nullptr, "await", operation,
          "it would block a worker: call it in a fiber; a coroutine uses co_await");
  require(!platform::is_on_signal_stack(), "await", operation,
          "it must not wait in a signal handler");
}

/// Suspends the fiber, or blocks the thread.  REQUIRES: the operation is not ready.
template <class Operation>
[[gnu::noinline]] decltype(auto) suspend_or_block(Operation& operation) {
  if (fiber_control* const self = fiber_control::current()) [[likely]] {
    fiber_wait_for<Operation> wait{operation};
    self->wait(wait);
    wait.rethrow();
    return take_operation_result(operation);
  }
  require_may_block(&operation);
  if constexpr (blocks_threads<Operation>) {
    return block_until_resumed(operation);
  }
  require(false, "await", &operation, "a task can be awaited in a fiber only");
  return take_operation_result(operation);
}

/// For an operation that only hands over.  A fiber that is in no other section suspends;
/// any other caller continues, and the heirs are dispatched.  REQUIRES: it is not ready.
template <class Operation>
[[gnu::noinline]] void hand_over_from_here(Operation& operation) noexcept {
  if (current().locks_held == 0) {
    if (fiber_control* const self = fiber_control::current()) [[likely]] {
      fiber_wait_for<Operation> wait{operation};
      return self->wait(wait);
    }
  }
  // As on a plain thread: without an executor, heirs are dispatched and not exchanged with.
  thread_state& here = current();
  executor* const former = std::exchange(here.here, nullptr);
  operation.await_suspend(std::noop_coroutine());
  here.here = former;
}

}  // namespace detail

/// `co_await` for fibers: suspends the calling fiber until the operation, task or other
/// awaitable is done, and returns its result.  The fiber may continue on another thread:
/// errno moves with it, the thread's id and its thread_local variables do not.
///
///     hotseat::fiber f{pool, [&] {
///       hotseat::await(hotseat::sleep_for(10ms));
///       const int found = hotseat::await(search(index));  // a task<int>
///     }};
///
/// On a non-worker thread it blocks, as `block_on` does.  In a coroutine use `co_await`: a
/// call that would block a worker stops the program.
template <awaitable Awaitable>
await_result_t<Awaitable> await(Awaitable&& what) {
  auto&& operation = get_awaiter(std::forward<Awaitable>(what));
  if (detail::is_operation_ready(operation))
    return detail::take_operation_result(operation);
  return detail::suspend_or_block(operation);
}

}  // namespace hotseat
