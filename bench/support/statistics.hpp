// bench/support/statistics.hpp — a few numbers that summarize many.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace hotseat::bench {

struct summary {
  double median = 0;
  double min = 0;
  double max = 0;

  /// The distance of the extremes, as a share of the median.
  [[nodiscard]] double spread() const { return median == 0 ? 0 : (max - min) / median; }
};

/// REQUIRES: there is at least one value.
inline summary summarize(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  const double median =
      values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
  return {median, values.front(), values.back()};
}

/// Jain's fairness index: 1 if all have the same, 1/n if one has everything.
template <class T>
double jain_index(std::span<const T> shares) {
  double sum = 0;
  double squares = 0;
  for (const T share : shares) {
    const auto value = static_cast<double>(share);
    sum += value;
    squares += value * value;
  }
  return squares == 0 ? 1 : sum * sum / (static_cast<double>(shares.size()) * squares);
}

}  // namespace hotseat::bench
