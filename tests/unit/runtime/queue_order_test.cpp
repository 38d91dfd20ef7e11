// hotseat/tests/unit/runtime/queue_order_test.cpp — first come first served, or warm first.
// Layer: runtime.  One worker, so that nobody steals and the order is certain.
#include <hotseat/runtime/queue_order.hpp>
#include <hotseat/runtime/thread_pool.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/task.hpp>
#include <hotseat/task/when_all.hpp>

#include <gtest/gtest.h>

#include <coroutine>
#include <cstddef>
#include <utility>
#include <vector>

namespace hotseat {
namespace {

using numbers_run = std::vector<int>;

/// Suspends until the test schedules the place in line.
class place {
 public:
  static bool await_ready() noexcept { return false; }
  void await_suspend(std::coroutine_handle<> self) noexcept { in_line.task = self; }
  static void await_resume() noexcept {}

  waiter in_line;
};

task<> write_number(place& start, int number, numbers_run& log) {
  co_await start;
  log.push_back(number);
}

task<> schedule_all(executor& where, std::vector<place>& places) {
  for (place& each : places) where.schedule(each.in_line);
  co_return;
}

task<> write_all(std::vector<place>& places, numbers_run& log) {
  std::vector<task<>> all;
  for (std::size_t i = 0; i < places.size(); ++i) {
    all.push_back(write_number(places[i], static_cast<int>(i), log));
  }
  co_await when_all(std::move(all));
}

/// The order in which one worker runs tasks that become ready as 0, 1, 2 …
numbers_run order_of_ten(queue_order order) {
  thread_pool pool{{.threads = 1, .block_size = 2, .block_count = 8, .order = order}};
  numbers_run log;
  std::vector<place> places(10);
  // Children run newest first, so everybody is in place when the second one starts.
  std::vector<task<>> both;
  both.push_back(write_all(places, log));
  both.push_back(schedule_all(pool, places));
  sync_wait(pool, when_all(std::move(both)));
  return log;
}

TEST(QueueOrder, fifo_runs_what_became_ready_first) {
  EXPECT_EQ(order_of_ten(queue_order::fifo), (numbers_run{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST(QueueOrder, lifo_runs_what_became_ready_last) {
  EXPECT_EQ(order_of_ten(queue_order::lifo), (numbers_run{9, 8, 7, 6, 5, 4, 3, 2, 1, 0}));
}

TEST(QueueOrder, fifo_is_the_default) {
  EXPECT_EQ(thread_pool::options{}.order, queue_order::fifo);
}

}  // namespace
}  // namespace hotseat
