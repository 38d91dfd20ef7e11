// examples/kv_server/asio_front.hpp — sessions as asio::awaitable that share a std::mutex.
#pragma once

#include <hotseat/asio/detail/asio.hpp>

#include <mutex>
#include <span>
#include <stop_token>
#include <string_view>
#include <tuple>

#if !defined(HOTSEAT_ASIO_BOOST) && ASIO_VERSION < 102400
#include <asio/experimental/as_tuple.hpp>
#endif

namespace kv {

namespace net = hotseat::asio::net;

#if !defined(HOTSEAT_ASIO_BOOST) && ASIO_VERSION < 102400
inline constexpr auto with_error = net::experimental::as_tuple(net::use_awaitable);
#else
inline constexpr auto with_error = net::as_tuple(net::use_awaitable);
#endif

/// For kv::session: all but the lock.
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

/// What a server that does not know hotseat would do.
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

}  // namespace kv
