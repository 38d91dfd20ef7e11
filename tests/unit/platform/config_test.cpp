// hotseat/tests/unit/platform/config_test.cpp — the facts agree with the compiler, and
// padded objects share no line.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <hotseat/platform/config.hpp>
#include <memory>
#include <string_view>

namespace hotseat {
namespace {

constexpr std::string_view atomic_header = HOTSEAT_MACHINE_HEADER(atomic.hpp);

TEST(Config, the_machine_names_a_folder_of_headers) {
  EXPECT_EQ(atomic_header, "hotseat/platform/real/atomic.hpp");
}

TEST(Config, invariants_are_checked_unless_the_build_is_a_release) {
#ifdef NDEBUG
  EXPECT_FALSE(config::checks_invariants);
#else
  EXPECT_TRUE(config::checks_invariants);
#endif
}

TEST(Config, frames_are_not_recycled_under_address_sanitizer) {
  EXPECT_EQ(config::recycles_frames, !config::sanitizes_address);
}

TEST(Config, fences_are_symmetric_under_thread_sanitizer) {
  EXPECT_EQ(config::asymmetric_fences, !config::sanitizes_thread);
}

TEST(Config, a_program_has_one_sanitizer_at_most) {
  EXPECT_FALSE(config::sanitizes_thread && config::sanitizes_address);
}

TEST(Config, timelines_are_recorded_where_time_is_real_unless_they_are_left_out) {
  EXPECT_EQ(config::records_traces, config::is_real_machine && HOTSEAT_WITH_TRACE != 0);
}

TEST(Config, only_clang_promises_a_transfer_without_stack) {
#ifdef __clang__
  EXPECT_TRUE(config::transfers_without_stack);
#else
  EXPECT_FALSE(config::transfers_without_stack);
#endif
}

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
