// bench/server/asio_fronts.hpp — the sessions of examples/kv_server on asio::awaitable.
#pragma once

#include <hotseat/asio/await.hpp>
#include <hotseat/hotseat.hpp>

#include <cstddef>
#include <mutex>
#include <span>
#include <stop_token>
#include <string_view>
#include <tuple>
#include <utility>

#if !defined(HOTSEAT_ASIO_BOOST) && ASIO_VERSION < 102400
#include <asio/experimental/as_tuple.hpp>
#endif

namespace hotseat::bench {

namespace net = hotseat::asio::net;

#if !defined(HOTSEAT_ASIO_BOOST) && ASIO_VERSION < 102400
inline constexpr auto with_error = net::experimental::as_tuple(net::use_awaitable);
#else
inline constexpr auto with_error = net::as_tuple(net::use_awaitable);
#endif

/// All but the lock.
class asio_front {
 public:
  using coroutine = net::awaitable<void>;
  using socket = net::ip::tcp::socket;

  static net::awaitable<std::stop_token> stop_token() { co_return std::stop_token{}; }

  static auto read_some(socket& peer, std::span<char> room) {
    return peer.async_read_some(net::buffer(room.data(), room.size()), with_error);
  }
  static auto write_some(socket& peer, std::string_view bytes) {
    return peer.async_write_some(net::buffer(bytes.data(), bytes.size()), with_error);
  }
};

class std_mutex_front : public asio_front {
 public:
  template <class Section>
  void inside(Section& section) {
    const std::lock_guard guard{lock_};
    section();
  }

 private:
  std::mutex lock_;
};

/// The store is used on a strand; the session goes there and comes back.
class strand_front : public asio_front {
 public:
  explicit strand_front(net::io_context& context) : strand_{net::make_strand(context)} {}

  template <class Section>
  net::awaitable<void> inside(Section& section) {
    const auto home = co_await net::this_coro::executor;
    co_await net::dispatch(net::bind_executor(strand_, net::use_awaitable));
    section();
    co_await net::dispatch(net::bind_executor(home, net::use_awaitable));
  }

 private:
  net::strand<net::io_context::executor_type> strand_;
};

/// The ten-minute door: hotseat's lock in a server that stays on its io_context.
class adopted_front : public asio_front {
 public:
  template <class Section>
  auto inside(Section& section) {
    return hotseat::asio::with_lock(lock_, [&section] { section(); });
  }

 private:
  mutex lock_;
};

}  // namespace hotseat::bench
