// bench/server/asio_fronts.hpp — more locks for the sessions of examples/kv_server on Asio.
#pragma once

#include <hotseat/asio/await.hpp>
#include <hotseat/hotseat.hpp>

#include <asio_front.hpp>

namespace hotseat::bench {

namespace net = hotseat::asio::net;

/// The store is used on a strand; the session goes there and comes back.
class strand_front : public kv::asio_front {
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
class adopted_front : public kv::asio_front {
 public:
  template <class Section>
  auto inside(Section& section) {
    return hotseat::asio::with_lock(lock_, [&section] { section(); });
  }

 private:
  mutex lock_;
};

}  // namespace hotseat::bench
