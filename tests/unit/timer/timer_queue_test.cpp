// hotseat/tests/unit/timer/timer_queue_test.cpp — every sleeper is woken, and once.
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <hotseat/platform/atomic.hpp>
#include <hotseat/platform/clock.hpp>
#include <hotseat/platform/parker.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/timer/timer_queue.hpp>
#include <thread>
#include <vector>

namespace hotseat::detail {
namespace {

using namespace std::chrono_literals;

/// Counts how often each timer's task was scheduled; wakes the test for each.
class counting_home final : public executor {
 public:
  void schedule(waiter&) noexcept override {
    scheduled.fetch_add(1, std::memory_order_release);
    bed_.unpark();
  }
  void wait_for(int count) {
    while (scheduled.load(std::memory_order_acquire) < count) bed_.park();
  }
  platform::atomic<int> scheduled{0};

 private:
  platform::parker bed_;
};

class TimerQueue : public ::testing::Test {
 protected:
  void prepare(timer& t, platform::clock::time_point due) {
    t.due = due;
    t.sleeper.home = &home;
  }
  counting_home home;
};

TEST_F(TimerQueue, costs_nothing_while_nobody_sleeps) {
  timer_queue queue;
  queue.close();
  SUCCEED();
}

TEST_F(TimerQueue, wakes_a_sleeper_when_its_time_has_come_and_not_before) {
  timer_queue queue;
  timer t;
  const auto due = platform::now() + 5ms;
  prepare(t, due);
  ASSERT_TRUE(queue.add(t));
  home.wait_for(1);
  EXPECT_GE(platform::now(), due);
  EXPECT_EQ(t.state, timer::phase::rung);
}

TEST_F(TimerQueue, an_earlier_timer_does_not_wait_for_a_later_one) {
  timer_queue queue;
  timer late;
  timer early;
  prepare(late, platform::now() + 1h);
  prepare(early, platform::now() + 1ms);
  ASSERT_TRUE(queue.add(late));
  ASSERT_TRUE(queue.add(early));
  home.wait_for(1);
  EXPECT_EQ(early.state, timer::phase::rung);
  queue.close();
  EXPECT_EQ(late.state, timer::phase::cancelled);
}

TEST_F(TimerQueue, a_cancelled_sleeper_is_woken_at_once) {
  timer_queue queue;
  timer t;
  prepare(t, platform::now() + 1h);
  ASSERT_TRUE(queue.add(t));
  queue.cancel(t);
  EXPECT_EQ(home.scheduled.load(), 1);
  EXPECT_EQ(t.state, timer::phase::cancelled);
}

TEST_F(TimerQueue, T1_a_second_cancel_wakes_nobody) {
  timer_queue queue;
  timer t;
  prepare(t, platform::now() + 1h);
  ASSERT_TRUE(queue.add(t));
  queue.cancel(t);
  queue.cancel(t);
  queue.close();
  EXPECT_EQ(home.scheduled.load(), 1);
}

TEST_F(TimerQueue, one_that_was_cancelled_before_is_not_added) {
  timer_queue queue;
  timer t;
  prepare(t, platform::now() + 1h);
  queue.cancel(t);
  EXPECT_FALSE(queue.add(t));
  EXPECT_EQ(home.scheduled.load(), 0);
  EXPECT_EQ(t.state, timer::phase::cancelled);
}

TEST_F(TimerQueue, close_wakes_all_sleepers_and_is_idempotent) {
  timer_queue queue;
  std::vector<timer> timers(10);
  for (timer& t : timers) {
    prepare(t, platform::now() + 1h);
    ASSERT_TRUE(queue.add(t));
  }
  queue.close();
  queue.close();
  EXPECT_EQ(home.scheduled.load(), 10);
  for (const timer& t : timers) EXPECT_EQ(t.state, timer::phase::cancelled);
}

TEST_F(TimerQueue, after_close_nobody_falls_asleep) {
  timer_queue queue;
  queue.close();
  timer t;
  prepare(t, platform::now() + 1h);
  EXPECT_FALSE(queue.add(t));
  EXPECT_EQ(home.scheduled.load(), 0);
}

// The clock and a canceller race for each timer.
TEST_F(TimerQueue, T1_ringing_and_cancelling_at_once_wakes_once) {
  constexpr std::size_t count = 300;
  timer_queue queue;
  std::vector<timer> timers(count);
  std::thread canceller;
  for (timer& t : timers) prepare(t, platform::now() + 1ms);
  for (timer& t : timers) ASSERT_TRUE(queue.add(t));
  canceller = std::thread{[&] {
    for (timer& t : timers) queue.cancel(t);
  }};
  canceller.join();
  home.wait_for(static_cast<int>(count));
  queue.close();
  EXPECT_EQ(home.scheduled.load(), static_cast<int>(count));
}

}  // namespace
}  // namespace hotseat::detail
