// hotseat/tests/unit/runtime/bwos_block_test.cpp — one block: which side may access which
// slot, and when.  Layer: runtime.  The invariants B1 to B4 are those of bwos_block.hpp.
#include <hotseat/runtime/detail/bwos_block.hpp>
#include <support/bwos_items.hpp>

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace hotseat::detail {
namespace {

using testing::item;
using testing::numbers;
using testing::to_item;
using testing::to_number;

/// A block with its slots.
template <std::uint32_t Size>
struct owned_block : bwos_block {
  owned_block() { bind(slots.data(), Size); }

  void push(std::uintptr_t first, std::uintptr_t last) {
    for (std::uintptr_t n = first; n <= last; ++n) push_back(to_item(n));
  }
  numbers pop_all_from_the_front() {
    numbers result;
    while (has_private()) result.push_back(to_number(pop_front()));
    return result;
  }
  numbers steal(std::uint32_t most, bool whole) {
    const claim mine = try_claim(most, whole);
    const numbers result = read_all(mine);
    if (mine.count != 0) finish(mine);
    return result;
  }
  numbers read_all(const claim& mine) {
    numbers result;
    for (std::uint32_t i = 0; i < mine.count; ++i) {
      result.push_back(to_number(read(mine.first + i)));
    }
    return result;
  }

  std::array<platform::var<item>, Size> slots{};
};

TEST(BwosBlock, a_new_block_is_empty_and_quiet) {
  owned_block<4> block;
  EXPECT_FALSE(block.is_full());
  EXPECT_FALSE(block.has_private());
  EXPECT_FALSE(block.has_shared());
  EXPECT_FALSE(block.is_granted());
  EXPECT_TRUE(block.is_quiet());
  EXPECT_EQ(block.room(), 4U);
  EXPECT_EQ(block.peek_front(), nullptr);
}

TEST(BwosBlock, the_owner_takes_from_either_end) {
  owned_block<4> block;
  block.push(1, 4);
  EXPECT_TRUE(block.is_full());
  EXPECT_EQ(block.room(), 0U);
  EXPECT_EQ(block.pop_back(), to_item(4));
  EXPECT_EQ(block.peek_front(), to_item(1));
  EXPECT_EQ(block.pop_front(), to_item(1));
  EXPECT_EQ(block.pop_back(), to_item(3));
  EXPECT_EQ(block.pop_back(), to_item(2));
  EXPECT_FALSE(block.has_private());
}

TEST(BwosBlock, a_thief_finds_nothing_in_what_is_private) {
  owned_block<4> block;
  block.push(1, 4);
  EXPECT_EQ(block.try_claim(4, true).count, 0U);
  EXPECT_EQ(block.pop_all_from_the_front(), (numbers{1, 2, 3, 4}));
}

TEST(BwosBlock, a_grant_opens_all_that_was_private) {
  owned_block<4> block;
  block.push(1, 3);
  block.grant();
  EXPECT_FALSE(block.has_private());
  EXPECT_TRUE(block.has_shared());
  EXPECT_TRUE(block.is_granted());
  EXPECT_EQ(block.steal(4, true), (numbers{1, 2, 3}));
  EXPECT_FALSE(block.has_shared());
}

TEST(BwosBlock, a_thief_gets_half_rounded_up_or_all_but_never_more_than_it_wants) {
  const auto stolen = [](std::uint32_t filled, std::uint32_t most, bool whole) {
    owned_block<8> block;
    block.push(1, filled);
    block.grant();
    return block.steal(most, whole).size();
  };
  EXPECT_EQ(stolen(8, 64, false), 4U);
  EXPECT_EQ(stolen(7, 64, false), 4U);
  EXPECT_EQ(stolen(1, 64, false), 1U);
  EXPECT_EQ(stolen(8, 64, true), 8U);
  EXPECT_EQ(stolen(8, 3, false), 3U);
  EXPECT_EQ(stolen(8, 3, true), 3U);
  EXPECT_EQ(stolen(8, 1, true), 1U);
}

TEST(BwosBlock, thieves_take_the_oldest_first) {
  owned_block<8> block;
  block.push(1, 8);
  block.grant();
  EXPECT_EQ(block.steal(64, false), (numbers{1, 2, 3, 4}));
  EXPECT_EQ(block.steal(64, false), (numbers{5, 6}));
  EXPECT_EQ(block.steal(64, false), (numbers{7}));
  EXPECT_EQ(block.steal(64, false), (numbers{8}));
  EXPECT_EQ(block.steal(64, false), (numbers{}));
}

TEST(BwosBlock, reclaiming_brings_back_what_thieves_have_left) {
  owned_block<8> block;
  block.push(1, 8);
  block.grant();
  EXPECT_EQ(block.steal(3, true), (numbers{1, 2, 3}));
  block.reclaim();
  EXPECT_FALSE(block.is_granted());
  EXPECT_FALSE(block.has_shared());
  EXPECT_EQ(block.try_claim(8, true).count, 0U);
  EXPECT_EQ(block.pop_all_from_the_front(), (numbers{4, 5, 6, 7, 8}));
}

TEST(BwosBlock, reclaiming_what_was_taken_completely_brings_nothing) {
  owned_block<4> block;
  block.push(1, 4);
  block.grant();
  EXPECT_EQ(block.steal(4, true), (numbers{1, 2, 3, 4}));
  block.reclaim();
  EXPECT_FALSE(block.is_granted());
  EXPECT_FALSE(block.has_private());
  EXPECT_TRUE(block.is_full());
  EXPECT_TRUE(block.is_quiet());
}

TEST(BwosBlock, the_owner_takes_the_newest_of_what_is_shared_and_leaves_the_rest) {
  owned_block<8> block;
  block.push(1, 4);
  block.grant();
  EXPECT_EQ(block.take_shared(), to_item(4));
  EXPECT_TRUE(block.has_shared());
  EXPECT_FALSE(block.has_private());
  EXPECT_EQ(block.steal(2, true), (numbers{1, 2}));
  EXPECT_EQ(block.take_shared(), to_item(3));
  EXPECT_EQ(block.take_shared(), nullptr);
  EXPECT_FALSE(block.has_shared());
  EXPECT_TRUE(block.is_quiet());
}

TEST(BwosBlock, a_new_life_starts_at_slot_zero) {
  owned_block<2> block;
  for (std::uintptr_t life = 0; life < 100; ++life) {
    block.push(2 * life + 1, 2 * life + 2);
    block.grant();
    EXPECT_EQ(block.steal(1, true), (numbers{2 * life + 1}));
    block.reclaim();
    EXPECT_EQ(block.pop_back(), to_item(2 * life + 2));
    ASSERT_TRUE(block.is_quiet());
    block.reset();
    EXPECT_EQ(block.room(), 2U);
  }
}

TEST(BwosBlock, the_largest_block_fits_into_the_word) {
  constexpr std::uint32_t size = 32768;
  std::vector<platform::var<item>> slots(size);
  bwos_block block;
  block.bind(slots.data(), size);
  for (std::uintptr_t n = 1; n <= size; ++n) block.push_back(to_item(n));
  block.grant();
  const claim most = block.try_claim(size - 1, true);
  EXPECT_EQ(most.count, size - 1);
  const claim last = block.try_claim(size, true);
  EXPECT_EQ(last.first, size - 1);
  EXPECT_EQ(last.count, 1U);
  EXPECT_EQ(block.read(last.first), to_item(size));
  EXPECT_FALSE(block.has_shared());
  block.finish(most);
  block.finish(last);
  EXPECT_TRUE(block.is_quiet());
}

TEST(BwosBlock, B1_shared_and_private_are_neighbours) {
  owned_block<8> block;
  block.push(1, 3);
  block.grant();
  block.push(4, 6);
  EXPECT_EQ(block.steal(1, true), (numbers{1}));
  block.reclaim();
  // No gap and no overlap where the parts met.
  EXPECT_EQ(block.pop_all_from_the_front(), (numbers{2, 3, 4, 5, 6}));
}

TEST(BwosBlock, B1_holds_when_the_owner_pops_behind_the_shared_part) {
  owned_block<8> block;
  block.push(1, 3);
  block.grant();
  block.push(4, 5);
  EXPECT_EQ(block.pop_back(), to_item(5));
  EXPECT_EQ(block.pop_back(), to_item(4));
  EXPECT_FALSE(block.has_private());
  block.reclaim();
  EXPECT_EQ(block.pop_back(), to_item(3));
  block.push(6, 6);
  EXPECT_EQ(block.pop_all_from_the_front(), (numbers{1, 2, 6}));
}

TEST(BwosBlock, B1_holds_when_the_owner_takes_from_the_shared_part) {
  owned_block<8> block;
  block.push(1, 3);
  block.grant();
  EXPECT_EQ(block.take_shared(), to_item(3));
  block.push(4, 5);
  EXPECT_EQ(block.pop_back(), to_item(5));
  block.share();
  EXPECT_FALSE(block.has_private());
  EXPECT_EQ(block.steal(8, true), (numbers{1, 2, 4}));
}

TEST(BwosBlock, B2_thieves_leave_the_word_alone_when_nothing_is_shared) {
  owned_block<4> block;
  block.push(1, 2);
  block.grant();
  EXPECT_EQ(block.steal(2, true), (numbers{1, 2}));
  for (int i = 0; i < 10; ++i) EXPECT_EQ(block.try_claim(4, true).count, 0U);
  // Had one of them moved the index, the next grant would count it as a claim, and the
  // block would never be quiet.
  block.push(3, 4);
  block.grant();
  EXPECT_EQ(block.steal(4, true), (numbers{3, 4}));
  EXPECT_TRUE(block.is_quiet());
}

// The owner grants and reclaims the same slots with new items each time, so the word is the
// same in each life.  A claim yields an item of the life in which it succeeds, once.
TEST(BwosBlock, B3_a_claim_on_the_word_of_an_earlier_life_gets_what_is_shared_now) {
  constexpr std::uintptr_t lives = 100'000;
  owned_block<2> block;
  std::vector<std::atomic<unsigned char>> taken(2 * lives + 1);
  std::atomic<bool> is_over{false};
  std::thread thief{[&] {
    while (!is_over.load(std::memory_order_relaxed)) {
      const claim mine = block.try_claim(1, false);
      if (mine.count == 0) {
        std::this_thread::yield();
        continue;
      }
      taken[to_number(block.read(mine.first))].fetch_add(1, std::memory_order_relaxed);
      block.finish(mine);
    }
  }};
  for (std::uintptr_t life = 0; life < lives; ++life) {
    block.push(2 * life + 1, 2 * life + 2);
    block.grant();
    std::this_thread::yield();
    block.reclaim();
    for (const std::uintptr_t n : block.pop_all_from_the_front()) {
      taken[n].fetch_add(1, std::memory_order_relaxed);
    }
    while (!block.is_quiet()) std::this_thread::yield();
    block.reset();
  }
  is_over = true;
  thief.join();
  for (std::uintptr_t n = 1; n <= 2 * lives; ++n) ASSERT_EQ(taken[n], 1) << "item " << n;
}

// The owner takes and shares repeatedly, so that the word returns to former values.
TEST(BwosBlock, B3_a_claim_on_a_word_that_came_back_gets_what_is_shared_now) {
  constexpr std::uintptr_t rounds = 200'000;
  owned_block<4> block;
  std::vector<std::atomic<int>> seen(rounds + 1);
  std::atomic<bool> is_over{false};
  std::thread thief{[&] {
    while (!is_over.load()) {
      for (const std::uintptr_t n : block.steal(1, true)) seen[n].fetch_add(1);
    }
  }};
  for (std::uintptr_t n = 1; n <= rounds; ++n) {
    while (block.is_full()) {
      if (block.is_quiet()) block.reset();
    }
    block.push(n, n);
    block.share();
    if (n % 2 == 0) continue;
    if (const item newest = block.take_shared()) seen[to_number(newest)].fetch_add(1);
  }
  while (const item newest = block.take_shared()) seen[to_number(newest)].fetch_add(1);
  is_over.store(true);
  thief.join();
  for (std::uintptr_t n = 1; n <= rounds; ++n) ASSERT_EQ(seen[n].load(), 1) << "item " << n;
}

TEST(BwosBlock, B4_what_the_owner_takes_is_not_counted_as_a_claim) {
  owned_block<4> block;
  block.push(1, 4);
  block.grant();
  const claim mine = block.try_claim(1, true);
  EXPECT_EQ(block.take_shared(), to_item(4));
  EXPECT_EQ(block.take_shared(), to_item(3));
  block.push(5, 5);
  block.share();
  EXPECT_EQ(block.take_shared(), to_item(5));
  EXPECT_EQ(block.take_shared(), to_item(2));
  EXPECT_FALSE(block.is_quiet()) << "the thief is still reading";
  EXPECT_EQ(block.read_all(mine), (numbers{1}));
  block.finish(mine);
  EXPECT_TRUE(block.is_quiet());
}

TEST(BwosBlock, B4_a_block_is_not_quiet_while_a_thief_is_reading) {
  owned_block<4> block;
  block.push(1, 4);
  block.grant();
  const claim first = block.try_claim(2, true);
  const claim second = block.try_claim(2, true);
  EXPECT_EQ(first.count + second.count, 4U);
  EXPECT_FALSE(block.has_shared());
  EXPECT_FALSE(block.is_quiet());
  EXPECT_EQ(block.read_all(second), (numbers{3, 4}));
  block.finish(second);
  EXPECT_FALSE(block.is_quiet());
  EXPECT_EQ(block.read_all(first), (numbers{1, 2}));
  block.finish(first);
  EXPECT_TRUE(block.is_quiet());
}

TEST(BwosBlock, B4_claims_of_all_grants_of_one_life_are_counted) {
  owned_block<6> block;
  block.push(1, 2);
  block.grant();
  const claim first = block.try_claim(1, true);
  block.reclaim();
  block.push(3, 4);
  block.grant();
  const claim second = block.try_claim(2, true);
  block.reclaim();
  EXPECT_EQ(block.pop_all_from_the_front(), (numbers{4}));
  EXPECT_FALSE(block.is_quiet());
  block.finish(first);
  EXPECT_FALSE(block.is_quiet());
  block.finish(second);
  EXPECT_TRUE(block.is_quiet());
}

TEST(BwosBlock, B4_the_slots_of_an_unfinished_claim_survive_what_the_owner_does_above_it) {
  owned_block<4> block;
  block.push(1, 2);
  block.grant();
  const claim mine = block.try_claim(2, true);
  block.reclaim();
  block.push(3, 4);
  EXPECT_EQ(block.pop_back(), to_item(4));
  EXPECT_EQ(block.pop_back(), to_item(3));
  block.push(5, 6);
  EXPECT_TRUE(block.is_full());
  EXPECT_EQ(block.read_all(mine), (numbers{1, 2}));
}

}  // namespace
}  // namespace hotseat::detail
