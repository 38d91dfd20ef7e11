#include <harness/percentiles.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace hotseat::bench {

void add_percentiles(std::vector<std::pair<std::string, double>>& numbers,
                     const std::string& name, std::vector<std::uint32_t>& samples,
                     double unit) {
  constexpr std::array<std::pair<const char*, double>, 5> wanted{
      {{"_p50", 0.5}, {"_p90", 0.9}, {"_p99", 0.99}, {"_p999", 0.999}, {"_max", 1}}};
  std::sort(samples.begin(), samples.end());
  for (const auto& [suffix, share] : wanted) {
    double value = 0;
    if (!samples.empty()) {
      // The smallest sample that so many are not above.
      const auto rank =
          static_cast<std::size_t>(std::ceil(share * static_cast<double>(samples.size())));
      value = unit * static_cast<double>(samples[std::max<std::size_t>(rank, 1) - 1]);
    }
    numbers.emplace_back(name + suffix, value);
  }
}

}  // namespace hotseat::bench
