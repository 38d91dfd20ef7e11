// hotseat/tests/unit/runtime/stats_test.cpp — counters add up, chains do not.
// Layer: runtime.  What the workers count: worker_test.cpp, thread_pool_test.cpp.
#include <hotseat/runtime/stats.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace hotseat {
namespace {

constexpr std::size_t fields = sizeof(worker_stats) / sizeof(std::uint64_t);
using raw = std::array<std::uint64_t, fields>;

raw to_raw(const worker_stats& stats) {
  raw result;
  std::memcpy(result.data(), &stats, sizeof stats);
  return result;
}

/// Each field different: start, start + 1, …
worker_stats numbered(std::uint64_t start) {
  raw values;
  for (std::uint64_t& value : values) value = start++;
  worker_stats result;
  std::memcpy(static_cast<void*>(&result), values.data(), sizeof result);
  return result;
}

TEST(Stats, start_at_zero) {
  for (const std::uint64_t value : to_raw(worker_stats{})) EXPECT_EQ(value, 0U);
}

// Compares bytes, so that a counter added later and forgotten in the sum is found.
TEST(Stats, every_counter_is_in_the_sum) {
  worker_stats sum = numbered(100);
  sum += numbered(1000);
  worker_stats expected_chain;
  expected_chain.longest_chain = 1;
  const raw is_chain = to_raw(expected_chain);
  const raw values = to_raw(sum);
  for (std::size_t i = 0; i < fields; ++i) {
    EXPECT_EQ(values[i], is_chain[i] != 0 ? 1000 + i : 1100 + 2 * i) << "field " << i;
  }
}

TEST(Stats, the_longest_chain_of_a_sum_is_the_longest_of_all) {
  worker_stats longer;
  longer.longest_chain = 7;
  worker_stats shorter;
  shorter.longest_chain = 3;
  worker_stats first = longer;
  first += shorter;
  EXPECT_EQ(first.longest_chain, 7U);
  shorter += longer;
  EXPECT_EQ(shorter.longest_chain, 7U);
}

TEST(Stats, the_total_is_the_sum_of_all_workers) {
  pool_stats pool;
  EXPECT_EQ(to_raw(pool.total()), to_raw(worker_stats{}));
  pool.workers = {numbered(1), numbered(2), numbered(3)};
  worker_stats expected;
  for (const worker_stats& worker : pool.workers) expected += worker;
  EXPECT_EQ(to_raw(pool.total()), to_raw(expected));
  EXPECT_EQ(pool.total().tasks_run, 6U);
}

}  // namespace
}  // namespace hotseat
