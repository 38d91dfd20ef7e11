// hotseat/asio/send.hpp — sends at once what the kernel takes, and waits only for the
// rest.
#pragma once

#include <hotseat/asio/detail/asio.hpp>
#include <hotseat/asio/detail/operation.hpp>
#include <hotseat/asio/use_task.hpp>

#include <coroutine>
#include <cstddef>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

namespace hotseat::asio {

namespace detail {

/// How many operations in a row the tasks of a thread may end without suspending.  Then one
/// takes the long way, behind all that is ready.
class turn {
 public:
  [[nodiscard]] static bool goes_on() noexcept {
    unsigned& left = of_this_thread();
    if (left == 0) {
      left = longest;
      return false;
    }
    --left;
    return true;
  }

 private:
  /// Of 1 us each: as long as a worker leaves its events alone, 20 us.
  static constexpr unsigned longest = 20;

  [[gnu::noinline]] static unsigned& of_this_thread() noexcept {
    static thread_local unsigned left = longest;
    return left;
  }
};

/// Has the room of an operation, but starts one only if the kernel does not take it all.
template <class Socket, class Token>
class [[nodiscard("co_await it")]] send_operation {
  using rest =
      decltype(net::async_write(std::declval<Socket&>(), net::const_buffer{}, Token{}));

 public:
  static constexpr bool can_be_stopped = rest::can_be_stopped;

  send_operation(Socket& to, net::const_buffer bytes) noexcept : to_{to}, bytes_{bytes} {}

  void end_at(platform::clock::time_point due) noexcept { due_ = due; }
  void shield() noexcept { is_shielded_ = true; }

  bool await_ready() {
    if (!turn::goes_on()) return false;
    if (!to_.non_blocking()) to_.non_blocking(true, error_);
    while (!error_ && bytes_.size() != 0) {
      const std::size_t count = to_.write_some(net::const_buffer{bytes_}, error_);
      sent_ += count;
      bytes_ += count;
    }
    if (error_ != net::error::would_block) return true;
    error_ = {};
    return false;
  }

  template <class Promise>
  bool await_suspend(std::coroutine_handle<Promise> self) {
    rest_.emplace(net::async_write(to_, bytes_, Token{}));
    if (due_) rest_->end_at(*due_);
    if (is_shielded_) rest_->shield();
    return rest_->await_suspend(self);  // Suspended: `this` may be gone.
  }

  auto await_resume() {
    if constexpr (std::is_same_v<Token, use_task_t>) {
      if (rest_) return sent_ + rest_->await_resume();
      if (error_) throw system_error{error_};
      return sent_;
    } else {
      if (!rest_) return std::tuple{error_, sent_};
      auto [error, count] = rest_->await_resume();
      return std::tuple{error, sent_ + count};
    }
  }

 private:
  Socket& to_;
  net::const_buffer bytes_;
  std::size_t sent_ = 0;
  error_code error_;
  std::optional<platform::clock::time_point> due_;
  bool is_shielded_ = false;
  std::optional<rest> rest_;
};

}  // namespace detail

/// Like net::async_write, but if the kernel takes all of it, the task goes on without
/// suspending.  A task that does so again and again suspends now and then, so that it does
/// not keep others waiting.  `to` becomes non-blocking.
///
///     co_await send(peer, net::buffer(answer));
///     const auto [error, count] = co_await send(peer, net::buffer(answer),
///                                                use_task_with_error);
template <class Socket, class Token = use_task_t>
detail::send_operation<Socket, Token> send(Socket& to, net::const_buffer bytes,
                                           Token = {}) noexcept {
  return {to, bytes};
}

}  // namespace hotseat::asio
