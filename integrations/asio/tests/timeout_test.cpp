// hotseat/asio/tests/timeout_test.cpp — operations and tasks with a time limit, and what no
// stop cancels.
#include <gtest/gtest.h>

#include <hotseat/asio/io_pool.hpp>
#include <hotseat/asio/timeout.hpp>
#include <hotseat/asio/use_task.hpp>
#include <hotseat/hotseat.hpp>

#include <tests/connection.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

namespace hotseat::asio {
namespace {

using namespace std::chrono_literals;

class Timeout : public ::testing::TestWithParam<unsigned> {
 protected:
  io_pool pool{GetParam()};
  connection both{pool};
};

task<error_code> read_one(tcp::socket& from, std::chrono::milliseconds limit) {
  char byte = 0;
  const auto [error, count] = co_await timeout(
      from.async_read_some(net::buffer(&byte, 1), use_task_with_error), limit);
  EXPECT_EQ(count, error ? 0U : 1U);
  co_return error;
}

TEST_P(Timeout, an_operation_that_takes_too_long_is_cancelled) {
  EXPECT_EQ(sync_wait(pool, read_one(both.near, 5ms)), net::error::timed_out);
  both.far.write_some(net::buffer("x", 1));
  EXPECT_EQ(sync_wait(pool, read_one(both.near, 60s)), error_code{})
      << "the socket is well";
}

TEST_P(Timeout, an_operation_in_time_yields_its_result) {
  both.far.write_some(net::buffer("x", 1));
  EXPECT_EQ(sync_wait(pool, read_one(both.near, 60s)), error_code{});
}

TEST_P(Timeout, the_throwing_form_throws_timed_out) {
  const auto read = [&]() -> task<error_code> {
    char byte = 0;
    try {
      co_await timeout(both.near.async_read_some(net::buffer(&byte, 1), use_task), 5ms);
    } catch (const system_error& failed) {
      co_return failed.code();
    }
    co_return error_code{};
  };
  EXPECT_EQ(sync_wait(pool, read()), net::error::timed_out);
}

TEST_P(Timeout, takes_a_time_point_and_what_has_passed) {
  const auto read = [&]() -> task<error_code> {
    char byte = 0;
    const auto past = std::chrono::system_clock::now() - 1h;
    const auto [error, count] = co_await timeout(
        net::async_read(both.near, net::buffer(&byte, 1), use_task_with_error), past);
    EXPECT_EQ(count, 0U);
    co_return error;
  };
  EXPECT_EQ(sync_wait(pool, read()), net::error::timed_out);
}

TEST_P(Timeout, a_stop_is_told_from_a_timeout) {
  task_group tasks{pool};
  error_code result;
  tasks.spawn([](tcp::socket& from, error_code& into) -> task<> {
    into = co_await read_one(from, 1h);
  }(both.near, result));
  std::this_thread::sleep_for(1ms);
  tasks.request_stop();
  sync_wait(pool, tasks.join());
  EXPECT_EQ(result, net::error::operation_aborted);
}

/// Each read ends: by its byte, its time or a stop.
TEST_P(Timeout, races_with_completions_and_stops) {
  for (int i = 0; i < 300; ++i) {
    connection pair{pool};
    task_group tasks{pool};
    error_code result;
    tasks.spawn([](tcp::socket& from, error_code& into) -> task<> {
      into = co_await read_one(from, 0ms);
    }(pair.near, result));
    pair.far.write_some(net::buffer("x", 1));
    if (i % 2 == 0) tasks.request_stop();
    sync_wait(pool, tasks.join());
    EXPECT_TRUE(!result || result == net::error::timed_out ||
                result == net::error::operation_aborted)
        << result;
  }
}

TEST_P(Timeout, a_shielded_operation_ends_although_its_task_should_stop) {
  task_group tasks{pool};
  error_code result = net::error::try_again;
  tasks.request_stop();
  tasks.spawn([](tcp::socket& from, error_code& into) -> task<> {
    char byte = 0;
    const auto [error, count] =
        co_await shielded(from.async_read_some(net::buffer(&byte, 1), use_task_with_error));
    into = error;
  }(both.near, result));
  std::this_thread::sleep_for(1ms);
  both.far.write_some(net::buffer("x", 1));
  sync_wait(pool, tasks.join());
  EXPECT_FALSE(result) << result;
}

TEST_P(Timeout, a_shielded_operation_has_its_time_limit) {
  task_group tasks{pool};
  error_code result;
  tasks.request_stop();
  tasks.spawn([](tcp::socket& from, error_code& into) -> task<> {
    char byte = 0;
    auto read = shielded(from.async_read_some(net::buffer(&byte, 1), use_task_with_error));
    const auto [error, count] = co_await timeout(std::move(read), 2ms);
    into = error;
  }(both.near, result));
  sync_wait(pool, tasks.join());
  EXPECT_EQ(result, net::error::timed_out);
}

task<std::string> read_word(tcp::socket& from) {
  std::string word(4, ' ');
  co_await net::async_read(from, net::buffer(word), use_task);
  co_return word;
}

TEST_P(Timeout, a_task_in_time_yields_its_result) {
  both.far.write_some(net::buffer("word", 4));
  EXPECT_EQ(sync_wait(pool, timeout(read_word(both.near), 60s)), "word");
}

TEST_P(Timeout, a_task_that_takes_too_long_is_stopped_and_awaited) {
  both.far.write_some(net::buffer("wo", 2));
  try {
    sync_wait(pool, timeout(read_word(both.near), 5ms));
    ADD_FAILURE() << "it must throw";
  } catch (const system_error& failed) {
    EXPECT_EQ(failed.code(), net::error::timed_out);
  }
}

TEST_P(Timeout, what_a_task_throws_arrives) {
  const auto fail = []() -> task<> {
    throw std::runtime_error{"no"};
    co_return;
  };
  EXPECT_THROW(sync_wait(pool, timeout(fail(), 60s)), std::runtime_error);
}

TEST_P(Timeout, a_task_that_is_stopped_by_others_yields_what_it_has) {
  std::atomic<bool> is_waiting{false};
  const auto wait_for_stop = [&]() -> task<int> {
    is_waiting = true;
    co_await sleep_for(1h);
    co_return 7;
  };
  std::stop_source stop;
  std::thread stopper{[&] {
    while (!is_waiting) std::this_thread::yield();
    stop.request_stop();
  }};
  EXPECT_EQ(sync_wait(pool, timeout(wait_for_stop(), 1h), stop.get_token()), 7);
  stopper.join();
}

INSTANTIATE_TEST_SUITE_P(Workers, Timeout, ::testing::Values(1U, 2U, 4U));

}  // namespace
}  // namespace hotseat::asio
