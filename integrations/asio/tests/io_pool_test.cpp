// hotseat/asio/tests/io_pool_test.cpp — workers that run an io_context each.
#include <gtest/gtest.h>

#include <hotseat/asio/io_pool.hpp>
#include <hotseat/asio/use_task.hpp>
#include <hotseat/hotseat.hpp>

#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <thread>
#include <utility>
#include <vector>

namespace hotseat::asio {
namespace {

using namespace std::chrono_literals;
using tcp = net::ip::tcp;

TEST(IoPool, has_a_context_for_each_worker) {
  io_pool pool{3};
  EXPECT_EQ(pool.size(), 3U);
  std::set<net::io_context*> all;
  for (unsigned i = 0; i < 3; ++i) all.insert(&pool.context(i));
  EXPECT_EQ(all.size(), 3U);
  std::set<net::io_context*> in_turn;
  for (int i = 0; i < 3; ++i) in_turn.insert(&pool.next_context());
  EXPECT_EQ(in_turn, all);
}

TEST(IoPool, a_task_finds_the_context_of_its_worker) {
  io_pool pool{2};
  const auto look = [&]() -> task<bool> {
    const auto worker = pool.tasks().current_worker();
    co_return &pool.context() == &pool.context(*worker);
  };
  EXPECT_TRUE(sync_wait(pool, look()));
}

TEST(IoPool, what_is_posted_from_outside_runs_on_the_worker) {
  io_pool pool{2};
  for (unsigned i = 0; i < 2; ++i) {
    one_shot<std::optional<unsigned>> where;
    net::post(pool.context(i), [&] { where.set_value(pool.tasks().current_worker()); });
    // Or on the watch, if the worker was off its core for 2 ms.
    EXPECT_EQ(where.wait_blocking().value_or(i), i);
  }
}

TEST(IoPool, E3_a_handler_of_a_busy_worker_runs_on_the_watch) {
  io_pool pool{2};
  std::atomic<bool> has_run{false};
  std::atomic<bool> is_busy{false};
  const auto be_busy = [&]() -> task<> {
    net::post(pool.context(), [&] { has_run = true; });
    is_busy = true;
    while (!has_run) std::this_thread::yield();
    co_return;
  };
  sync_wait(pool, be_busy());
  EXPECT_TRUE(is_busy);
}

double cpu_seconds() {
  rusage used;
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

TEST(IoPool, an_idle_pool_with_open_connections_uses_no_cpu) {
  io_pool pool{2};
  tcp::acceptor acceptor{pool.context(0), {net::ip::address_v4::loopback(), 0}};
  std::vector<std::pair<tcp::socket, tcp::socket>> all;
  task_group readers{pool};
  for (int i = 0; i < 100; ++i) {
    tcp::socket near{pool.next_context()};
    near.connect(acceptor.local_endpoint());
    tcp::socket far = acceptor.accept(pool.next_context());
    all.emplace_back(std::move(near), std::move(far));
  }
  for (auto& [near, far] : all) {
    readers.spawn([](tcp::socket& from) -> task<> {
      char byte = 0;
      static_cast<void>(
          co_await from.async_read_some(net::buffer(&byte, 1), use_task_with_error));
    }(near));
  }
  std::this_thread::sleep_for(100ms);
  const double before = cpu_seconds();
  std::this_thread::sleep_for(300ms);
  // A worker that polls instead of waiting would use 0.3.
  EXPECT_LT(cpu_seconds() - before, 0.1);
  readers.request_stop();
  sync_wait(pool, readers.join());
}

}  // namespace
}  // namespace hotseat::asio
