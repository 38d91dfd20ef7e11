// hotseat/asio/tests/serve_test.cpp — a server under clients that come, stay and go.
#include <gtest/gtest.h>

#include <hotseat/asio/io_pool.hpp>
#include <hotseat/asio/serve.hpp>
#include <hotseat/asio/timeout.hpp>
#include <hotseat/asio/use_task.hpp>
#include <hotseat/hotseat.hpp>

#include <tests/connection.hpp>

#include <sys/resource.h>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <functional>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

namespace hotseat::asio {
namespace {

using namespace std::chrono_literals;

task<> echo_bytes(tcp::socket& peer) {
  std::array<char, 64> bytes;
  for (;;) {
    const auto [error, count] =
        co_await peer.async_read_some(net::buffer(bytes), use_task_with_error);
    if (error) co_return;
    co_await shielded(net::async_write(peer, net::buffer(bytes, count), use_task));
  }
}

/// A server that runs until it is told to stop, and clients that block.
class Serve : public ::testing::TestWithParam<unsigned> {
 protected:
  template <class Handler>
  void start(Handler handler, serve_options options = {}) {
    runner_ = std::thread{[this, handler, options] {
      counts = sync_wait(pool, serve(pool, acceptor, handler, options), stop.get_token());
    }};
  }
  const serve_counts& finish() {
    stop.request_stop();
    return wait();
  }
  const serve_counts& wait() {
    runner_.join();
    return counts;
  }
  [[nodiscard]] tcp::socket connect() const {
    tcp::socket client{clients};
    client.connect(where);
    return client;
  }
  static char ask(tcp::socket& server, char what) {
    net::write(server, net::buffer(&what, 1));
    char answer = 0;
    net::read(server, net::buffer(&answer, 1));
    return answer;
  }
  /// Whether the server has closed the connection.
  static bool is_closed(tcp::socket& server) {
    char byte = 0;
    error_code error;
    net::read(server, net::buffer(&byte, 1), error);
    return bool{error};
  }

  io_pool pool{GetParam()};
  tcp::acceptor acceptor{pool.context(0), any_port};
  const tcp::endpoint where = acceptor.local_endpoint();
  mutable net::io_context clients;
  std::stop_source stop;
  serve_counts counts;

 private:
  std::thread runner_;
};

TEST_P(Serve, runs_a_handler_for_each_connection) {
  start(echo_bytes);
  for (int i = 0; i < 50; ++i) {
    tcp::socket client = connect();
    EXPECT_EQ(ask(client, 'a'), 'a');
  }
  EXPECT_EQ(finish().accepted, 50U);
  EXPECT_EQ(counts.failed_handlers, 0U);
  EXPECT_EQ(counts.shut_down, 0U);
}

TEST_P(Serve, a_stop_ends_idle_connections) {
  start(echo_bytes);
  std::vector<tcp::socket> all;
  for (int i = 0; i < 50; ++i) {
    all.push_back(connect());
    EXPECT_EQ(ask(all.back(), 'a'), 'a');
  }
  EXPECT_EQ(finish().shut_down, 0U);
  for (tcp::socket& each : all) EXPECT_TRUE(is_closed(each));
  error_code refused;
  tcp::socket late{clients};
  late.connect(where, refused);
  EXPECT_EQ(refused, net::error::connection_refused);
}

TEST_P(Serve, a_signal_ends_it) {
  start(echo_bytes, {.signals = {SIGUSR1}});
  tcp::socket client = connect();
  EXPECT_EQ(ask(client, 'a'), 'a');
  std::raise(SIGUSR1);
  EXPECT_EQ(wait().accepted, 1U);
  EXPECT_TRUE(is_closed(client));
}

TEST_P(Serve, no_more_connections_than_allowed_are_open) {
  std::atomic<int> open{0};
  std::atomic<int> most{0};
  const auto count = [&](tcp::socket& peer) -> task<> {
    const int now = ++open;
    int seen = most;
    while (now > seen && !most.compare_exchange_weak(seen, now)) {
    }
    co_await echo_bytes(peer);
    --open;
  };
  start(count, {.most_connections = 3});
  std::vector<std::unique_ptr<tcp::socket>> all;
  for (int i = 0; i < 10; ++i) {
    all.push_back(std::make_unique<tcp::socket>(connect()));
    net::write(*all.back(), net::buffer("a", 1));
  }
  while (most < 3) std::this_thread::yield();
  for (auto& each : all) {  // Each that goes lets in another one.
    char answer = 0;
    net::read(*each, net::buffer(&answer, 1));
    each.reset();
  }
  EXPECT_EQ(finish().accepted, 10U);
  EXPECT_EQ(most, 3);
}

TEST_P(Serve, a_handler_that_throws_ends_its_own_connection_only) {
  std::atomic<int> failures{0};
  const auto fail = [](tcp::socket& peer) -> task<> {
    char byte = 0;
    co_await net::async_read(peer, net::buffer(&byte, 1), use_task);
    if (byte == 'x') throw std::runtime_error{"no"};
    co_await net::async_write(peer, net::buffer(&byte, 1), use_task);
    co_await echo_bytes(peer);
  };
  start(fail, {.on_failure = [&](const std::exception_ptr&) { ++failures; }});
  tcp::socket good = connect();
  EXPECT_EQ(ask(good, 'a'), 'a');
  tcp::socket bad = connect();
  net::write(bad, net::buffer("x", 1));
  EXPECT_TRUE(is_closed(bad));
  EXPECT_EQ(ask(good, 'b'), 'b');
  EXPECT_EQ(finish().failed_handlers, 1U);
  EXPECT_EQ(failures, 1);
}

TEST_P(Serve, what_does_not_hear_the_stop_is_shut_down_after_the_grace) {
  const auto deaf = [](tcp::socket& peer) -> task<> {
    std::array<char, 64> bytes;
    for (;;) {
      const auto [error, count] =
          co_await shielded(peer.async_read_some(net::buffer(bytes), use_task_with_error));
      if (error) co_return;
    }
  };
  start(deaf, {.grace = 20ms});
  tcp::socket first = connect();
  tcp::socket second = connect();
  while (pool.tasks().stats().total().tasks_run == 0) std::this_thread::yield();
  std::this_thread::sleep_for(5ms);
  EXPECT_EQ(finish().shut_down, counts.accepted);
  EXPECT_TRUE(is_closed(first));
}

TEST_P(Serve, descriptors_that_run_out_are_waited_for) {
  start(echo_bytes, {.back_off = 1ms});
  tcp::socket first = connect();
  EXPECT_EQ(ask(first, 'a'), 'a');
  std::vector<tcp::socket> waiting;
  for (int i = 0; i < 3; ++i) waiting.emplace_back(clients, tcp::v4());
  rlimit usual;
  getrlimit(RLIMIT_NOFILE, &usual);
  rlimit none = usual;
  none.rlim_cur = 0;
  setrlimit(RLIMIT_NOFILE, &none);  // What is open stays open.
  for (tcp::socket& each : waiting) each.connect(where);
  std::this_thread::sleep_for(10ms);
  EXPECT_EQ(ask(first, 'b'), 'b') << "the others go on";
  setrlimit(RLIMIT_NOFILE, &usual);
  for (tcp::socket& each : waiting) EXPECT_EQ(ask(each, 'c'), 'c');
  EXPECT_EQ(finish().accepted, 4U);
  EXPECT_GE(counts.failed_accepts, 1U);
}

TEST_P(Serve, ends_when_the_acceptor_is_closed) {
  start(echo_bytes, {.signals = {}});
  tcp::socket client = connect();
  EXPECT_EQ(ask(client, 'a'), 'a');
  net::post(pool.context(0), [this] { acceptor.close(); });
  EXPECT_EQ(wait().accepted, 1U);
}

INSTANTIATE_TEST_SUITE_P(Workers, Serve, ::testing::Values(1U, 2U, 4U));

}  // namespace
}  // namespace hotseat::asio
