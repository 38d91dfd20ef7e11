// hotseat/asio/use_task.hpp — Asio's operations as something that a task awaits.
// Read next: detail/operation.hpp.
#pragma once

#include <hotseat/asio/detail/asio.hpp>
#include <hotseat/asio/detail/operation.hpp>

#include <type_traits>
#include <utility>

namespace hotseat::asio {

/// A completion token: `co_await socket.async_read_some(buffer, use_task)` yields what the
/// handler would be given, and throws an error as a system_error.
struct use_task_t {
  /// An executor whose I/O objects have it as their default token:
  ///
  ///     using socket = use_task_t::as_default_on_t<tcp::socket>;
  template <class Inner>
  struct executor_with_default : Inner {
    using default_completion_token_type = use_task_t;
    template <class Other>
      requires(!std::is_same_v<Other, executor_with_default> &&
               std::is_convertible_v<const Other&, Inner>)
    // NOLINTNEXTLINE(google-explicit-constructor): as Asio's own adaptors.
    executor_with_default(const Other& other) noexcept : Inner(other) {}
  };
  template <class Object>
  using as_default_on_t = typename Object::template rebind_executor<
      executor_with_default<typename Object::executor_type>>::other;
};

/// The same, but yields the error_code first instead of throwing it: an error_code, a pair,
/// or a tuple.
struct use_task_with_error_t {};

inline constexpr use_task_t use_task;
inline constexpr use_task_with_error_t use_task_with_error;

}  // namespace hotseat::asio

#if defined(HOTSEAT_ASIO_BOOST)
namespace boost::asio {
#else
namespace asio {
#endif

template <class... Args>
class async_result<hotseat::asio::use_task_t, void(Args...)> {
 public:
  template <class Initiation, class... Given>
  static auto initiate(Initiation&& initiation, hotseat::asio::use_task_t,
                       Given&&... given) {
    return hotseat::asio::detail::operation<hotseat::asio::detail::throws_errors,
                                            std::decay_t<Initiation>,
                                            std::tuple<std::decay_t<Given>...>, Args...>{
        std::forward<Initiation>(initiation),
        std::tuple<std::decay_t<Given>...>{std::forward<Given>(given)...}};
  }
};

template <class... Args>
class async_result<hotseat::asio::use_task_with_error_t, void(Args...)> {
 public:
  template <class Initiation, class... Given>
  static auto initiate(Initiation&& initiation, hotseat::asio::use_task_with_error_t,
                       Given&&... given) {
    return hotseat::asio::detail::operation<hotseat::asio::detail::yields_errors,
                                            std::decay_t<Initiation>,
                                            std::tuple<std::decay_t<Given>...>, Args...>{
        std::forward<Initiation>(initiation),
        std::tuple<std::decay_t<Given>...>{std::forward<Given>(given)...}};
  }
};

}  // namespace asio
