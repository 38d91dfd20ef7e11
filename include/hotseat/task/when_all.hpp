// hotseat/task/when_all.hpp — several tasks at once, and all their results.
// Layer: task.  Read next: task/when_all_settled.hpp (results and exceptions).
#pragma once

#include <hotseat/core/awaitable.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/sched/current.hpp>
#include <hotseat/task/detail/forked.hpp>
#include <hotseat/task/detail/frame_allocator.hpp>
#include <hotseat/task/stop_token_of.hpp>
#include <hotseat/task/task.hpp>

#include <array>
#include <concepts>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace hotseat {

namespace detail {

/// What is kept of a result: an lvalue reference as it is, everything else as a value.
template <class T>
using kept_t = std::conditional_t<std::is_lvalue_reference_v<T>, T, std::remove_cvref_t<T>>;

/// The same where neither references nor void can be stored, as in a vector.
template <class T>
struct element {
  using type = std::remove_cvref_t<T>;
};
template <class T>
struct element<T&> {
  using type = std::reference_wrapper<T>;
};
template <>
struct element<void> {
  using type = std::monostate;
};
template <class T>
using element_t = typename element<T>::type;

/// In a tuple, only void cannot be stored.
template <class T>
using member_t = std::conditional_t<std::is_void_v<T>, std::monostate, T>;

/// What is taken from children that have ended: their results, or the exception of the
/// first that threw.
struct values_of {
  template <class T>
  using in_tuple = member_t<T>;
  template <class T>
  using in_vector = element_t<T>;
  template <class T>
  static constexpr bool gives_vector = !std::is_void_v<T>;

  template <class T>
  static member_t<kept_t<T>> take(task<T>& done) {
    auto& result = task_access::coroutine(done).promise().result();
    if constexpr (std::is_void_v<T>) {
      result.take();
      return {};
    } else {
      return result.take();
    }
  }
};

/// The awaitable lives in the task and keeps its value category: a named awaitable is
/// copied, and awaited as a named one.
template <class Awaitable>
task<kept_t<await_result_t<Awaitable>>> await_in_task(
    std::remove_cvref_t<Awaitable> awaitable) {
  using kept = kept_t<await_result_t<Awaitable>>;
  auto&& operation = get_awaiter(static_cast<Awaitable&&>(awaitable));
  if constexpr (std::is_void_v<kept>) {
    co_await operation;
  } else {
    kept result = co_await operation;
    co_return std::forward<kept>(result);
  }
}

template <class T>
  requires std::same_as<T, kept_t<T>>
task<T> as_task(task<T> already) noexcept {
  return already;
}
template <class Awaitable>
auto as_task(Awaitable&& awaitable) {
  return await_in_task<Awaitable>(std::forward<Awaitable>(awaitable));
}

/// Lives in the frame of the task that waits.  `Results` decides what it yields: values_of,
/// or settled_of (task/when_all_settled.hpp).
template <class Results, class... Ts>
class [[nodiscard("co_await it")]] when_all_operation {
 public:
  explicit when_all_operation(task<Ts>... children) noexcept
      : children_{std::move(children)...} {}
  /// REQUIRES: `other` is not being awaited.
  when_all_operation(when_all_operation&& other) noexcept
      : children_{std::move(other.children_)} {}
  when_all_operation& operator=(when_all_operation&&) = delete;
  ~when_all_operation() = default;

  static bool await_ready() noexcept { return sizeof...(Ts) == 0; }

  template <class Promise>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> self) noexcept {
    locks_held_ = take_locks_along();
    prepare_all(stop_token_at(self), std::index_sequence_for<Ts...>{});
    join_.start(sizeof...(Ts), self);
    return fork_all(places_);
  }

  auto await_resume() {
    if constexpr (sizeof...(Ts) != 0) current().locks_held = locks_held_;
    return take_all(std::index_sequence_for<Ts...>{});
  }

 private:
  // By index: as arguments of a call, ten children would be passed on the stack.
  template <std::size_t... I>
  void prepare_all([[maybe_unused]] const std::stop_token* token,
                   std::index_sequence<I...>) noexcept {
    (prepare(places_[I], std::get<I>(children_), join_, token), ...);
  }
  template <std::size_t... I>
  auto take_all(std::index_sequence<I...>) {
    using results = std::tuple<typename Results::template in_tuple<Ts>...>;
    return results{Results::take(std::get<I>(children_))...};
  }

  std::tuple<task<Ts>...> children_;
  std::array<waiter, sizeof...(Ts)> places_{};
  join_counter join_;
  std::uint32_t locks_held_ = 0;
};

template <class Results, class T>
class [[nodiscard("co_await it")]] when_all_vector_operation {
 public:
  explicit when_all_vector_operation(std::vector<task<T>> children)
      : children_{std::move(children)}, places_(children_.size()) {}
  /// REQUIRES: `other` is not being awaited.
  when_all_vector_operation(when_all_vector_operation&& other) noexcept
      : children_{std::move(other.children_)}, places_{std::move(other.places_)} {}
  when_all_vector_operation& operator=(when_all_vector_operation&&) = delete;
  ~when_all_vector_operation() = default;

  bool await_ready() const noexcept { return children_.empty(); }

  template <class Promise>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> self) noexcept {
    locks_held_ = take_locks_along();
    for (std::size_t i = 0; i < children_.size(); ++i) {
      prepare(places_[i], children_[i], join_, stop_token_at(self));
    }
    join_.start(children_.size(), self);
    return fork_all(places_);
  }

  auto await_resume() {
    if (!children_.empty()) current().locks_held = locks_held_;
    if constexpr (!Results::template gives_vector<T>) {
      for (task<T>& child : children_) Results::take(child);
    } else {
      std::vector<typename Results::template in_vector<T>> results;
      results.reserve(children_.size());
      for (task<T>& child : children_) results.push_back(Results::take(child));
      return results;
    }
  }

 private:
  std::vector<task<T>> children_;
  std::vector<waiter, recycled_allocator<waiter>> places_;
  join_counter join_;
  std::uint32_t locks_held_ = 0;
};

}  // namespace detail

/// Awaiting it starts all children, in parallel where workers are free, and continues when
/// all have ended.  With one worker, and on a thread without an executor, they start in the
/// order of the arguments.  If some threw, it throws the exception of the first of them in
/// the order of the arguments; the others have ended, too.
/// Yields a std::tuple, with std::monostate for a task that returns nothing; for a vector
/// of tasks, a std::vector, or nothing.  A task that returns a reference yields that
/// reference; in a vector, a std::reference_wrapper.  Awaited once.
template <awaitable... Awaitables>
auto when_all(Awaitables&&... awaitables) {
  return detail::when_all_operation<detail::values_of,
                                    detail::kept_t<await_result_t<Awaitables>>...>{
      detail::as_task(std::forward<Awaitables>(awaitables))...};
}

template <class T>
auto when_all(std::vector<task<T>> tasks) {
  return detail::when_all_vector_operation<detail::values_of, T>{std::move(tasks)};
}

}  // namespace hotseat
