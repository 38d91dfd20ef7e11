// hotseat/rebound/tests/histogram_test.cpp — lengths in, quantiles out.
#include <hotseat/rebound/histogram.hpp>

#include <gtest/gtest.h>

#include <cstdint>

namespace hotseat::rebound {
namespace {

TEST(Histogram, of_nothing_has_no_length) {
  EXPECT_EQ(histogram{}.total(), 0U);
  EXPECT_EQ(histogram{}.quantile(0.5), 0U);
}

TEST(Histogram, short_lengths_are_exact) {
  for (std::uint64_t length = 0; length < 32; ++length) {
    histogram one;
    one.add(length);
    EXPECT_EQ(one.quantile(0.5), length);
  }
}

TEST(Histogram, long_lengths_are_known_to_a_sixteenth) {
  for (std::uint64_t length = 1; length < (std::uint64_t{1} << 62U);
       length += length / 7 + 1) {
    histogram one;
    one.add(length);
    EXPECT_GE(one.quantile(1), length);
    EXPECT_LE(one.quantile(1) - length, length / 16);
  }
  histogram longest;
  longest.add(UINT64_MAX);
  EXPECT_EQ(longest.quantile(1), UINT64_MAX);
}

TEST(Histogram, quantiles_are_shares_of_all) {
  histogram all;
  for (std::uint64_t length = 1; length <= 1000; ++length) all.add(length);
  EXPECT_EQ(all.total(), 1000U);
  EXPECT_NEAR(static_cast<double>(all.quantile(0.5)), 500, 32);
  EXPECT_NEAR(static_cast<double>(all.quantile(0.9)), 900, 64);
  EXPECT_NEAR(static_cast<double>(all.quantile(0.99)), 990, 64);
  EXPECT_EQ(all.quantile(0), 1U);
}

TEST(Histogram, adds_up) {
  histogram one;
  histogram two;
  for (int i = 0; i < 3; ++i) one.add(5);
  two.add(9);
  one.add(two);
  EXPECT_EQ(one.total(), 4U);
  EXPECT_EQ(one.quantile(0.75), 5U);
  EXPECT_EQ(one.quantile(1), 9U);
}

}  // namespace
}  // namespace hotseat::rebound
