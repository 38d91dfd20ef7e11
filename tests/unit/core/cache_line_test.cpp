// hotseat/tests/unit/core/cache_line_test.cpp — what is padded shares no line.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <hotseat/core/cache_line.hpp>
#include <memory>

namespace hotseat {
namespace {

static_assert(cache_line_pair == 2 * cache_line);
static_assert(sizeof(padded<char>) == cache_line);
static_assert(alignof(padded<char>) == cache_line);
static_assert(sizeof(padded<std::array<char, cache_line + 1>>) == 2 * cache_line);

std::uintptr_t line_of(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address) / cache_line;
}

TEST(CacheLine, neighbours_in_an_array_share_no_line) {
  std::array<padded<int>, 4> values{};
  for (std::size_t i = 1; i < values.size(); ++i) {
    EXPECT_NE(line_of(&values[i - 1]), line_of(&values[i]));
  }
}

TEST(CacheLine, the_heap_aligns_what_is_padded) {
  const auto value = std::make_unique<padded<int>>();
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(value.get()) % cache_line, 0U);
}

TEST(CacheLine, what_is_padded_starts_at_zero) {
  const padded<int> value;
  EXPECT_EQ(value.value, 0);
}

}  // namespace
}  // namespace hotseat
