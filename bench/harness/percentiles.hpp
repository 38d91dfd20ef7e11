// bench/harness/percentiles.hpp — many samples, and the few numbers that describe them.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace hotseat::bench {

/// Adds "<name>_p50", "_p90", "_p99", "_p999" and "_max" of the samples, each times `unit`,
/// to `numbers`; all 0 if there are none.  Sorts the samples.
void add_percentiles(std::vector<std::pair<std::string, double>>& numbers,
                     const std::string& name, std::vector<std::uint32_t>& samples,
                     double unit);

}  // namespace hotseat::bench
