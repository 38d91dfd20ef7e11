// hotseat/asio/tests/use_task_test.cpp — tasks await Asio's operations: results, errors,
// stops, and what it costs.
#include <gtest/gtest.h>

#include <hotseat/asio/io_pool.hpp>
#include <hotseat/asio/use_task.hpp>
#include <hotseat/hotseat.hpp>

#include <support/counted_new.hpp>
#include <tests/connection.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

namespace hotseat::asio {
namespace {

using namespace std::chrono_literals;
class UseTask : public ::testing::TestWithParam<unsigned> {
 protected:
  io_pool pool{GetParam()};
};

task<std::size_t> echo(tcp::socket& peer) {
  std::array<char, 256> bytes;
  for (std::size_t total = 0;;) {
    const auto [error, count] =
        co_await peer.async_read_some(net::buffer(bytes), use_task_with_error);
    if (error) co_return total;
    co_await net::async_write(peer, net::buffer(bytes, count), use_task);
    total += count;
  }
}

task<int> ask(tcp::socket& peer, int rounds) {
  int right = 0;
  for (int i = 0; i < rounds; ++i) {
    const char sent = static_cast<char>(i);
    char received = 0;
    co_await net::async_write(peer, net::buffer(&sent, 1), use_task);
    co_await net::async_read(peer, net::buffer(&received, 1), use_task);
    right += sent == received ? 1 : 0;
  }
  peer.shutdown(tcp::socket::shutdown_send);
  co_return right;
}

TEST_P(UseTask, bytes_go_there_and_back) {
  connection both{pool};
  const auto [echoed, right] =
      sync_wait(pool, when_all(echo(both.far), ask(both.near, 1000)));
  EXPECT_EQ(echoed, 1000U);
  EXPECT_EQ(right, 1000);
}

TEST_P(UseTask, many_connections_on_all_contexts) {
  std::vector<std::unique_ptr<connection>> all;
  std::vector<task<std::size_t>> echoes;
  std::vector<task<int>> asks;
  for (int i = 0; i < 20; ++i) {
    all.push_back(std::make_unique<connection>(pool));
    echoes.push_back(echo(all.back()->far));
    asks.push_back(ask(all.back()->near, 100));
  }
  const auto [echoed, right] =
      sync_wait(pool, when_all(when_all(std::move(echoes)), when_all(std::move(asks))));
  for (const std::size_t each : echoed) EXPECT_EQ(each, 100U);
  for (const int each : right) EXPECT_EQ(each, 100);
}

TEST_P(UseTask, an_error_is_thrown_or_yielded) {
  connection both{pool};
  both.far.close();
  const auto read = [&]() -> task<error_code> {
    char byte = 0;
    try {
      co_await net::async_read(both.near, net::buffer(&byte, 1), use_task);
    } catch (const system_error& failed) {
      co_return failed.code();
    }
    co_return error_code{};
  };
  EXPECT_EQ(sync_wait(pool, read()), net::error::eof);
  // A second read of the same end would hang in Asio 1.22: it waits for an event that has
  // been.
  connection other{pool};
  other.far.close();
  const auto read_plainly = [&]() -> task<error_code> {
    char byte = 0;
    const auto [error, count] =
        co_await net::async_read(other.near, net::buffer(&byte, 1), use_task_with_error);
    EXPECT_EQ(count, 0U);
    co_return error;
  };
  EXPECT_EQ(sync_wait(pool, read_plainly()), net::error::eof);
}

TEST_P(UseTask, a_timer_and_a_post_are_awaited) {
  net::steady_timer timer{pool.context(0)};
  const auto wait = [&]() -> task<> {
    timer.expires_after(1ms);
    co_await timer.async_wait(use_task);
    co_await net::post(pool.context(0), use_task);
  };
  sync_wait(pool, wait());
  EXPECT_LE(timer.expiry(), std::chrono::steady_clock::now());
}

TEST_P(UseTask, is_the_default_token_of_a_socket) {
  using socket = use_task_t::as_default_on_t<tcp::socket>;
  connection both{pool};
  socket near{std::move(both.near)};
  const auto send = [&]() -> task<std::size_t> {
    const char byte = 'x';
    co_return co_await near.async_write_some(net::buffer(&byte, 1));
  };
  EXPECT_EQ(sync_wait(pool, send()), 1U);
}

TEST_P(UseTask, a_stop_cancels_what_waits) {
  connection both{pool};
  tcp::acceptor acceptor{pool.context(0), any_port};
  error_code of_read;
  error_code of_accept;
  task_group tasks{pool};
  tasks.spawn([](tcp::socket& from, error_code& result) -> task<> {
    char byte = 0;
    const auto [error, count] =
        co_await from.async_read_some(net::buffer(&byte, 1), use_task_with_error);
    result = error;
  }(both.near, of_read));
  tasks.spawn([](tcp::acceptor& on, error_code& result) -> task<> {
    auto [error, peer] = co_await on.async_accept(use_task_with_error);
    result = error;
  }(acceptor, of_accept));
  std::this_thread::sleep_for(1ms);
  tasks.request_stop();
  sync_wait(pool, tasks.join());
  EXPECT_EQ(of_read, net::error::operation_aborted);
  EXPECT_EQ(of_accept, net::error::operation_aborted);
}

TEST_P(UseTask, a_stop_that_came_before_cancels_at_once) {
  connection both{pool};
  task_group tasks{pool};
  tasks.request_stop();
  error_code result;
  tasks.spawn([](tcp::socket& from, error_code& into) -> task<> {
    char byte = 0;
    const auto [error, count] =
        co_await from.async_read_some(net::buffer(&byte, 1), use_task_with_error);
    into = error;
  }(both.near, result));
  sync_wait(pool, tasks.join());
  EXPECT_EQ(result, net::error::operation_aborted);
}

/// Each read ends, by a byte or by a stop.
TEST_P(UseTask, stops_race_with_completions) {
  int aborted = 0;
  for (int i = 0; i < 300; ++i) {
    connection both{pool};
    task_group tasks{pool};
    error_code result;
    tasks.spawn([](tcp::socket& from, error_code& into) -> task<> {
      char byte = 0;
      const auto [error, count] =
          co_await from.async_read_some(net::buffer(&byte, 1), use_task_with_error);
      into = error;
    }(both.near, result));
    const char byte = 'x';
    if (i % 2 == 0) std::this_thread::yield();
    both.far.write_some(net::buffer(&byte, 1));
    tasks.request_stop();
    sync_wait(pool, tasks.join());
    EXPECT_TRUE(!result || result == net::error::operation_aborted) << result;
    aborted += result ? 1 : 0;
  }
  RecordProperty("aborted", aborted);
}

/// The most that a round trip has allocated, once everything is warm.
task<std::uint64_t> count_allocations(tcp::socket& peer) {
  std::uint64_t most = 0;
  for (int i = 0; i < 200; ++i) {
    char byte = 'x';
    const std::uint64_t before = testing::allocations();
    co_await peer.async_write_some(net::buffer(&byte, 1), use_task);
    co_await peer.async_read_some(net::buffer(&byte, 1), use_task);
    if (i >= 100) most = std::max(most, testing::allocations() - before);
  }
  peer.shutdown(tcp::socket::shutdown_send);
  co_return most;
}

// With one worker, since each thread counts its own.  The sanitizer counts Asio's own
// allocations, too.
TEST(UseTaskAllocations, an_operation_allocates_nothing) {
  io_pool pool{1};
  connection both{pool};
  const auto [echoed, most] =
      sync_wait(pool, when_all(echo(both.far), count_allocations(both.near)));
  EXPECT_EQ(echoed, 200U);
  EXPECT_EQ(most, 0U);
}

TEST(UseTaskAllocations, nor_does_one_that_can_be_stopped) {
  io_pool pool{1};
  connection both{pool};
  task_group tasks{pool};
  std::uint64_t most = 1;
  tasks.spawn([](tcp::socket& peer, std::uint64_t& result) -> task<> {
    result = co_await count_allocations(peer);
  }(both.near, most));
  tasks.spawn([](tcp::socket& peer) -> task<> {
    char byte = 0;
    for (;;) {
      const auto [error, count] =
          co_await peer.async_read_some(net::buffer(&byte, 1), use_task_with_error);
      if (error) co_return;
      co_await peer.async_write_some(net::buffer(&byte, count), use_task);
    }
  }(both.far));
  sync_wait(pool, tasks.join());
  EXPECT_EQ(most, 0U);
}

INSTANTIATE_TEST_SUITE_P(Workers, UseTask, ::testing::Values(1U, 2U, 4U));

}  // namespace
}  // namespace hotseat::asio
