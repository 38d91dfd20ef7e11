// examples/kv_server/task_front.hpp — sessions as tasks of hotseat that share one lock.
#pragma once

#include <hotseat/asio/send.hpp>
#include <hotseat/asio/timeout.hpp>
#include <hotseat/asio/use_task.hpp>
#include <hotseat/hotseat.hpp>

#include <span>
#include <string_view>
#include <utility>

namespace kv {

namespace net = hotseat::asio::net;

/// For kv::session.  The lock is any mutex of hotseat.
template <class Mutex>
class task_front {
 public:
  using coroutine = hotseat::task<>;
  using socket = net::ip::tcp::socket;

  static auto stop_token() noexcept { return hotseat::this_task::stop_token(); }

  static auto read_some(socket& peer, std::span<char> room) {
    return peer.async_read_some(net::buffer(room.data(), room.size()),
                                hotseat::asio::use_task_with_error);
  }

  static auto write_some(socket& peer, std::string_view bytes) {
    return hotseat::asio::shielded(hotseat::asio::send(
        peer, net::buffer(bytes.data(), bytes.size()), hotseat::asio::use_task_with_error));
  }

  template <class Section>
  auto inside(Section section) {
    return hotseat::with_lock(lock_, std::move(section));
  }

 private:
  Mutex lock_;
};

}  // namespace kv
