// hotseat/tests/conformance/ping_pong_test.cpp — what a notification costs on a real pool.
#include <gtest/gtest.h>

#include <cstdint>
#include <hotseat/runtime/stats.hpp>
#include <hotseat/runtime/thread_pool.hpp>
#include <hotseat/sync/condition_variable.hpp>
#include <hotseat/sync/mutex.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/task.hpp>
#include <hotseat/task/when_all.hpp>

namespace hotseat {
namespace {

struct table {
  mutex m;
  condition_variable turned;
  int turn = 0;
};

constexpr std::uint64_t rounds = 1000;

/// Notifies while it owns the mutex, and waits for the other player.
task<> play(table& t, int self) {
  co_await t.m.lock();
  for (std::uint64_t round = 0; round < rounds; ++round) {
    co_await t.turned.wait(t.m, [&t, self] { return t.turn == self; });
    t.turn = 1 - self;
    co_await t.turned.notify_one();
  }
  co_await t.m.unlock();
}

TEST(PingPong, a_notification_with_the_mutex_held_costs_one_exchange_and_one_resumption) {
  thread_pool pool{1};
  table t;
  const worker_stats before = pool.stats().total();
  sync_wait(pool, when_all(play(t, 0), play(t, 1)));
  const worker_stats after = pool.stats().total();
  // Each player notifies `rounds` times.  The start and the end cost a few tasks more.
  constexpr std::uint64_t notifications = 2 * rounds;
  constexpr std::uint64_t few = 8;
  EXPECT_LE(after.exchanges - before.exchanges, notifications + few);
  EXPECT_GE(after.exchanges - before.exchanges, notifications - few);
  EXPECT_LE(after.tasks_run - before.tasks_run, notifications + few) << "an extra resume";
  EXPECT_LE(after.local_pops - before.local_pops, few) << "no task waits in a queue";
}

}  // namespace
}  // namespace hotseat
