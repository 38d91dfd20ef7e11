// bench/harness/histogram.cpp — how often a time was seen, in steps that grow with it.
#include <harness/histogram.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace hotseat::bench {

namespace {

constexpr double buckets_per_decade = 8;

double upper_end(std::size_t bucket) {
  return std::pow(10.0, static_cast<double>(bucket) / buckets_per_decade);
}

}  // namespace

nlohmann::json histogram_of(const std::vector<std::uint32_t>& samples, double unit) {
  std::vector<std::uint64_t> counts;
  std::size_t first = 0;
  for (const std::uint32_t each : samples) {
    const double value = unit * static_cast<double>(each);
    const double place = value <= 1 ? 0 : std::ceil(buckets_per_decade * std::log10(value));
    const auto bucket = static_cast<std::size_t>(place);
    if (counts.empty()) first = bucket;
    first = std::min(first, bucket);
    if (bucket >= counts.size()) counts.resize(bucket + 1);
    ++counts[bucket];
  }
  nlohmann::json upper = nlohmann::json::array();
  nlohmann::json count = nlohmann::json::array();
  for (std::size_t i = first; i < counts.size(); ++i) {
    upper.push_back(upper_end(i));
    count.push_back(counts[i]);
  }
  return {{"upper", std::move(upper)}, {"count", std::move(count)}};
}

}  // namespace hotseat::bench
