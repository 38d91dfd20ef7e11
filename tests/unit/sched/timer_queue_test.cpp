// hotseat/tests/unit/sched/timer_queue_test.cpp — every alarm rings once, or not at all.
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <hotseat/platform/parker.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/sched/timer_queue.hpp>
#include <memory>
#include <optional>
#include <support/refused_threads.hpp>
#include <system_error>
#include <thread>
#include <vector>

namespace hotseat {
namespace {

using alarm = alarm_clock::alarm;
using namespace std::chrono_literals;

/// Counts the rings of all alarms, and wakes the test for each.
class bell {
 public:
  void strike() {
    rings.fetch_add(1, std::memory_order_release);
    parker_.unpark();
  }
  void wait_for(int count) {
    while (rings.load(std::memory_order_acquire) < count) parker_.park();
  }
  platform::atomic<int> rings{0};

 private:
  platform::parker parker_;
};

struct bell_alarm : alarm {
  bell_alarm(bell& which, platform::clock::time_point time) : struck{which} {
    due = time;
    ring = &strike;
  }
  static void strike(alarm& a) noexcept {
    auto& self = static_cast<bell_alarm&>(a);
    ++self.rings;
    self.struck.strike();
  }
  bell& struck;
  int rings = 0;
};

class TimerQueue : public ::testing::Test {
 protected:
  const platform::clock::time_point in_an_hour = platform::now() + 1h;
  bell struck;
};

TEST_F(TimerQueue, costs_nothing_while_it_is_not_used) {
  timer_queue queue;
  queue.close();
  SUCCEED();
}

TEST_F(TimerQueue, rings_when_the_time_has_come_and_not_before) {
  timer_queue queue;
  const auto due = platform::now() + 5ms;
  bell_alarm a{struck, due};
  queue.start();
  ASSERT_TRUE(queue.set(a));
  struck.wait_for(1);
  EXPECT_GE(platform::now(), due);
  EXPECT_FALSE(a.is_early);
}

TEST_F(TimerQueue, is_started_once) {
  timer_queue queue;
  queue.start();
  queue.start();
  bell_alarm a{struck, platform::now()};
  ASSERT_TRUE(queue.set(a));
  struck.wait_for(1);
}

TEST_F(TimerQueue, T3_a_start_that_fails_says_so_and_the_next_one_tries_again) {
  timer_queue queue;
  std::optional<testing::refused_threads> refusing{std::in_place};
  EXPECT_THROW(queue.start(), std::system_error);
  EXPECT_THROW(queue.start(), std::system_error);
  refusing.reset();
  queue.start();
  bell_alarm a{struck, platform::now()};
  ASSERT_TRUE(queue.set(a));
  struck.wait_for(1);
}

TEST_F(TimerQueue, T3_one_that_could_not_be_started_can_be_closed) {
  timer_queue queue;
  const testing::refused_threads refusing;
  EXPECT_THROW(queue.start(), std::system_error);
  queue.close();
  queue.start();  // The queue is closed: no thread is needed.
}

TEST_F(TimerQueue, an_earlier_alarm_does_not_wait_for_a_later_one) {
  timer_queue queue;
  bell_alarm late{struck, in_an_hour};
  bell_alarm early{struck, platform::now() + 1ms};
  queue.start();
  ASSERT_TRUE(queue.set(late));
  ASSERT_TRUE(queue.set(early));
  struck.wait_for(1);
  queue.close();
  EXPECT_EQ(early.rings, 1);
  EXPECT_FALSE(early.is_early);
  EXPECT_TRUE(late.is_early);
}

TEST_F(TimerQueue, one_that_is_due_never_waits_for_ever) {
  timer_queue queue;
  bell_alarm never{struck, platform::clock::time_point::max()};
  bell_alarm now{struck, platform::now()};
  queue.start();
  ASSERT_TRUE(queue.set(never));
  ASSERT_TRUE(queue.set(now));
  struck.wait_for(1);
  queue.withdraw(never);
  EXPECT_EQ(now.rings, 1);
  EXPECT_EQ(never.rings, 0);
}

TEST_F(TimerQueue, T1_one_that_is_withdrawn_does_not_ring) {
  timer_queue queue;
  bell_alarm a{struck, in_an_hour};
  queue.start();
  ASSERT_TRUE(queue.set(a));
  queue.withdraw(a);
  queue.withdraw(a);
  queue.close();
  EXPECT_EQ(a.rings, 0);
}

TEST_F(TimerQueue, withdrawing_one_that_was_never_set_does_nothing) {
  timer_queue queue;
  bell_alarm a{struck, in_an_hour};
  queue.withdraw(a);
  EXPECT_EQ(a.rings, 0);
}

TEST_F(TimerQueue, withdrawing_one_that_has_rung_does_nothing) {
  timer_queue queue;
  bell_alarm a{struck, platform::now()};
  queue.start();
  ASSERT_TRUE(queue.set(a));
  struck.wait_for(1);
  queue.withdraw(a);
  EXPECT_EQ(a.rings, 1);
}

TEST_F(TimerQueue, close_rings_all_early_and_is_idempotent) {
  timer_queue queue;
  std::vector<bell_alarm> alarms(10, bell_alarm{struck, in_an_hour});
  queue.start();
  for (bell_alarm& a : alarms) ASSERT_TRUE(queue.set(a));
  queue.close();
  queue.close();
  for (const bell_alarm& a : alarms) {
    EXPECT_EQ(a.rings, 1);
    EXPECT_TRUE(a.is_early);
  }
}

TEST_F(TimerQueue, after_close_nothing_rings_any_more) {
  timer_queue queue;
  queue.close();
  bell_alarm a{struck, in_an_hour};
  queue.start();
  EXPECT_FALSE(queue.set(a));
  EXPECT_EQ(a.rings, 0);
}

// The clock and a thread that withdraws race for each alarm.
TEST_F(TimerQueue, T1_ringing_and_withdrawing_at_once_rings_once_or_not_at_all) {
  constexpr std::size_t count = 300;
  timer_queue queue;
  std::vector<bell_alarm> alarms(count, bell_alarm{struck, platform::now() + 1ms});
  queue.start();
  for (bell_alarm& a : alarms) ASSERT_TRUE(queue.set(a));
  int rung = 0;
  for (bell_alarm& a : alarms) {
    queue.withdraw(a);
    EXPECT_LE(a.rings, 1);  // The clock no longer touches it.
    rung += a.rings;
  }
  queue.close();
  EXPECT_EQ(struck.rings.load(), rung);
}

/// Rings slowly.
struct slow_alarm : alarm {
  slow_alarm() {
    due = platform::now();
    ring = &strike;
  }
  static void strike(alarm& a) noexcept {
    auto& self = static_cast<slow_alarm&>(a);
    self.is_ringing.store(true, std::memory_order_release);
    for (int i = 0; i < 100; ++i) platform::yield_core();
    self.has_rung = true;
  }
  platform::atomic<bool> is_ringing{false};
  bool has_rung = false;
};

TEST_F(TimerQueue, T2_withdraw_waits_for_a_ring_that_is_under_way) {
  timer_queue queue;
  slow_alarm a;
  queue.start();
  ASSERT_TRUE(queue.set(a));
  while (!a.is_ringing.load(std::memory_order_acquire)) platform::yield_core();
  queue.withdraw(a);
  EXPECT_TRUE(a.has_rung);
}

/// Withdraws itself, like a task that continues inside the ring.
struct self_withdrawing_alarm : bell_alarm {
  self_withdrawing_alarm(timer_queue& which, bell& b, platform::clock::time_point time)
      : bell_alarm{b, time}, queue{which} {
    ring = &withdraw_and_strike;
  }
  static void withdraw_and_strike(alarm& a) noexcept {
    auto& self = static_cast<self_withdrawing_alarm&>(a);
    self.queue.withdraw(self);
    strike(self);
  }
  timer_queue& queue;
};

TEST_F(TimerQueue, T2_the_thread_that_rings_does_not_wait_for_itself) {
  timer_queue queue;
  self_withdrawing_alarm now{queue, struck, platform::now()};
  self_withdrawing_alarm later{queue, struck, in_an_hour};
  queue.start();
  ASSERT_TRUE(queue.set(now));
  ASSERT_TRUE(queue.set(later));
  struck.wait_for(1);
  queue.close();  // Rings on this thread.
  EXPECT_EQ(now.rings, 1);
  EXPECT_EQ(later.rings, 1);
}

/// Destroys itself as it rings, like an operation that ends then.
struct short_lived_alarm : alarm {
  explicit short_lived_alarm(bell& which) : struck{which} {
    due = platform::now();
    ring = [](alarm& a) noexcept {
      const std::unique_ptr<short_lived_alarm> self{static_cast<short_lived_alarm*>(&a)};
      self->struck.strike();
    };
  }
  bell& struck;
};

TEST_F(TimerQueue, an_alarm_may_be_gone_when_it_has_rung) {
  timer_queue queue;
  queue.start();
  for (int i = 1; i <= 50; ++i) {
    auto a = std::make_unique<short_lived_alarm>(struck);
    ASSERT_TRUE(queue.set(*a.release()));
    struck.wait_for(i);
  }
}

}  // namespace
}  // namespace hotseat
