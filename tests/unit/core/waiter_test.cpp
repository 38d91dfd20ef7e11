// hotseat/tests/unit/core/waiter_test.cpp — a place in line, and lines: first in, first
// out.
#include <gtest/gtest.h>

#include <array>
#include <coroutine>
#include <hotseat/core/waiter.hpp>
#include <support/probes.hpp>
#include <type_traits>

namespace hotseat {
namespace {

// A frame that is destroyed while its task waits need not clean up its place.
static_assert(std::is_trivially_destructible_v<waiter>);

testing::owned set(bool& flag) {
  flag = true;
  co_return;
}

TEST(Waiter, starts_without_task_line_home_and_locks) {
  const waiter w;
  EXPECT_FALSE(w.task);
  EXPECT_EQ(w.next, nullptr);
  EXPECT_EQ(w.home, nullptr);
  EXPECT_EQ(w.locks_held, 0U);
}

TEST(Waiter, resumes_the_task_it_describes) {
  bool has_run = false;
  const testing::owned task = set(has_run);
  waiter w;
  w.task = task.handle();
  EXPECT_FALSE(has_run);
  w.task.resume();
  EXPECT_TRUE(has_run);
}

TEST(Waiter, set_describes_a_task_that_is_in_no_line_yet) {
  const testing::owned task = testing::do_nothing();
  testing::manual_executor ex;
  waiter stale;
  waiter w{set_later{}};
  EXPECT_FALSE(w.task) << "nothing waits yet";
  w.next = &stale;
  w.set(task.handle(), &ex, 3);
  EXPECT_EQ(w.task, task.handle());
  EXPECT_EQ(w.next, nullptr);
  EXPECT_EQ(w.home, &ex);
  EXPECT_EQ(w.locks_held, 3U);
  w.set(task.handle(), nullptr);
  EXPECT_EQ(w.home, nullptr);
  EXPECT_EQ(w.locks_held, 0U);
}

TEST(WaiterQueue, starts_empty) {
  const waiter_queue queue;
  EXPECT_TRUE(queue.empty());
  EXPECT_EQ(queue.front(), nullptr);
}

TEST(WaiterQueue, waiters_leave_in_order_of_arrival) {
  std::array<waiter, 3> waiters;
  waiter_queue queue;
  for (waiter& w : waiters) queue.push_back(w);
  for (waiter& w : waiters) {
    EXPECT_FALSE(queue.empty());
    EXPECT_EQ(queue.front(), &w);
    EXPECT_EQ(&queue.pop_front(), &w);
  }
  EXPECT_TRUE(queue.empty());
  EXPECT_EQ(queue.front(), nullptr);
}

TEST(WaiterQueue, can_be_used_again_once_it_was_emptied) {
  waiter first;
  waiter second;
  waiter_queue queue;
  queue.push_back(first);
  EXPECT_EQ(&queue.pop_front(), &first);
  queue.push_back(second);
  queue.push_back(first);
  EXPECT_EQ(&queue.pop_front(), &second);
  EXPECT_EQ(&queue.pop_front(), &first);
  EXPECT_TRUE(queue.empty());
}

TEST(WaiterQueue, arrivals_and_departures_may_mix) {
  std::array<waiter, 4> waiters;
  waiter_queue queue;
  queue.push_back(waiters[0]);
  queue.push_back(waiters[1]);
  EXPECT_EQ(&queue.pop_front(), &waiters[0]);
  queue.push_back(waiters[2]);
  EXPECT_EQ(&queue.pop_front(), &waiters[1]);
  queue.push_back(waiters[3]);
  EXPECT_EQ(&queue.pop_front(), &waiters[2]);
  EXPECT_EQ(&queue.pop_front(), &waiters[3]);
}

TEST(WaiterQueue, a_link_left_from_another_line_does_not_matter) {
  waiter stale;
  waiter w;
  w.next = &stale;
  waiter_queue queue;
  queue.push_back(w);
  EXPECT_EQ(&queue.pop_front(), &w);
  EXPECT_TRUE(queue.empty());
}

TEST(OldestFirst, turns_a_stack_of_arrivals_around) {
  std::array<waiter, 3> waiters;  // 2 is the newest
  waiters[2].next = &waiters[1];
  waiters[1].next = &waiters[0];
  waiter* const oldest = oldest_first(&waiters[2]);
  EXPECT_EQ(oldest, &waiters[0]);
  EXPECT_EQ(oldest->next, &waiters[1]);
  EXPECT_EQ(oldest->next->next, &waiters[2]);
  EXPECT_EQ(oldest->next->next->next, nullptr);
}

TEST(OldestFirst, of_one_and_of_none) {
  waiter w;
  EXPECT_EQ(oldest_first(&w), &w);
  EXPECT_EQ(w.next, nullptr);
  EXPECT_EQ(oldest_first(nullptr), nullptr);
}

}  // namespace
}  // namespace hotseat
