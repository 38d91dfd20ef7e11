// hotseat/asio/tests/connection.hpp — two sockets that are connected.
#pragma once

#include <hotseat/asio/io_pool.hpp>

namespace hotseat::asio {

using tcp = net::ip::tcp;

inline const tcp::endpoint any_port{net::ip::address_v4::loopback(), 0};

/// Each on a context of its own if there are two.
struct connection {
  explicit connection(io_pool& pool)
      : near{pool.context(0)}, far{pool.context(pool.size() - 1)} {
    tcp::acceptor acceptor{pool.context(0), any_port};
    near.connect(acceptor.local_endpoint());
    acceptor.accept(far);
  }
  tcp::socket near;
  tcp::socket far;
};

}  // namespace hotseat::asio
