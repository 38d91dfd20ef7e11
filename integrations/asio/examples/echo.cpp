// An echo server, and a client that asks it: tasks on workers that run an io_context each.
#include <hotseat/asio/io_pool.hpp>
#include <hotseat/asio/serve.hpp>
#include <hotseat/asio/timeout.hpp>
#include <hotseat/asio/use_task.hpp>
#include <hotseat/hotseat.hpp>

#include <array>
#include <chrono>
#include <cstdio>
#include <string>

namespace net = hotseat::asio::net;
using namespace std::chrono_literals;
using hotseat::asio::shielded;
using hotseat::asio::timeout;
using hotseat::asio::use_task;
using hotseat::asio::use_task_with_error;
using net::ip::tcp;

hotseat::task<> echo(tcp::socket& peer) {
  std::array<char, 1024> bytes;
  for (;;) {
    const auto [error, count] = co_await timeout(
        peer.async_read_some(net::buffer(bytes), use_task_with_error), 30s);
    if (error) co_return;  // The client has gone or is silent, or we are told to stop.
    co_await shielded(net::async_write(peer, net::buffer(bytes, count), use_task));
  }
}

hotseat::task<> run(hotseat::asio::io_pool& pool, tcp::acceptor& acceptor) {
  const auto counts = co_await serve(pool, acceptor, echo);
  std::printf("%d connection\n", static_cast<int>(counts.accepted));
}

hotseat::task<std::string> ask(hotseat::asio::io_pool& pool, tcp::endpoint where,
                               std::string what) {
  tcp::socket server{pool.context()};
  co_await server.async_connect(where, use_task);
  co_await net::async_write(server, net::buffer(what), use_task);
  co_await net::async_read(server, net::buffer(what), use_task);
  co_return what;
}

int main() {
  hotseat::asio::io_pool pool{2};
  tcp::acceptor acceptor{pool.context(0), {net::ip::address_v4::loopback(), 0}};
  hotseat::task_group server{pool};
  server.spawn(run(pool, acceptor));
  const std::string answer =
      hotseat::sync_wait(pool, ask(pool, acceptor.local_endpoint(), "hello"));
  std::printf("%s\n", answer.c_str());
  server.request_stop();  // a signal would do so, too
  hotseat::sync_wait(pool, server.join());
  return answer == "hello" ? 0 : 1;
}
