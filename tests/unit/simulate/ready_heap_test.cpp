// hotseat/tests/unit/simulate/ready_heap_test.cpp — which thread is furthest behind.
#include <platform/simulated/ready_heap.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <random>
#include <utility>
#include <vector>

namespace hotseat::platform::simulated {
namespace {

TEST(ReadyHeap, an_empty_heap_has_no_earliest_clock) {
  const ready_heap heap;
  EXPECT_TRUE(heap.is_empty());
  EXPECT_GT(heap.earliest(), duration{1} << 60);
}

TEST(ReadyHeap, equal_clocks_go_by_number) {
  std::array<virtual_thread, 5> threads;
  ready_heap heap;
  for (const unsigned i : {3U, 1U, 4U, 0U, 2U}) {
    threads[i].id = i;
    threads[i].clock = 7;
    heap.push(threads[i]);
  }
  for (unsigned i = 0; i < 5; ++i) EXPECT_EQ(heap.pop().id, i);
}

TEST(ReadyHeap, removing_one_that_is_not_there_does_nothing) {
  virtual_thread in;
  virtual_thread out;
  ready_heap heap;
  heap.push(in);
  heap.remove(out);
  EXPECT_FALSE(heap.is_empty());
  heap.remove(in);
  heap.remove(in);
  EXPECT_TRUE(heap.is_empty());
}

TEST(ReadyHeap, is_in_order_whatever_comes_and_goes) {
  std::mt19937 random{1};
  std::vector<virtual_thread> threads(300);
  std::vector<virtual_thread*> inside;
  ready_heap heap;
  for (unsigned i = 0; i < threads.size(); ++i) threads[i].id = i;
  const auto is_before = [](const virtual_thread* a, const virtual_thread* b) {
    return std::pair{a->clock, a->id} < std::pair{b->clock, b->id};
  };
  for (int step = 0; step < 20'000; ++step) {
    virtual_thread& any = threads[random() % threads.size()];
    if (any.place == virtual_thread::nowhere) {
      any.clock = static_cast<duration>(random() % 1000);
      heap.push(any);
      inside.push_back(&any);
    } else if (random() % 2 == 0) {
      heap.remove(any);
      std::erase(inside, &any);
    } else {
      virtual_thread* const expected = *std::ranges::min_element(inside, is_before);
      ASSERT_EQ(heap.earliest(), expected->clock);
      ASSERT_EQ(&heap.pop(), expected);
      std::erase(inside, expected);
    }
    ASSERT_EQ(heap.is_empty(), inside.empty());
  }
}

}  // namespace
}  // namespace hotseat::platform::simulated
