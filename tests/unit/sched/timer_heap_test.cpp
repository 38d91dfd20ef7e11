// hotseat/tests/unit/sched/timer_heap_test.cpp — the earliest first, in every case.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sched/detail/timer_heap.hpp>
#include <hotseat/sched/executor.hpp>
#include <random>
#include <vector>

namespace hotseat::detail {
namespace {

using alarm = alarm_clock::alarm;
using time_point = platform::clock::time_point;

time_point at(int ticks) { return time_point{platform::clock::duration{ticks}}; }

std::vector<alarm> alarms_due_at(const std::vector<int>& dues) {
  std::vector<alarm> result(dues.size());
  for (std::size_t i = 0; i < dues.size(); ++i) result[i].due = at(dues[i]);
  return result;
}

std::vector<time_point> drain(timer_heap& heap) {
  std::vector<time_point> order;
  while (alarm* const t = heap.earliest()) {
    order.push_back(t->due);
    heap.remove(*t);
  }
  return order;
}

TEST(TimerHeap, starts_empty) { EXPECT_EQ(timer_heap{}.earliest(), nullptr); }

TEST(TimerHeap, H1_the_earliest_comes_first) {
  std::vector<alarm> alarms = alarms_due_at({5, 3, 9, 1, 7, 3});
  timer_heap heap;
  for (alarm& t : alarms) heap.add(t);
  EXPECT_EQ(drain(heap),
            (std::vector<time_point>{at(1), at(3), at(3), at(5), at(7), at(9)}));
}

TEST(TimerHeap, H2_any_alarm_can_be_taken_out) {
  for (std::size_t removed = 0; removed < 6; ++removed) {
    std::vector<alarm> alarms = alarms_due_at({5, 3, 9, 1, 7, 4});
    timer_heap heap;
    for (alarm& t : alarms) heap.add(t);
    heap.remove(*heap.earliest());  // So that the heap has some depth.
    heap.add(alarms[3]);
    heap.remove(alarms[removed]);
    const std::vector<time_point> order = drain(heap);
    EXPECT_EQ(order.size(), 5U);
    EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
    EXPECT_EQ(std::count(order.begin(), order.end(), alarms[removed].due), 0);
  }
}

TEST(TimerHeap, an_alarm_can_be_added_again) {
  alarm t;
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
  std::vector<alarm> alarms(200);
  std::vector<alarm*> inside;
  timer_heap heap;
  for (int step = 0; step < 20'000; ++step) {
    alarm& t = alarms[random() % alarms.size()];
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
                         [](const alarm* a, const alarm* b) { return a->due < b->due; });
    if (earliest == inside.end()) {
      ASSERT_EQ(heap.earliest(), nullptr);
    } else {
      ASSERT_EQ(heap.earliest()->due, (*earliest)->due);
    }
  }
}

TEST(TimerHeap, a_hundred_thousand_siblings_take_no_stack) {
  std::vector<alarm> alarms(100'000);
  timer_heap heap;
  for (std::size_t i = 0; i < alarms.size(); ++i) {
    alarms[i].due = at(i == 0 ? 0 : static_cast<int>(i));
    heap.add(alarms[i]);
  }
  heap.remove(alarms[0]);
  EXPECT_EQ(heap.earliest(), &alarms[1]);
}

}  // namespace
}  // namespace hotseat::detail
