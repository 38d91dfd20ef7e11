// hotseat/tests/unit/sync/ring_buffer_test.cpp — the buffered values of a channel.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <hotseat/sync/detail/ring_buffer.hpp>
#include <memory>
#include <new>
#include <support/counted_new.hpp>
#include <utility>

namespace hotseat::detail {
namespace {

TEST(RingBuffer, starts_empty) {
  const ring_buffer<int> buffer{3};
  EXPECT_TRUE(buffer.is_empty());
  EXPECT_FALSE(buffer.is_full());
  EXPECT_EQ(buffer.size(), 0U);
  EXPECT_EQ(buffer.capacity(), 3U);
}

TEST(RingBuffer, one_without_room_is_empty_and_full) {
  const ring_buffer<int> buffer{0};
  EXPECT_TRUE(buffer.is_empty());
  EXPECT_TRUE(buffer.is_full());
}

TEST(RingBuffer, B1_the_values_go_around_in_order) {
  for (const std::size_t capacity : {1U, 2U, 3U, 5U}) {
    ring_buffer<std::size_t> buffer{capacity};
    std::size_t pushed = 0;
    std::size_t popped = 0;
    // Every number of values at every position in the ring.
    for (std::size_t round = 0; round < 4 * capacity; ++round) {
      const std::size_t fill = round % capacity + 1;
      while (buffer.size() < fill) buffer.push_back(std::size_t{pushed++});
      EXPECT_EQ(buffer.is_full(), fill == capacity);
      for (std::size_t i = 0; i < fill; ++i) {
        ASSERT_EQ(buffer.front(), popped++);
        buffer.drop_front();
      }
      EXPECT_TRUE(buffer.is_empty());
    }
  }
}

TEST(RingBuffer, B1_other_slots_hold_no_object) {
  const auto shared = std::make_shared<int>(1);
  {
    ring_buffer<std::shared_ptr<int>> buffer{4};
    for (int i = 0; i < 3; ++i) buffer.push_back(std::shared_ptr<int>{shared});
    EXPECT_EQ(shared.use_count(), 4);
    buffer.drop_front();
    EXPECT_EQ(shared.use_count(), 3);
    for (int i = 0; i < 2; ++i) buffer.push_back(std::shared_ptr<int>{shared});
    EXPECT_EQ(shared.use_count(), 5) << "it has gone around the end";
  }
  EXPECT_EQ(shared.use_count(), 1);
}

TEST(RingBuffer, another_one_takes_over_all_values) {
  const auto shared = std::make_shared<int>(1);
  ring_buffer<std::shared_ptr<int>> buffer{3};
  for (int i = 0; i < 3; ++i) buffer.push_back(std::shared_ptr<int>{shared});
  buffer.drop_front();
  buffer.push_back(std::make_shared<int>(2));  // It has wrapped around the end.
  {
    ring_buffer<std::shared_ptr<int>> taken{buffer, take_over_t{}};
    EXPECT_TRUE(buffer.is_empty());
    EXPECT_EQ(buffer.capacity(), 3U);
    EXPECT_EQ(taken.size(), 3U);
    EXPECT_EQ(taken.front(), shared);
    taken.drop_front();
    taken.drop_front();
    EXPECT_EQ(*taken.front(), 2);
    EXPECT_EQ(shared.use_count(), 1);
  }
  ring_buffer<int> without_room{0};
  EXPECT_TRUE((ring_buffer<int>{without_room, take_over_t{}}.is_empty()));
}

TEST(RingBuffer, holds_what_can_only_be_moved) {
  ring_buffer<std::unique_ptr<int>> buffer{1};
  buffer.push_back(std::make_unique<int>(7));
  const std::unique_ptr<int> value = std::move(buffer.front());
  buffer.drop_front();
  EXPECT_EQ(*value, 7);
}

TEST(RingBuffer, respects_the_alignment_of_its_values) {
  struct alignas(64) line {
    int value = 0;
  };
  ring_buffer<line> buffer{2};
  buffer.push_back(line{});
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&buffer.front()) % 64, 0U);
}

TEST(RingBuffer, allocates_once_or_throws) {
  ring_buffer<int> buffer{100};
  const std::uint64_t before = testing::allocations();
  for (int i = 0; i < 100; ++i) buffer.push_back(int{i});
  EXPECT_EQ(testing::allocations(), before);
  EXPECT_THROW(ring_buffer<int>{SIZE_MAX / 2}, std::bad_alloc);
}

}  // namespace
}  // namespace hotseat::detail
