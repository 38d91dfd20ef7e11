// hotseat/tests/unit/timer/timer_heap_test.cpp — the earliest first, whatever happens.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <hotseat/platform/clock.hpp>
#include <hotseat/timer/detail/timer_heap.hpp>
#include <random>
#include <vector>

namespace hotseat::detail {
namespace {

using time = platform::clock::time_point;

time at(int ticks) { return time{platform::clock::duration{ticks}}; }

std::vector<timer> timers_due_at(const std::vector<int>& dues) {
  std::vector<timer> result(dues.size());
  for (std::size_t i = 0; i < dues.size(); ++i) result[i].due = at(dues[i]);
  return result;
}

std::vector<time> drain(timer_heap& heap) {
  std::vector<time> order;
  while (timer* const t = heap.earliest()) {
    order.push_back(t->due);
    heap.remove(*t);
  }
  return order;
}

TEST(TimerHeap, starts_empty) { EXPECT_EQ(timer_heap{}.earliest(), nullptr); }

TEST(TimerHeap, H1_the_earliest_comes_first) {
  std::vector<timer> timers = timers_due_at({5, 3, 9, 1, 7, 3});
  timer_heap heap;
  for (timer& t : timers) heap.add(t);
  EXPECT_EQ(drain(heap), (std::vector<time>{at(1), at(3), at(3), at(5), at(7), at(9)}));
}

TEST(TimerHeap, H2_any_timer_can_be_taken_out) {
  for (std::size_t removed = 0; removed < 6; ++removed) {
    std::vector<timer> timers = timers_due_at({5, 3, 9, 1, 7, 4});
    timer_heap heap;
    for (timer& t : timers) heap.add(t);
    heap.remove(*heap.earliest());  // So that the heap has some depth.
    heap.add(timers[3]);
    heap.remove(timers[removed]);
    const std::vector<time> order = drain(heap);
    EXPECT_EQ(order.size(), 5U);
    EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
    EXPECT_EQ(std::count(order.begin(), order.end(), timers[removed].due), 0);
  }
}

TEST(TimerHeap, a_timer_can_be_added_again) {
  timer t;
  timer_heap heap;
  for (int i = 0; i < 3; ++i) {
    heap.add(t);
    EXPECT_EQ(heap.earliest(), &t);
    heap.remove(t);
    EXPECT_EQ(heap.earliest(), nullptr);
  }
}

TEST(TimerHeap, agrees_with_a_sorted_list_over_many_random_steps) {
  std::mt19937 random{42};
  std::vector<timer> timers(200);
  std::vector<timer*> inside;
  timer_heap heap;
  for (int step = 0; step < 20'000; ++step) {
    timer& t = timers[random() % timers.size()];
    const auto found = std::find(inside.begin(), inside.end(), &t);
    if (found == inside.end()) {
      t.due = at(static_cast<int>(random() % 1000));
      heap.add(t);
      inside.push_back(&t);
    } else {
      heap.remove(t);
      inside.erase(found);
    }
    const auto earliest =
        std::min_element(inside.begin(), inside.end(),
                         [](const timer* a, const timer* b) { return a->due < b->due; });
    if (earliest == inside.end()) {
      ASSERT_EQ(heap.earliest(), nullptr);
    } else {
      ASSERT_EQ(heap.earliest()->due, (*earliest)->due);
    }
  }
}

TEST(TimerHeap, a_hundred_thousand_siblings_take_no_stack) {
  std::vector<timer> timers(100'000);
  timer_heap heap;
  for (std::size_t i = 0; i < timers.size(); ++i) {
    timers[i].due = at(i == 0 ? 0 : static_cast<int>(i));
    heap.add(timers[i]);
  }
  heap.remove(timers[0]);
  EXPECT_EQ(heap.earliest(), &timers[1]);
}

}  // namespace
}  // namespace hotseat::detail
