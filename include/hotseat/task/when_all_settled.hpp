// hotseat/task/when_all_settled.hpp — several tasks at once, and how each one ended.
// Layer: task.  Built on task/when_all.hpp.
#pragma once

#include <hotseat/core/awaitable.hpp>
#include <hotseat/task/task.hpp>
#include <hotseat/task/when_all.hpp>

#include <concepts>
#include <exception>
#include <memory>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace hotseat {

/// How a task ended: with a value, or with an exception.
///
///     auto [price, stock] = co_await when_all_settled(ask_price(), ask_stock());
///     if (price) use(*price);
///     if (!stock) log(stock.error());
///
/// A task that returns a reference yields that reference.
template <class T>
class [[nodiscard("it may hold an exception")]] settled {
  static_assert(std::same_as<T, detail::kept_t<T>>, "a value, or an lvalue reference");
  using const_reference = std::conditional_t<std::is_reference_v<T>, T, const T&>;

 public:
  using value_type = T;

  template <class... Args>
  explicit settled(std::in_place_t, Args&&... args)
      : how_{std::in_place_index<0>, std::forward<Args>(args)...} {}
  /// REQUIRES: error != nullptr.
  explicit settled(std::exception_ptr error) noexcept
      : how_{std::in_place_index<1>, std::move(error)} {}

  [[nodiscard]] bool has_value() const noexcept { return how_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }

  /// The exception; null if it ended with a value.
  [[nodiscard]] std::exception_ptr error() const noexcept {
    return has_value() ? nullptr : *std::get_if<1>(&how_);
  }

  /// The value; or throws the exception, which stays.
  T& value() & {
    rethrow_error();
    return **this;
  }
  const_reference value() const& {
    rethrow_error();
    return **this;
  }
  T&& value() && {
    rethrow_error();
    return static_cast<T&&>(**this);
  }

  /// The value.  REQUIRES: has_value().
  [[nodiscard]] T& operator*() & noexcept { return *std::get_if<0>(&how_); }
  [[nodiscard]] const_reference operator*() const& noexcept {
    return *std::get_if<0>(&how_);
  }
  [[nodiscard]] T&& operator*() && noexcept {
    return static_cast<T&&>(*std::get_if<0>(&how_));
  }
  [[nodiscard]] auto operator->() noexcept { return std::addressof(**this); }
  [[nodiscard]] auto operator->() const noexcept { return std::addressof(**this); }

 private:
  void rethrow_error() const {
    if (!has_value()) std::rethrow_exception(*std::get_if<1>(&how_));
  }

  std::variant<detail::element_t<T>, std::exception_ptr> how_;
};

/// For a task without a result: only the exception, if there is one.
template <>
class [[nodiscard("it may hold an exception")]] settled<void> {
 public:
  using value_type = void;

  explicit settled(std::in_place_t) noexcept {}
  explicit settled(std::exception_ptr error) noexcept : error_{std::move(error)} {}

  [[nodiscard]] bool has_value() const noexcept { return error_ == nullptr; }
  explicit operator bool() const noexcept { return has_value(); }
  [[nodiscard]] std::exception_ptr error() const noexcept { return error_; }
  void value() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::exception_ptr error_;
};

namespace detail {

/// What is taken from children that have ended: a value or an exception from each.
struct settled_of {
  template <class T>
  using in_tuple = settled<T>;
  template <class T>
  using in_vector = settled<kept_t<T>>;
  template <class T>
  static constexpr bool gives_vector = true;

  template <class T>
  static settled<kept_t<T>> take(task<T>& done) {
    using how = settled<kept_t<T>>;
    auto& result = task_access::coroutine(done).promise().result();
    if (result.has_exception()) return how{result.exception()};
    if constexpr (std::is_void_v<T>) {
      return how{std::in_place};
    } else {
      return how{std::in_place, result.take()};
    }
  }
};

}  // namespace detail

/// Like `when_all`, but throws no exception of a child: yields a std::tuple, or a
/// std::vector, of `settled<T>`, in the order of the arguments.  Awaited once.
template <awaitable... Awaitables>
auto when_all_settled(Awaitables&&... awaitables) {
  return detail::when_all_operation<detail::settled_of,
                                    detail::kept_t<await_result_t<Awaitables>>...>{
      detail::as_task(std::forward<Awaitables>(awaitables))...};
}

template <class T>
auto when_all_settled(std::vector<task<T>> tasks) {
  return detail::when_all_vector_operation<detail::settled_of, T>{std::move(tasks)};
}

}  // namespace hotseat
