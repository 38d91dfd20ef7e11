// hotseat/tests/unit/sched/blocking_test.cpp — a thread that waits like a task.
#include <gtest/gtest.h>

#include <hotseat/core/waiter.hpp>
#include <hotseat/sched/blocking.hpp>
#include <hotseat/sched/dispatch.hpp>
#include <memory>
#include <support/manual_executor.hpp>
#include <thread>

namespace hotseat {
namespace {

TEST(BlockedThread, has_a_home_of_its_own_and_no_task) {
  const blocked_thread self;
  EXPECT_NE(self.home, nullptr);
  EXPECT_FALSE(self.task);
}

TEST(BlockedThread, one_that_was_scheduled_before_it_waits_does_not_block) {
  blocked_thread self;
  dispatch_task(self);
  self.wait();
  SUCCEED();
}

TEST(BlockedThread, is_woken_by_a_dispatch_from_another_thread) {
  blocked_thread self;
  waiter& in_line = self;
  int data = 0;
  std::thread other{[&] {
    data = 1;
    dispatch_task(in_line);
  }};
  self.wait();
  EXPECT_EQ(data, 1);
  other.join();
}

TEST(BlockedThread, is_woken_from_a_worker_and_not_queued_there) {
  testing::manual_executor ex;
  blocked_thread self;
  {
    const testing::worker_scope scope{ex};
    dispatch_task(self);
  }
  EXPECT_TRUE(ex.is_idle());
  self.wait();
}

TEST(BlockedThread, may_be_destroyed_as_soon_as_it_was_woken) {
  for (int i = 0; i < 100; ++i) {
    auto self = std::make_unique<blocked_thread>();
    std::thread other{[&in_line = static_cast<waiter&>(*self)] { dispatch_task(in_line); }};
    self->wait();
    self.reset();
    other.join();
  }
  SUCCEED();
}

}  // namespace
}  // namespace hotseat
