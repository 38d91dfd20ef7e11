// hotseat/task/when_all.hpp — several tasks at once, and all of their results.
// Layer: task.
#pragma once

#include <hotseat/core/awaitable.hpp>
#include <hotseat/core/pinned.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/sched/this_thread.hpp>
#include <hotseat/task/detail/forked.hpp>
#include <hotseat/task/detail/frame_allocator.hpp>
#include <hotseat/task/stop_token_of.hpp>
#include <hotseat/task/task.hpp>

#include <array>
#include <concepts>
#include <coroutine>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace hotseat {

namespace detail {

template <class T>
auto take_result(task<T>& done) {
  if constexpr (std::is_void_v<T>) {
    task_access::coroutine(done).promise().result().take();
    return std::monostate{};
  } else {
    return task_access::coroutine(done).promise().result().take();
  }
}

template <class T>
  requires std::same_as<T, std::decay_t<T>>
task<T> as_task(task<T> already) noexcept {
  return already;
}
template <class Awaitable>
task<std::decay_t<await_result_t<Awaitable>>> as_task(Awaitable awaitable) {
  auto&& operation = get_awaiter(std::move(awaitable));
  co_return co_await operation;
}

template <class... Ts>
class [[nodiscard("co_await it")]] when_all_operation : pinned<when_all_operation<Ts...>> {
 public:
  explicit when_all_operation(std::tuple<task<Ts>...> children) noexcept
      : children_{std::move(children)} {}

  static bool await_ready() noexcept { return sizeof...(Ts) == 0; }

  template <class Promise>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> self) noexcept {
    locks_.leave();
    std::size_t i = 0;
    std::apply(
        [&](task<Ts>&... child) {
          (prepare(places_[i++], child, join_, stop_token_of(self)), ...);
        },
        children_);
    join_.start(sizeof...(Ts), self);
    return fork_all(places_);
  }

  auto await_resume() {
    if constexpr (sizeof...(Ts) != 0) locks_.return_to();
    return std::apply([](task<Ts>&... child) { return std::tuple{take_result(child)...}; },
                      children_);
  }

 private:
  std::tuple<task<Ts>...> children_;
  std::array<waiter, sizeof...(Ts)> places_{};
  join_counter join_;
  carried_locks locks_;
};

template <class T>
class [[nodiscard("co_await it")]] when_all_vector_operation
    : pinned<when_all_vector_operation<T>> {
 public:
  explicit when_all_vector_operation(std::vector<task<T>> children)
      : children_{std::move(children)}, places_(children_.size()) {}

  bool await_ready() const noexcept { return children_.empty(); }

  template <class Promise>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> self) noexcept {
    locks_.leave();
    for (std::size_t i = 0; i < children_.size(); ++i) {
      prepare(places_[i], children_[i], join_, stop_token_of(self));
    }
    join_.start(children_.size(), self);
    return fork_all(places_);
  }

  auto await_resume() {
    if (!children_.empty()) locks_.return_to();
    if constexpr (std::is_void_v<T>) {
      for (task<T>& child : children_) take_result(child);
    } else {
      std::vector<T> results;
      results.reserve(children_.size());
      for (task<T>& child : children_) results.push_back(take_result(child));
      return results;
    }
  }

 private:
  std::vector<task<T>> children_;
  std::vector<waiter, recycled_allocator<waiter>> places_;
  join_counter join_;
  carried_locks locks_;
};

}  // namespace detail

/// Awaiting it starts all children, at the same time where workers are free, and continues
/// when all have ended.  If some threw, the exception of the first of them, in the order of
/// the arguments, is thrown; the others have ended all the same.
/// The result is a std::tuple, with std::monostate for a task that returns nothing; for a
/// vector of tasks a std::vector, or nothing.  Awaited once.
template <class Operation, class Children>
class [[nodiscard("co_await it")]] joined {
 public:
  explicit joined(Children children) noexcept : children_{std::move(children)} {}
  Operation operator co_await() && { return Operation{std::move(children_)}; }
  Operation operator co_await() & { return Operation{std::move(children_)}; }

 private:
  Children children_;
};

template <awaitable... Awaitables>
auto when_all(Awaitables&&... awaitables) {
  using children = std::tuple<task<std::decay_t<await_result_t<Awaitables>>>...>;
  using operation = detail::when_all_operation<std::decay_t<await_result_t<Awaitables>>...>;
  return joined<operation, children>{
      children{detail::as_task(std::forward<Awaitables>(awaitables))...}};
}

template <class T>
auto when_all(std::vector<task<T>> tasks) {
  return joined<detail::when_all_vector_operation<T>, std::vector<task<T>>>{
      std::move(tasks)};
}

}  // namespace hotseat
