// bench/tests/histogram_test.cpp — steps, and what falls into them.
#include <harness/histogram.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hotseat::bench {
namespace {

TEST(Histogram, CountsEverySampleOnceBelowItsUpperEnd) {
  const std::vector<std::uint32_t> samples{5, 50, 51, 5000};
  const nlohmann::json made = histogram_of(samples, 2);
  const auto upper = made.at("upper").get<std::vector<double>>();
  const auto count = made.at("count").get<std::vector<std::uint64_t>>();
  ASSERT_EQ(upper.size(), count.size());
  EXPECT_DOUBLE_EQ(upper.front(), 10) << "empty buckets below are left out";
  EXPECT_DOUBLE_EQ(upper.back(), 10'000);
  for (std::size_t i = 0; i < upper.size(); ++i) {
    std::uint64_t expected = 0;
    for (const std::uint32_t each : samples) {
      if (2.0 * each <= upper[i] * 1.000001 && (i == 0 || 2.0 * each > upper[i - 1])) {
        ++expected;
      }
    }
    EXPECT_EQ(count[i], expected) << "up to " << upper[i];
  }
}

TEST(Histogram, PutsWhatTakesNoTimeIntoTheFirstBucket) {
  const nlohmann::json made = histogram_of({0, 0, 1}, 1);
  EXPECT_EQ(made.at("count"), nlohmann::json::array({3}));
  EXPECT_EQ(made.at("upper"), nlohmann::json::array({1.0}));
}

TEST(Histogram, OfNothingIsEmpty) { EXPECT_TRUE(histogram_of({}, 1).at("count").empty()); }

}  // namespace
}  // namespace hotseat::bench
