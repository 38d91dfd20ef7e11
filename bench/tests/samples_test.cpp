// bench/tests/samples_test.cpp — percentiles, histograms, and signal or noise.
#include <harness/samples.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace hotseat::bench {
namespace {

using numbers = std::vector<std::pair<std::string, double>>;

TEST(Percentiles, AreSamplesThatWereMade) {
  std::vector<std::uint32_t> samples;
  for (std::uint32_t i = 1000; i > 0; --i) samples.push_back(i);
  numbers all{{"first", 1}};
  add_percentiles(all, "wait", samples, 2);
  EXPECT_EQ(all, (numbers{{"first", 1},
                          {"wait_p50", 1000},
                          {"wait_p90", 1800},
                          {"wait_p99", 1980},
                          {"wait_p999", 1998},
                          {"wait_max", 2000}}));
}

TEST(Percentiles, OfOneSampleAreThatSample) {
  std::vector<std::uint32_t> samples{7};
  numbers all;
  add_percentiles(all, "wait", samples, 1);
  for (const auto& [name, value] : all) EXPECT_EQ(value, 7) << name;
  EXPECT_EQ(all.size(), 5U);
}

TEST(Percentiles, OfNothingAreZero) {
  std::vector<std::uint32_t> samples;
  numbers all;
  add_percentiles(all, "wait", samples, 1);
  for (const auto& [name, value] : all) EXPECT_EQ(value, 0) << name;
}

TEST(Histogram, CountsEverySampleOnceBelowItsUpperEnd) {
  const std::vector<std::uint32_t> samples{5, 50, 51, 5000};
  const histogram made{samples, 2};
  const auto count = made.counts();
  ASSERT_EQ(count.size(), 33U) << "10000 is the end of four decades";
  EXPECT_DOUBLE_EQ(histogram::upper_end(8), 10);
  for (std::size_t i = 0; i < count.size(); ++i) {
    std::uint64_t expected = 0;
    for (const std::uint32_t each : samples) {
      if (2.0 * each <= histogram::upper_end(i) * 1.000001 &&
          (i == 0 || 2.0 * each > histogram::upper_end(i - 1) * 1.000001)) {
        ++expected;
      }
    }
    EXPECT_EQ(count[i], expected) << "up to " << histogram::upper_end(i);
  }
}

TEST(Histogram, PutsWhatTakesNoTimeIntoTheFirstBucket) {
  const histogram made{{0, 0, 1}, 1};
  ASSERT_EQ(made.counts().size(), 1U);
  EXPECT_EQ(made.counts()[0], 3U);
}

TEST(Histogram, AddsUpOverRuns) {
  histogram sum{{1, 100}, 1};
  sum += histogram{{1, 10'000}, 1};
  EXPECT_EQ(sum.counts()[0], 2U);
  EXPECT_EQ(sum.counts()[16], 1U);
  EXPECT_EQ(sum.counts()[32], 1U);
}

TEST(Histogram, OfNothingIsEmpty) { EXPECT_TRUE(histogram({}, 1).counts().empty()); }

using values = std::vector<double>;

TEST(Verdict, KnowsTheExactChances) {
  // From the tables of Mann and Whitney: 2 of 252 orders of 5 and 5 are this clear.
  EXPECT_NEAR(chance_of_one_source(values{1, 2, 3, 4, 5}, values{6, 7, 8, 9, 10}),
              2.0 / 252, 1e-12);
  // U = 2: at most 4 orders that clear, on either side.
  EXPECT_NEAR(chance_of_one_source(values{1, 2, 3, 4, 7}, values{5, 6, 8, 9, 10}),
              8.0 / 252, 1e-12);
  // 3 and 3: 20 orders.
  EXPECT_NEAR(chance_of_one_source(values{1, 2, 3}, values{4, 5, 6}), 2.0 / 20, 1e-12);
}

TEST(Verdict, IsTheSameFromBothSides) {
  const values a{3, 1, 4, 1.5, 9};
  const values b{2.5, 6, 5, 3.5, 8, 7};
  EXPECT_DOUBLE_EQ(chance_of_one_source(a, b), chance_of_one_source(b, a));
}

TEST(Verdict, TellsNothingFromEqualOrFewRuns) {
  EXPECT_DOUBLE_EQ(chance_of_one_source(values{1, 1, 1, 1, 1}, values{1, 1, 1, 1, 1}), 1);
  EXPECT_FALSE(are_told_apart(values{1, 2, 3}, values{4, 5, 6}));
  EXPECT_TRUE(are_told_apart(values{1, 2, 3, 4}, values{5, 6, 7, 8}));
}

TEST(Verdict, IsNotFooledByOneRunGoneWrong) {
  EXPECT_TRUE(are_told_apart(values{10, 11, 12, 13, 14}, values{20, 21, 22, 23, 0.1}) ==
              are_told_apart(values{10, 11, 12, 13, 14}, values{20, 21, 22, 23, 9}));
}

TEST(Verdict, AgreesWithItselfWhereTheExactCountEnds) {
  // 30 and 30 values are counted exactly, 31 and 31 approximated: about the same chance.
  const auto shifted = [](std::size_t count, double by) {
    values all;
    for (std::size_t i = 0; i < count; ++i) {
      all.push_back(static_cast<double>((i * 37) % 101) + by +
                    0.001 * static_cast<double>(i));
    }
    return all;
  };
  EXPECT_NEAR(chance_of_one_source(shifted(30, 0), shifted(30, 12.5)),
              chance_of_one_source(shifted(31, 0), shifted(31, 12.5)), 0.05);
}

TEST(Verdict, IsWrongOnceIn20AtMost) {
  std::mt19937 random{1};
  std::normal_distribution<double> noise{100, 5};
  int wrong = 0;
  constexpr int trials = 2000;
  for (int trial = 0; trial < trials; ++trial) {
    values a;
    values b;
    for (int i = 0; i < 7; ++i) {
      a.push_back(noise(random));
      b.push_back(noise(random));
    }
    if (are_told_apart(a, b)) ++wrong;
  }
  EXPECT_LE(wrong, trials * 0.05);
  EXPECT_GE(wrong, trials * 0.02) << "never being sure is not the way";
}

}  // namespace
}  // namespace hotseat::bench
