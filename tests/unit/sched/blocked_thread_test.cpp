// hotseat/tests/unit/sched/blocked_thread_test.cpp — a thread that waits like a task.
#include <gtest/gtest.h>

#include <chrono>
#include <hotseat/core/waiter.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sched/blocked_thread.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/sched/worker_scope.hpp>
#include <memory>
#include <support/manual_executor.hpp>
#include <thread>
#include <type_traits>

namespace hotseat {
namespace {

using alarm = alarm_clock::alarm;
using namespace std::chrono_literals;

static_assert(!std::is_convertible_v<blocked_thread*, executor*>,
              "it is one only where it waits");

/// A thread's place in some line.
class BlockedThread : public ::testing::Test {
 protected:
  BlockedThread() { place.home = &self.home(); }
  blocked_thread self;
  waiter place;
};

TEST_F(BlockedThread, one_that_was_woken_before_it_waits_does_not_block) {
  self.wake();
  self.wait();
  SUCCEED();
}

TEST_F(BlockedThread, a_dispatch_of_its_waiter_wakes_it) {
  dispatch_task(place);
  self.wait();
  SUCCEED();
}

TEST_F(BlockedThread, is_woken_by_a_dispatch_from_another_thread) {
  int data = 0;
  std::thread other{[&] {
    data = 1;
    dispatch_task(place);
  }};
  self.wait();
  EXPECT_EQ(data, 1);
  other.join();
}

TEST_F(BlockedThread, is_woken_from_a_worker_and_not_queued_there) {
  testing::manual_executor ex;
  {
    const worker_scope scope{ex};
    dispatch_task(place);
  }
  EXPECT_TRUE(ex.is_idle());
  self.wait();
}

TEST(BlockedThreadAlone, may_be_destroyed_as_soon_as_it_was_woken) {
  for (int i = 0; i < 100; ++i) {
    auto self = std::make_unique<blocked_thread>();
    std::thread other{[&woken = *self] { woken.wake(); }};
    self->wait();
    self.reset();
    other.join();
  }
  SUCCEED();
}

/// Wakes the thread, as an early end of its wait does.
struct waking_alarm : alarm {
  waking_alarm(blocked_thread& who, platform::clock::time_point time) : thread{who} {
    due = time;
    ring = &wake;
  }
  static void wake(alarm& self) noexcept {
    auto& me = static_cast<waking_alarm&>(self);
    me.rung_on = std::this_thread::get_id();
    me.thread.wake();
  }
  blocked_thread& thread;
  std::thread::id rung_on;
};

TEST_F(BlockedThread, its_alarm_rings_on_the_thread_that_waits) {
  alarm_clock* const clock = self.home().timers();
  ASSERT_NE(clock, nullptr);
  waking_alarm a{self, platform::now()};
  clock->start();
  ASSERT_TRUE(clock->set(a));
  EXPECT_EQ(a.rung_on, std::thread::id{});
  self.wait();
  EXPECT_EQ(a.rung_on, std::this_thread::get_id());
}

TEST_F(BlockedThread, an_alarm_does_not_ring_if_the_thread_is_woken_before) {
  waking_alarm a{self, platform::now() + 1h};
  ASSERT_TRUE(self.home().timers()->set(a));
  std::thread other{[&] { self.wake(); }};
  self.wait();
  other.join();
  EXPECT_EQ(a.rung_on, std::thread::id{});
}

TEST_F(BlockedThread, an_alarm_that_is_withdrawn_does_not_ring) {
  waking_alarm a{self, platform::now()};
  ASSERT_TRUE(self.home().timers()->set(a));
  self.home().timers()->withdraw(a);
  self.wake();
  self.wait();
  EXPECT_EQ(a.rung_on, std::thread::id{});
}

// The thread's waiter is out of the line but not woken yet: the wait has not ended.
TEST_F(BlockedThread, an_alarm_that_ends_nothing_is_followed_by_the_wait_for_the_grant) {
  struct late_alarm : alarm {
    platform::atomic<bool> has_rung{false};
  } a;
  a.due = platform::now();
  a.ring = [](alarm& rung) noexcept {
    static_cast<late_alarm&>(rung).has_rung.store(true, std::memory_order_release);
  };
  ASSERT_TRUE(self.home().timers()->set(a));
  int data = 0;
  std::thread granter{[&] {
    while (!a.has_rung.load(std::memory_order_acquire)) std::this_thread::yield();
    data = 1;
    self.wake();
  }};
  self.wait();
  EXPECT_EQ(data, 1);
  granter.join();
}

}  // namespace
}  // namespace hotseat
