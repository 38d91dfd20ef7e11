#include <harness/percentiles.hpp>

#include <gtest/gtest.h>

#include <cstdint>
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

}  // namespace
}  // namespace hotseat::bench
