// hotseat/asio/tests/await_test.cpp — hotseat's primitives in asio::awaitable.
#include <gtest/gtest.h>

#include <hotseat/asio/await.hpp>
#include <hotseat/hotseat.hpp>

#include <atomic>
#include <chrono>
#include <exception>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace hotseat::asio {
namespace {

using namespace std::chrono_literals;

class Await : public ::testing::TestWithParam<unsigned> {
 protected:
  void spawn(net::awaitable<void> what) {
    net::co_spawn(context, std::move(what), [this](const std::exception_ptr& failure) {
      if (failure) ++failed;
    });
  }
  void run() {
    std::vector<std::thread> threads;
    for (unsigned i = 1; i < GetParam(); ++i)
      threads.emplace_back([this] { context.run(); });
    context.run();
    for (std::thread& each : threads) each.join();
  }
  net::io_context context;
  std::atomic<int> failed{0};
};

net::awaitable<void> count(mutex& m, int& n, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    co_await lock(m);
    ++n;
    co_await unlock(m);
  }
}

TEST_P(Await, a_mutex_keeps_apart) {
  mutex m;
  int n = 0;
  for (int i = 0; i < 16; ++i) spawn(count(m, n, 500));
  run();
  EXPECT_EQ(n, 16 * 500);
  EXPECT_EQ(failed, 0);
}

TEST_P(Await, a_section_may_hold_the_lock_while_it_waits) {
  mutex m;
  int inside = 0;
  for (int i = 0; i < 8; ++i) {
    spawn([](mutex& lock_of, int& who) -> net::awaitable<void> {
      net::steady_timer timer{co_await net::this_coro::executor};
      for (int round = 0; round < 5; ++round) {
        co_await lock(lock_of);
        EXPECT_EQ(who++, 0);
        timer.expires_after(100us);
        co_await timer.async_wait(net::use_awaitable);
        EXPECT_EQ(--who, 0);
        co_await unlock(lock_of);
      }
    }(m, inside));
  }
  run();
  EXPECT_EQ(failed, 0);
}

TEST_P(Await, with_lock_yields_the_result_of_the_section) {
  mutex m;
  int n = 0;
  for (int i = 0; i < 8; ++i) {
    spawn([](mutex& of, int& total) -> net::awaitable<void> {
      for (int round = 0; round < 500; ++round) {
        const int before = co_await asio::with_lock(of, [&total] { return total++; });
        EXPECT_GE(before, 0);
      }
    }(m, n));
  }
  run();
  EXPECT_EQ(n, 8 * 500);
}

TEST_P(Await, an_exception_of_the_section_is_thrown) {
  mutex m;
  bool was_thrown = false;
  spawn([](mutex& of, bool& thrown) -> net::awaitable<void> {
    try {
      co_await asio::with_lock(of, []() -> int { throw std::logic_error{"no"}; });
    } catch (const std::logic_error&) {
      thrown = true;
    }
  }(m, was_thrown));
  run();
  EXPECT_TRUE(was_thrown);
}

TEST_P(Await, a_limit_ends_a_wait) {
  mutex m;
  ASSERT_TRUE(m.try_lock());
  bool owns = true;
  spawn([](mutex& of, bool& result) -> net::awaitable<void> {
    result = co_await lock(of, 1ms);
  }(m, owns));
  run();
  EXPECT_FALSE(owns);
  m.unlock_dispatch();
}

TEST_P(Await, other_primitives_too) {
  semaphore permits{2};
  channel<int> values{4};
  int sum = 0;
  spawn([](channel<int>& into, semaphore& with) -> net::awaitable<void> {
    for (int i = 1; i <= 100; ++i) {
      co_await await([&] { return with.acquire(); });
      static_cast<void>(co_await await([&] { return into.send(i); }));
      with.release_dispatch();
    }
    into.close();
  }(values, permits));
  spawn([](channel<int>& from, int& total) -> net::awaitable<void> {
    while (const auto value = co_await await([&] { return from.receive(); }))
      total += *value;
  }(values, sum));
  run();
  EXPECT_EQ(sum, 5050);
}

INSTANTIATE_TEST_SUITE_P(Threads, Await, ::testing::Values(1U, 2U, 4U));

}  // namespace
}  // namespace hotseat::asio
