// bench/harness/samples.hpp — many samples: percentiles, a histogram, and whether two sets
// of samples differ.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace hotseat::bench {

/// Adds "<name>_p50", "_p90", "_p99", "_p999" and "_max" of the samples, each times `unit`,
/// to `numbers`; all 0 if there are no samples.  Sorts the samples.
void add_percentiles(std::vector<std::pair<std::string, double>>& numbers,
                     const std::string& name, std::vector<std::uint32_t>& samples,
                     double unit);

/// Counts by size.  Bucket i holds what is above the upper end of the previous bucket, but
/// not above its own; eight buckets for each factor of ten.  The first has what is below 1,
/// too.
class histogram {
 public:
  histogram() = default;
  /// Counts the samples, each times `unit`.
  histogram(const std::vector<std::uint32_t>& samples, double unit);

  histogram& operator+=(const histogram& other);

  [[nodiscard]] std::span<const std::uint64_t> counts() const { return counts_; }
  [[nodiscard]] static double upper_end(std::size_t bucket);

 private:
  std::vector<std::uint64_t> counts_;
};

/// How likely two samples of the same source are to lie at least as far apart as these: the
/// two-sided test of Mann and Whitney, exact for small samples.  It uses only the order of
/// the values, so that a single bad run cannot decide.
/// REQUIRES: both have a value.
double chance_of_one_source(std::span<const double> a, std::span<const double> b);

/// Whether the samples can be told apart: by chance alone, that happens once in 20.  Never
/// true for fewer than 4 runs of each.
inline bool are_told_apart(std::span<const double> a, std::span<const double> b) {
  return chance_of_one_source(a, b) < 0.05;
}

}  // namespace hotseat::bench
