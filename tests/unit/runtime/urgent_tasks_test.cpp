// hotseat/tests/unit/runtime/urgent_tasks_test.cpp — any thread pushes, one takes all.
// Layer: runtime.
#include <hotseat/core/waiter.hpp>
#include <hotseat/runtime/detail/urgent_tasks.hpp>
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

TEST(UrgentTasks, there_are_none_at_first) {
  urgent_tasks urgent;
  EXPECT_TRUE(urgent.empty());
  EXPECT_EQ(urgent.take_all(), nullptr);
}

TEST(UrgentTasks, gives_all_at_once_oldest_first) {
  urgent_tasks urgent;
  std::array<waiter, 3> tasks;
  for (waiter& each : tasks) urgent.push(each);
  EXPECT_FALSE(urgent.empty());
  EXPECT_EQ(listed(urgent.take_all()),
            (std::vector<waiter*>{&tasks[0], &tasks[1], &tasks[2]}));
  EXPECT_TRUE(urgent.empty());
  EXPECT_EQ(urgent.take_all(), nullptr);
}

TEST(UrgentTasks, a_place_can_be_used_again) {
  urgent_tasks urgent;
  waiter task;
  waiter other;
  for (int i = 0; i < 3; ++i) {
    urgent.push(task);
    urgent.push(other);
    EXPECT_EQ(listed(urgent.take_all()), (std::vector<waiter*>{&task, &other}));
  }
}

TEST(UrgentTasks,
     many_pushers_and_takers_lose_and_double_nothing_and_keep_the_order_of_each) {
  constexpr std::size_t pushers = 3;
  constexpr std::size_t takers = 2;
  constexpr std::size_t each = 20'000;
  urgent_tasks urgent;
  std::vector<waiter> tasks(pushers * each);
  std::vector<unsigned char> taken(
      tasks.size());  // each written by the thread that took it
  std::atomic<std::size_t> left{tasks.size()};
  std::vector<std::thread> threads;
  for (std::size_t p = 0; p < pushers; ++p) {
    threads.emplace_back([&, p] {
      for (std::size_t i = 0; i < each; ++i) urgent.push(tasks[p * each + i]);
    });
  }
  std::atomic<std::size_t> disorder{0};
  for (std::size_t t = 0; t < takers; ++t) {
    threads.emplace_back([&] {
      std::array<std::size_t, pushers> newest{};
      while (left.load(std::memory_order_relaxed) != 0) {
        std::size_t count = 0;
        for (waiter* task = urgent.take_all(); task != nullptr; task = task->next) {
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
  for (std::size_t i = 0; i < tasks.size(); ++i) ASSERT_EQ(taken[i], 1) << "task " << i;
}

}  // namespace
}  // namespace hotseat::detail
