// examples/kv_server/tests/session_test.cpp — the same session on several fronts.
#include <gtest/gtest.h>

#include <hotseat/asio/io_pool.hpp>
#include <hotseat/asio/serve.hpp>
#include <hotseat/hotseat.hpp>

#include <array>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "asio_front.hpp"
#include "session.hpp"
#include "task_front.hpp"

namespace kv {
namespace {

using tcp = net::ip::tcp;

const tcp::endpoint any_port{net::ip::address_v4::loopback(), 0};

/// A client that blocks.
class talker {
 public:
  explicit talker(const tcp::endpoint& where) { peer_.connect(where); }

  /// The replies to a request, whose size is known.
  std::string ask(std::string_view request, std::size_t reply_size) {
    net::write(peer_, net::buffer(request.data(), request.size()));
    std::string reply(reply_size, '\0');
    net::read(peer_, net::buffer(reply));
    return reply;
  }
  /// Whatever comes until the server closes.
  std::string rest() {
    std::string all;
    hotseat::asio::error_code error;
    net::read(peer_, net::dynamic_buffer(all), error);
    return all;
  }

 private:
  net::io_context context_;
  tcp::socket peer_{context_};
};

/// Four clients count at once.
void count_together(const tcp::endpoint& where) {
  constexpr int clients = 4;
  constexpr int rounds = 100;
  std::string pipeline;
  std::string request = "INCR n\r\nPING\r\n";
  for (int i = 0; i < 10; ++i) pipeline += request;
  std::vector<std::thread> all;
  for (int i = 0; i < clients; ++i) {
    all.emplace_back([&] {
      talker one{where};
      for (int round = 0; round < rounds; ++round) {
        // The counter has four digits from the start, so that the size is known.
        const std::string replies = one.ask(pipeline, 10 * (7 + 7));
        EXPECT_EQ(replies.substr(7, 7), "+PONG\r\n");
      }
    });
  }
  for (std::thread& each : all) each.join();
  EXPECT_EQ(talker{where}.ask("GET n\r\n", 10), "$4\r\n5000\r\n");
}

void check(const tcp::endpoint& where) {
  EXPECT_EQ(talker{where}.ask("SET n 1000\r\n", 5), "+OK\r\n");
  count_together(where);
  talker quits{where};
  quits.ask("PING\r\n", 7);
  EXPECT_EQ(quits.ask("QUIT\r\n", 5), "+OK\r\n");
  EXPECT_EQ(quits.rest(), "");
}

template <class Mutex>
class SessionOfTasks : public ::testing::Test {};
using mutexes = ::testing::Types<hotseat::basic_mutex<hotseat::handoff::exchange>,
                                 hotseat::basic_mutex<hotseat::handoff::dispatch>,
                                 hotseat::basic_mutex<hotseat::handoff::resume_inline>>;
TYPED_TEST_SUITE(SessionOfTasks, mutexes);

TYPED_TEST(SessionOfTasks, serves_several_clients) {
  hotseat::asio::io_pool pool{2};
  tcp::acceptor acceptor{pool.context(0), any_port};
  const tcp::endpoint where = acceptor.local_endpoint();
  server_state<task_front<TypeParam>> server;
  std::stop_source stop;
  std::thread runs{[&] {
    hotseat::sync_wait(
        pool,
        hotseat::asio::serve(pool, acceptor,
                             [&](tcp::socket& peer) { return session(peer, server); },
                             {.signals = {}}),
        stop.get_token());
  }};
  check(where);
  talker idle{where};
  idle.ask("PING\r\n", 7);
  stop.request_stop();
  runs.join();
  EXPECT_EQ(idle.rest(), "");
}

net::awaitable<void> serve_one(tcp::socket peer, server_state<std_mutex_front>& server) {
  co_await session(peer, server);
}

net::awaitable<void> accept_all(tcp::acceptor& acceptor,
                                server_state<std_mutex_front>& server) {
  for (;;) {
    tcp::socket peer = co_await acceptor.async_accept(net::use_awaitable);
    net::co_spawn(acceptor.get_executor(), serve_one(std::move(peer), server),
                  net::detached);
  }
}

TEST(SessionOfAwaitables, serves_several_clients) {
  net::thread_pool pool{2};
  tcp::acceptor acceptor{pool, any_port};
  const tcp::endpoint where = acceptor.local_endpoint();
  server_state<std_mutex_front> server;
  net::co_spawn(pool, accept_all(acceptor, server), net::detached);
  check(where);
  pool.stop();
  pool.join();
}

}  // namespace
}  // namespace kv
