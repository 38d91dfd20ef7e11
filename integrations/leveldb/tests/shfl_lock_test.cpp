// hotseat/rebound/tests/shfl_lock_test.cpp — the order of waiters, on nodes of our choice.
#include <hotseat/rebound/shfl_lock.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <thread>
#include <vector>

namespace hotseat::rebound {
namespace {

/// A machine whose threads state which node they are on.
struct synthetic_nodes {
  static inline thread_local unsigned of_this_thread = 0;
  static unsigned here() noexcept { return of_this_thread; }
};
using synthetic_lock = shfl_lock<synthetic_nodes>;

}  // namespace

/// A queue of waiters that stand still, so that each step of the shuffler can be inspected.
struct shfl_lock_probe {
  using place = synthetic_lock::place;

  synthetic_lock lock;
  std::deque<place> waiters;

  explicit shfl_lock_probe(const std::vector<unsigned>& nodes) {
    lock.lock();
    for (const unsigned node : nodes) {
      synthetic_nodes::of_this_thread = node;
      place& arrived = waiters.emplace_back();
      if (place* const ahead = lock.tail_.exchange(&arrived)) ahead->next = &arrived;
    }
  }

  /// The waiters' arrival numbers, in the order of the queue.
  [[nodiscard]] std::vector<std::size_t> order() {
    std::vector<std::size_t> numbers;
    for (place* each = &waiters.front(); each != nullptr; each = each->next) {
      numbers.push_back(number_of(*each));
    }
    return numbers;
  }

  /// The number of the shuffler; SIZE_MAX if there is none.
  [[nodiscard]] std::size_t shuffler() {
    std::size_t found = SIZE_MAX;
    for (place& each : waiters) {
      if (!each.is_shuffler) continue;
      EXPECT_EQ(found, SIZE_MAX) << "S1: two of them";
      found = number_of(each);
    }
    return found;
  }

  void shuffle(std::size_t who) { lock.shuffle(waiters[who]); }
  void set_row(std::size_t who, std::uint32_t length) { waiters[who].in_a_row = length; }
  void free_the_word_for(std::size_t who) {
    waiters[who].is_first = true;
    lock.unlock();
  }

 private:
  std::size_t number_of(const place& whom) {
    std::size_t number = 0;
    while (&waiters[number] != &whom) ++number;
    return number;
  }
};

namespace {

using numbers = std::vector<std::size_t>;

TEST(ShflLock, waiters_of_the_shufflers_node_come_first_in_order_of_arrival) {
  shfl_lock_probe queue{{0, 1, 0, 1, 1, 0, 1}};
  queue.shuffle(0);
  EXPECT_EQ(queue.order(), (numbers{0, 2, 5, 1, 3, 4, 6}));
}

TEST(ShflLock, S1_the_last_one_that_was_moved_shuffles_next) {
  shfl_lock_probe queue{{0, 1, 0, 1, 0, 1}};
  queue.shuffle(0);
  EXPECT_EQ(queue.shuffler(), 4U);
}

TEST(ShflLock, S1_a_shuffler_who_finds_nobody_stays_so) {
  shfl_lock_probe queue{{0, 1, 1, 1}};
  queue.shuffle(0);
  EXPECT_EQ(queue.order(), (numbers{0, 1, 2, 3}));
  EXPECT_EQ(queue.shuffler(), 0U);
}

TEST(ShflLock, S2_the_tail_stays) {
  shfl_lock_probe queue{{0, 1, 0}};
  queue.shuffle(0);
  EXPECT_EQ(queue.order(), (numbers{0, 1, 2}));
}

TEST(ShflLock, S3_a_row_ends) {
  shfl_lock_probe queue{{0, 1, 0, 1, 0, 1}};
  queue.set_row(0, synthetic_lock::most_in_a_row - 1);
  queue.shuffle(0);
  EXPECT_EQ(queue.order(), (numbers{0, 2, 1, 3, 4, 5}));
  ASSERT_EQ(queue.shuffler(), 2U);
  queue.shuffle(2);
  EXPECT_EQ(queue.order(), (numbers{0, 2, 1, 3, 4, 5}));
  EXPECT_EQ(queue.shuffler(), SIZE_MAX);
}

TEST(ShflLock, four_nodes_are_grouped_one_after_the_other) {
  shfl_lock_probe queue{{0, 1, 2, 3, 0, 1, 2, 3, 9}};
  queue.shuffle(0);
  EXPECT_EQ(queue.order(), (numbers{0, 4, 1, 2, 3, 5, 6, 7, 8}));
  queue.shuffle(1);  // It is first once 0 and 4 have left.
  EXPECT_EQ(queue.order(), (numbers{0, 4, 1, 5, 2, 3, 6, 7, 8}));
}

TEST(ShflLock, the_first_waiter_does_not_shuffle_when_the_lock_is_free) {
  shfl_lock_probe queue{{0, 1, 0, 1}};
  queue.free_the_word_for(0);
  queue.shuffle(0);
  EXPECT_EQ(queue.order(), (numbers{0, 1, 2, 3}));
}

TEST(ShflLock, nobody_is_lost_on_four_nodes) {
  synthetic_lock lock;
  std::uint64_t sections = 0;
  {
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < 8; ++i) {
      threads.emplace_back([&lock, &sections, i] {
        synthetic_nodes::of_this_thread = i % 4;
        for (int turn = 0; turn < 2000; ++turn) {
          lock.lock();
          ++sections;
          lock.unlock();
        }
      });
    }
  }
  EXPECT_EQ(sections, 16'000U);
}

}  // namespace
}  // namespace hotseat::rebound
