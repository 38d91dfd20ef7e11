// bench/harness/histogram.hpp — many samples as counts by size, for a picture of them all.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <vector>

namespace hotseat::bench {

/// {"upper": [...], "count": [...]}: so many samples, each times `unit`, are not above the
/// upper end of a bucket, but above that of the one before.  Eight buckets for each factor
/// of ten; what is below 1 is in the first one.  Empty buckets at both ends are left out.
nlohmann::json histogram_of(const std::vector<std::uint32_t>& samples, double unit);

}  // namespace hotseat::bench
