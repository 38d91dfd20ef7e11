// hotseat/core/awaitable.hpp — what can be awaited, and what comes out of it.
// Layer: core.
#pragma once

#include <concepts>
#include <coroutine>
#include <type_traits>
#include <utility>

namespace hotseat {

namespace detail {

template <class T>
concept suspend_result = std::same_as<T, void> || std::same_as<T, bool> ||
                         std::convertible_to<T, std::coroutine_handle<>>;

}  // namespace detail

/// The three functions of the coroutine protocol.
template <class T>
concept awaiter = requires(T& a, std::coroutine_handle<> task) {
  { a.await_ready() } -> std::convertible_to<bool>;
  { a.await_suspend(task) } -> detail::suspend_result;
  a.await_resume();
};

namespace detail {

template <class T>
concept has_member_co_await = requires(T&& t) { std::forward<T>(t).operator co_await(); };

template <class T>
concept has_free_co_await = requires(T&& t) { operator co_await(std::forward<T>(t)); };

}  // namespace detail

/// The awaiter that `co_await` obtains from `a`.
template <class T>
decltype(auto) get_awaiter(T&& a) {
  if constexpr (detail::has_member_co_await<T>) {
    return std::forward<T>(a).operator co_await();
  } else if constexpr (detail::has_free_co_await<T>) {
    return operator co_await(std::forward<T>(a));
  } else {
    return std::forward<T>(a);
  }
}

template <class T>
concept awaitable =
    awaiter<std::remove_reference_t<decltype(get_awaiter(std::declval<T>()))>>;

/// What `co_await a` evaluates to.
template <awaitable T>
using await_result_t = decltype(get_awaiter(std::declval<T>()).await_resume());

}  // namespace hotseat
