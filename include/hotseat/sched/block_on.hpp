// hotseat/sched/block_on.hpp — a plain thread in the line of a primitive.
// Layer: sched.  Read next: sched/blocked_thread.hpp.
#pragma once

#include <concepts>
#include <coroutine>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace hotseat {

namespace detail {

/// An operation whose await_suspend does not transfer to another coroutine.
template <class Operation>
concept blocks_threads = requires(Operation& operation, std::coroutine_handle<> nobody) {
  { operation.await_ready() } -> std::convertible_to<bool>;
  operation.await_suspend(nobody);
  requires std::same_as<decltype(operation.await_suspend(nobody)), void> ||
               std::same_as<decltype(operation.await_suspend(nobody)), bool>;
  operation.await_resume();
};

/// A type-erased call of an operation that blocks the calling thread.
struct blocking_call {
  /// Calls await_suspend; true if the thread must wait.
  bool (*suspend)(blocking_call& self);
  /// Calls await_resume.
  void (*resume)(blocking_call& self);
};

/// Calls `suspend` as a task on this thread would, blocks the thread until that task would
/// be resumed, and calls `resume`.  Throws what the two throw.
void make_blocking_call(blocking_call& call);

/// REQUIRES: the operation is not ready.
template <blocks_threads Operation>
auto block_until_resumed(Operation& operation) -> decltype(operation.await_resume()) {
  using result = decltype(operation.await_resume());
  using kept = std::conditional_t<
      std::is_void_v<result>, bool,
      std::conditional_t<std::is_reference_v<result>, std::add_pointer_t<result>, result>>;
  struct erased : blocking_call {
    explicit erased(Operation& what) noexcept
        : blocking_call{&suspend_in, &resume_in}, operation{what} {}

    static bool suspend_in(blocking_call& self) {
      Operation& what = static_cast<erased&>(self).operation;
      const std::coroutine_handle<> nobody = std::noop_coroutine();
      if constexpr (std::is_void_v<decltype(what.await_suspend(nobody))>) {
        what.await_suspend(nobody);
        return true;
      } else {
        return what.await_suspend(nobody);
      }
    }
    static void resume_in(blocking_call& self) {
      auto& all = static_cast<erased&>(self);
      if constexpr (std::is_void_v<result>) {
        all.operation.await_resume();
      } else if constexpr (std::is_reference_v<result>) {
        auto&& lasting = all.operation.await_resume();
        all.value = std::addressof(lasting);
      } else {
        all.value.emplace(all.operation.await_resume());
      }
    }

    Operation& operation;
    std::optional<kept> value;
  };
  erased call{operation};
  make_blocking_call(call);
  if constexpr (std::is_reference_v<result>) {
    return static_cast<result>(**call.value);
  } else if constexpr (!std::is_void_v<result>) {
    return *std::move(call.value);
  }
}

}  // namespace detail

/// Waits for an operation of a primitive as `co_await` would, but blocks the calling
/// thread, which must not be a worker.  Heirs are dispatched.
///
///     block_on(m.lock());
///     const bool in_time = block_on(done.wait(10ms));
template <class Operation>
  requires detail::blocks_threads<std::remove_cvref_t<Operation>>
decltype(auto) block_on(Operation&& operation) {
  if (operation.await_ready()) return operation.await_resume();
  return detail::block_until_resumed(operation);
}

}  // namespace hotseat
