// hotseat/tests/unit/runtime/injector_test.cpp — in at one end, out at the other, in
// shares.  Layer: runtime.
#include <hotseat/core/waiter.hpp>
#include <hotseat/runtime/detail/injector.hpp>
#include <support/waiters.hpp>

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace hotseat::detail {
namespace {

using testing::listed;

TEST(Injector, a_new_injector_is_empty) {
  injector from;
  EXPECT_EQ(from.length(), 0U);
  EXPECT_EQ(from.pop(10), nullptr);
}

TEST(Injector, gives_a_share_of_the_oldest_as_a_list_of_its_own) {
  injector from;
  std::array<waiter, 5> tasks;
  for (waiter& each : tasks) from.push(each);
  EXPECT_EQ(from.length(), 5U);
  EXPECT_EQ(listed(from.pop(2)), (std::vector<waiter*>{&tasks[0], &tasks[1]}));
  EXPECT_EQ(from.length(), 3U);
  EXPECT_EQ(listed(from.pop(10)), (std::vector<waiter*>{&tasks[2], &tasks[3], &tasks[4]}));
  EXPECT_EQ(from.length(), 0U);
  EXPECT_EQ(from.pop(1), nullptr);
}

TEST(Injector, a_share_of_nothing_takes_nothing) {
  injector from;
  waiter task;
  from.push(task);
  EXPECT_EQ(from.pop(0), nullptr);
  EXPECT_EQ(from.length(), 1U);
  EXPECT_EQ(from.pop(1), &task);
}

TEST(Injector, what_comes_after_a_share_was_taken_lines_up_behind_the_rest) {
  injector from;
  std::array<waiter, 4> tasks;
  from.push(tasks[0]);
  from.push(tasks[1]);
  EXPECT_EQ(from.pop(1), &tasks[0]);
  from.push(tasks[2]);
  EXPECT_EQ(listed(from.pop(10)), (std::vector<waiter*>{&tasks[1], &tasks[2]}));
  from.push(tasks[3]);
  EXPECT_EQ(listed(from.pop(10)), (std::vector<waiter*>{&tasks[3]}));
}

TEST(Injector, many_threads_lose_and_double_nothing_and_each_keeps_its_order) {
  constexpr std::size_t pushers = 3;
  constexpr std::size_t takers = 2;
  constexpr std::size_t each = 20'000;
  injector queue;
  std::vector<waiter> tasks(pushers * each);
  std::vector<unsigned char> taken(
      tasks.size());  // each written by the thread that took it
  std::atomic<std::size_t> left{tasks.size()};
  std::atomic<std::size_t> disorder{0};
  std::vector<std::thread> threads;
  for (std::size_t p = 0; p < pushers; ++p) {
    threads.emplace_back([&, p] {
      for (std::size_t i = 0; i < each; ++i) queue.push(tasks[p * each + i]);
    });
  }
  for (std::size_t t = 0; t < takers; ++t) {
    threads.emplace_back([&, t] {
      std::array<std::size_t, pushers> newest{};
      while (left.load(std::memory_order_relaxed) != 0) {
        std::size_t count = 0;
        for (waiter* task = queue.pop(1 + 6 * t); task != nullptr; task = task->next) {
          const auto index = static_cast<std::size_t>(task - tasks.data());
          const std::size_t number = index % each + 1;
          if (number <= newest[index / each]) ++disorder;
          newest[index / each] = number;
          ++taken[index];
          ++count;
        }
        if (count == 0) std::this_thread::yield();
        left.fetch_sub(count, std::memory_order_relaxed);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(disorder, 0U);
  EXPECT_EQ(queue.length(), 0U);
  for (std::size_t i = 0; i < tasks.size(); ++i) ASSERT_EQ(taken[i], 1) << "task " << i;
}

}  // namespace
}  // namespace hotseat::detail
