// hotseat/asio/tests/send_test.cpp — what is sent at once, and what waits.
#include <gtest/gtest.h>

#include <hotseat/asio/io_pool.hpp>
#include <hotseat/asio/send.hpp>
#include <hotseat/asio/timeout.hpp>
#include <hotseat/asio/use_task.hpp>
#include <hotseat/hotseat.hpp>

#include <tests/connection.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <string>
#include <tuple>

namespace hotseat::asio {
namespace {

using namespace std::chrono_literals;

class Send : public ::testing::TestWithParam<unsigned> {
 protected:
  io_pool pool{GetParam()};
  connection both{pool};
  const std::string much = std::string(std::size_t{16} << 20, 'x');  // No buffer takes it.
};

task<std::size_t> read_all(tcp::socket& from, std::size_t size) {
  std::string bytes(size, '\0');
  const std::size_t count = co_await net::async_read(from, net::buffer(bytes), use_task);
  EXPECT_EQ(bytes, std::string(size, 'x'));
  co_return count;
}

TEST_P(Send, what_the_kernel_takes_is_sent_without_suspending) {
  auto operation = send(both.near, net::buffer("xx", 2));
  EXPECT_TRUE(operation.await_ready());
  EXPECT_EQ(operation.await_resume(), 2U);
  EXPECT_EQ(sync_wait(pool, read_all(both.far, 2)), 2U);
}

TEST_P(Send, the_rest_waits_until_the_other_side_reads) {
  const auto run = [&]() -> task<std::size_t> {
    co_return co_await send(both.near, net::buffer(much));
  };
  const auto [sent, received] =
      sync_wait(pool, when_all(run(), read_all(both.far, much.size())));
  EXPECT_EQ(sent, much.size());
  EXPECT_EQ(received, much.size());
}

TEST_P(Send, an_error_is_thrown_or_yielded) {
  both.far.close();
  const auto run = [&](bool throws) -> task<error_code> {
    error_code failed;
    std::size_t count = 0;
    while (!failed) {  // The first bytes may be taken before the other side answers.
      if (throws) {
        try {
          co_await send(both.near, net::buffer("x", 1));
        } catch (const system_error& caught) {
          failed = caught.code();
        }
      } else {
        std::tie(failed, count) =
            co_await send(both.near, net::buffer("x", 1), use_task_with_error);
      }
    }
    EXPECT_EQ(count, 0U);
    co_return failed;
  };
  const auto is_expected = [](error_code failed) {
    return failed == net::error::broken_pipe || failed == net::error::connection_reset;
  };
  EXPECT_TRUE(is_expected(sync_wait(pool, run(true))));
  EXPECT_TRUE(is_expected(sync_wait(pool, run(false))));
}

TEST_P(Send, ends_by_a_timeout_and_tells_what_was_sent) {
  const auto run = [&]() -> task<std::size_t> {
    const auto [error, count] =
        co_await timeout(send(both.near, net::buffer(much), use_task_with_error), 5ms);
    EXPECT_EQ(error, net::error::timed_out);
    EXPECT_LT(count, much.size());
    co_return count;
  };
  const std::size_t sent = sync_wait(pool, run());
  EXPECT_EQ(sync_wait(pool, read_all(both.far, sent)), sent);
}

TEST_P(Send, a_stop_cancels_it_unless_it_is_shielded) {
  error_code plain;
  error_code kept;
  task_group tasks{pool};
  tasks.request_stop();
  tasks.spawn([](tcp::socket& to, const std::string& bytes, error_code& first,
                 error_code& second) -> task<> {
    first = std::get<0>(co_await send(to, net::buffer(bytes), use_task_with_error));
    second = std::get<0>(
        co_await timeout(shielded(send(to, net::buffer(bytes), use_task_with_error)), 5ms));
  }(both.near, much, plain, kept));
  sync_wait(pool, tasks.join());
  EXPECT_EQ(plain, net::error::operation_aborted);
  EXPECT_EQ(kept, net::error::timed_out) << "the stop did not end it";
}

TEST(SendOnOneWorker, a_task_that_never_waits_lets_others_run) {
  io_pool pool{1U};
  connection both{pool};
  std::atomic<bool> is_over{false};
  const auto run = [&]() -> task<int> {
    int count = 0;
    while (!is_over) {
      ++count;
      co_await send(both.near, net::buffer("x", 1));
      char byte = 0;
      both.far.receive(net::buffer(&byte, 1));
    }
    co_return count;
  };
  const auto other = [&]() -> task<> {
    is_over = true;
    co_return;
  };
  const auto [count, ended] = sync_wait(pool, when_all(run(), other()));
  EXPECT_GT(count, 0);
}

INSTANTIATE_TEST_SUITE_P(Workers, Send, ::testing::Values(1U, 2U));

}  // namespace
}  // namespace hotseat::asio
