// hotseat/tests/unit/runtime/bwos_queue_test.cpp — a worker's queue, in all shapes.
// Layer: runtime.  Invariants Q1 to Q4 are those of bwos_queue.hpp.  With real threads:
// tests/stress/bwos_queue_stress.cpp.
#include <hotseat/platform/config.hpp>
#include <hotseat/platform/memory.hpp>
#include <hotseat/runtime/detail/bwos_queue.hpp>
#include <support/bwos_items.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <ostream>
#include <random>
#include <vector>

namespace hotseat::detail {
namespace {

using testing::item;
using testing::numbers;
using testing::to_item;
using testing::to_number;

numbers range(std::uintptr_t first, std::uintptr_t last) {
  numbers result;
  for (std::uintptr_t n = first; n <= last; ++n) result.push_back(n);
  return result;
}

/// A queue with its memory.
class owned_queue {
 public:
  owned_queue(std::uint32_t size, std::uint32_t count, queue_order order)
      : memory_{platform::allocate_pages(bwos_queue::storage_bytes(size, count))},
        queue_{memory_.get(), size, count, order} {}

  bwos_queue* operator->() { return &queue_; }

  /// Pushes the numbers from `first` to `last`; returns how many fitted.
  std::size_t push(std::uintptr_t first, std::uintptr_t last) {
    std::size_t pushed = 0;
    for (std::uintptr_t n = first; n <= last && queue_.push(to_item(n)); ++n) ++pushed;
    return pushed;
  }
  std::uintptr_t pop() { return to_number(queue_.pop()); }
  numbers pop_all() {
    numbers result;
    while (const item what = queue_.pop()) result.push_back(to_number(what));
    return result;
  }
  numbers steal(std::size_t most = 64) {
    std::vector<item> taken(most);
    const std::size_t count = queue_.steal(taken);
    numbers result;
    for (std::size_t i = 0; i < count; ++i) result.push_back(to_number(taken[i]));
    return result;
  }
  numbers steal_all() {
    numbers result;
    for (numbers some = steal(); !some.empty(); some = steal()) {
      result.insert(result.end(), some.begin(), some.end());
    }
    return result;
  }

 private:
  platform::pages memory_;
  bwos_queue queue_;
};

struct shape {
  std::uint32_t size;
  std::uint32_t count;
  queue_order order;
  [[nodiscard]] std::size_t capacity() const { return std::size_t{size} * count; }
  [[nodiscard]] bool is_fifo() const { return order == queue_order::fifo; }
};

std::ostream& operator<<(std::ostream& out, const shape& s) {
  return out << s.count << "x" << s.size << (s.is_fifo() ? "_fifo" : "_lifo");
}

std::vector<shape> all_shapes() {
  std::vector<shape> result;
  for (const queue_order order : {queue_order::fifo, queue_order::lifo}) {
    for (const std::uint32_t count : {2U, 4U, 64U}) {
      for (const std::uint32_t size : {1U, 2U, 3U, 32U})
        result.push_back({size, count, order});
    }
  }
  return result;
}

class BwosQueue : public ::testing::TestWithParam<shape> {
 protected:
  const shape how = GetParam();
  owned_queue queue{how.size, how.count, how.order};

  numbers in_owners_order(numbers oldest_first) const {
    if (!how.is_fifo()) std::ranges::reverse(oldest_first);
    return oldest_first;
  }
};

INSTANTIATE_TEST_SUITE_P(Shapes, BwosQueue, ::testing::ValuesIn(all_shapes()),
                         [](const auto& param) {
                           return ::testing::PrintToString(param.param);
                         });

TEST_P(BwosQueue, a_new_queue_is_empty) {
  EXPECT_EQ(queue.pop(), 0U);
  EXPECT_EQ(queue->peek(), nullptr);
  EXPECT_FALSE(queue->shows_work());
  EXPECT_FALSE(queue->expose());
  EXPECT_TRUE(queue.steal().empty());
  EXPECT_EQ(queue->room(), how.size);
  EXPECT_EQ(queue->blocks_granted(), 0U);
}

TEST_P(BwosQueue, the_owner_pops_in_its_order) {
  EXPECT_EQ(queue.push(1, how.capacity()), how.capacity());
  EXPECT_EQ(queue.pop_all(), in_owners_order(range(1, how.capacity())));
  EXPECT_EQ(queue.pop(), 0U);
}

TEST_P(BwosQueue, Q1_a_full_ring_refuses_and_keeps_what_it_has) {
  const std::size_t capacity = how.capacity();
  EXPECT_EQ(queue.push(1, capacity + 5), capacity);
  EXPECT_FALSE(queue->push(to_item(999)));
  EXPECT_EQ(queue->room(), 0U);
  EXPECT_EQ(queue.pop_all(), in_owners_order(range(1, capacity)));
}

TEST_P(BwosQueue, Q1_a_ring_that_was_full_takes_as_much_again_and_again) {
  for (int lap = 0; lap < 5; ++lap) {
    ASSERT_EQ(queue.push(1, how.capacity() + 1), how.capacity());
    ASSERT_EQ(queue.pop_all().size(), how.capacity());
  }
}

TEST_P(BwosQueue, Q1_the_numbers_of_blocks_wrap_around_the_ring) {
  // One item stays inside, so that the front never meets the back in an empty block.
  const std::size_t laps = 3 * how.capacity() + 7;
  if (how.is_fifo()) {
    ASSERT_EQ(queue.push(1, 1), 1U);
    for (std::uintptr_t n = 2; n < laps; ++n) {
      ASSERT_EQ(queue.push(n, n), 1U);
      ASSERT_EQ(queue.pop(), n - 1);
    }
  } else {
    // A LIFO owner moves on only if thieves empty the front.
    for (std::uintptr_t n = 1; n < laps; ++n) {
      ASSERT_EQ(queue.push(n, n), 1U);
      queue->expose();
      ASSERT_EQ(queue.steal(1), (numbers{n}));
    }
  }
}

TEST_P(BwosQueue, Q2_only_the_ends_keep_anything_from_thieves) {
  ASSERT_EQ(queue.push(1, how.capacity()), how.capacity());
  const std::size_t stolen = queue.steal_all().size();
  // A LIFO owner keeps its back block; a FIFO owner also keeps its front block.
  const std::size_t kept = how.is_fifo() ? std::min<std::size_t>(2, how.count) : 1;
  EXPECT_EQ(stolen, (how.count - kept) * how.size);
  EXPECT_EQ(queue.pop_all().size(), kept * how.size);
}

TEST_P(BwosQueue, Q3_what_is_pushed_comes_out_exactly_once) {
  std::vector<int> seen(how.capacity() + 1);
  ASSERT_EQ(queue.push(1, how.capacity()), how.capacity());
  for (bool is_thief = true;; is_thief = !is_thief) {
    if (is_thief) {
      queue->expose();
      for (const std::uintptr_t n : queue.steal(3)) ++seen[n];
    } else if (const std::uintptr_t n = queue.pop()) {
      ++seen[n];
    } else {
      break;
    }
  }
  EXPECT_TRUE(queue.steal().empty());
  for (std::size_t n = 1; n <= how.capacity(); ++n) EXPECT_EQ(seen[n], 1) << "item " << n;
}

TEST_P(BwosQueue, Q4_a_thief_sees_nothing_that_was_not_granted) {
  ASSERT_EQ(queue.push(1, how.size), how.size);
  EXPECT_FALSE(queue->shows_work());
  EXPECT_TRUE(queue.steal().empty());
  EXPECT_EQ(queue.pop_all().size(), how.size);
}

TEST_P(BwosQueue, Q4_old_hints_lead_to_nothing_after_the_owner_took_everything_back) {
  ASSERT_EQ(queue.push(1, how.capacity()), how.capacity());
  queue->expose();
  EXPECT_TRUE(queue->shows_work());
  EXPECT_EQ(queue.pop_all().size(), how.capacity());
  EXPECT_FALSE(queue->shows_work());
  EXPECT_TRUE(queue.steal().empty());
}

TEST_P(BwosQueue, exposing_opens_the_block_that_is_being_filled) {
  ASSERT_EQ(queue.push(1, 1), 1U);
  EXPECT_TRUE(queue->expose());
  EXPECT_EQ(queue->blocks_granted(), 1U);
  EXPECT_TRUE(queue->shows_work());
  EXPECT_FALSE(queue->expose()) << "what was granted is still there";
  EXPECT_EQ(queue->blocks_granted(), 1U);
  EXPECT_EQ(queue.steal(), (numbers{1}));
  EXPECT_FALSE(queue->shows_work());
  EXPECT_FALSE(queue->expose()) << "there is nothing to grant";
  EXPECT_EQ(queue.pop(), 0U);
}

TEST_P(BwosQueue, the_owner_gets_back_what_it_exposed) {
  ASSERT_EQ(queue.push(1, how.capacity()), how.capacity());
  queue->expose();
  EXPECT_EQ(queue.pop_all(), in_owners_order(range(1, how.capacity())));
}

TEST_P(BwosQueue, what_a_lifo_owner_exposed_stays_so_when_it_pops) {
  if (how.is_fifo() || how.size < 3) return;
  ASSERT_EQ(queue.push(1, how.size), how.size);
  queue->expose();
  EXPECT_EQ(queue.pop(), how.size);
  EXPECT_EQ(queue->pop_newest(), to_item(how.size - 1));
  EXPECT_EQ(queue.steal_all(), range(1, how.size - 2));
  EXPECT_EQ(queue.pop(), 0U);
}

TEST_P(BwosQueue, thieves_take_everything_in_order_of_arrival_if_all_is_exposed) {
  ASSERT_EQ(queue.push(1, how.size), how.size);
  queue->expose();
  EXPECT_EQ(queue.steal_all(), range(1, how.size));
  EXPECT_EQ(queue.pop(), 0U);
}

TEST_P(BwosQueue, a_thief_takes_half_of_the_last_block) {
  ASSERT_EQ(queue.push(1, how.size), how.size);
  queue->expose();
  EXPECT_EQ(queue.steal(), range(1, (how.size + 1) / 2));
}

TEST_P(BwosQueue, a_thief_takes_a_whole_block_if_more_lie_behind_it) {
  ASSERT_EQ(queue.push(1, how.size + 1), how.size + 1);
  queue->expose();
  EXPECT_EQ(queue.steal(), range(1, how.size));
  queue->expose();
  EXPECT_EQ(queue.steal(), range(how.size + 1, how.size + 1));
}

TEST_P(BwosQueue, a_thief_never_takes_more_than_it_has_room_for) {
  ASSERT_EQ(queue.push(1, how.size + 1), how.size + 1);
  queue->expose();
  EXPECT_EQ(queue.steal(1), (numbers{1}));
  EXPECT_EQ(queue->steal({}), 0U);
  EXPECT_EQ(queue.pop_all(), in_owners_order(range(2, how.size + 1)));
}

TEST_P(BwosQueue, room_is_what_the_back_block_takes_without_fail) {
  for (std::uint32_t filled = 0; filled <= how.size; ++filled) {
    ASSERT_EQ(queue->room(), how.size - filled);
    if (filled < how.size) ASSERT_EQ(queue.push(1, 1), 1U);
  }
  EXPECT_EQ(queue.pop_all().size(), how.size);
  EXPECT_EQ(queue->room(), how.size) << "an empty block starts again";
}

TEST_P(BwosQueue, peeking_tells_a_fifo_owner_what_comes_next) {
  if (!how.is_fifo()) return;
  ASSERT_EQ(queue.push(1, how.capacity()), how.capacity());
  for (std::uintptr_t n = 1; n <= how.capacity(); ++n) {
    if (const item hint = queue->peek()) ASSERT_EQ(hint, to_item(n));
    ASSERT_EQ(queue.pop(), n);
  }
  EXPECT_EQ(queue->peek(), nullptr);
}

/// Owner and thief, one operation at a time, against a deque that does everything right.
/// The owner always pops in its order.  Thieves take neighbours, oldest first; from a LIFO
/// owner always the oldest of all, since it keeps the newest.
void run_model(const shape& how, std::uint64_t seed, int operations) {
  owned_queue queue{how.size, how.count, how.order};
  std::deque<std::uintptr_t> model;
  std::mt19937_64 random{seed};
  // Phases in which pushes, pops or steals prevail, so that the queue becomes full and
  // empty.
  std::array<unsigned, 4> weights{};
  std::uintptr_t next = 1;
  for (int i = 0; i < operations; ++i) {
    if (i % 64 == 0) {
      for (unsigned& weight : weights) weight = 1 + static_cast<unsigned>(random() % 8);
    }
    const auto dice = random() % (weights[0] + weights[1] + weights[2] + weights[3]);
    if (dice < weights[0]) {
      const std::uint32_t room = random() % 8 == 0 ? queue->room() : 0;
      for (std::uint32_t n = 0; n < std::max(room, 1U); ++n) {
        const bool is_pushed = queue->push(to_item(next));
        ASSERT_TRUE(is_pushed || n >= room) << "room() promised " << room;
        ASSERT_TRUE(is_pushed || !model.empty()) << "an empty queue refused";
        if (is_pushed) model.push_back(next++);
      }
      ASSERT_LE(model.size(), how.capacity());
    } else if (dice < weights[0] + weights[1]) {
      const item hint = how.is_fifo() ? queue->peek() : nullptr;
      const std::uintptr_t got = queue.pop();
      ASSERT_EQ(got == 0, model.empty());
      if (got == 0) continue;
      ASSERT_EQ(got, how.is_fifo() ? model.front() : model.back());
      if (hint != nullptr) ASSERT_EQ(hint, to_item(got));
      how.is_fifo() ? model.pop_front() : model.pop_back();
    } else if (dice < weights[0] + weights[1] + weights[2]) {
      const bool shows_work = queue->shows_work();
      const numbers stolen = queue.steal(1 + random() % 40);
      ASSERT_EQ(stolen.empty(), !shows_work);
      if (stolen.empty()) continue;
      const auto first = std::ranges::find(model, stolen.front());
      ASSERT_TRUE(first != model.end()) << "stole " << stolen.front() << ", which is gone";
      if (!how.is_fifo()) ASSERT_TRUE(first == model.begin());
      ASSERT_LE(stolen.size(), static_cast<std::size_t>(model.end() - first));
      ASSERT_TRUE(std::equal(stolen.begin(), stolen.end(), first));
      model.erase(first, first + static_cast<std::ptrdiff_t>(stolen.size()));
    } else {
      queue->expose();
      ASSERT_EQ(queue->shows_work(), !model.empty());
    }
  }
  numbers rest{model.begin(), model.end()};
  if (!how.is_fifo()) std::ranges::reverse(rest);
  ASSERT_EQ(queue.pop_all(), rest);
}

TEST_P(BwosQueue, behaves_like_a_deque_under_any_sequence_of_operations) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    run_model(how, seed, 1000);
    ASSERT_FALSE(HasFatalFailure()) << "seed " << seed;
  }
}

}  // namespace
}  // namespace hotseat::detail
