// bench/harness/measurement.hpp — what one run yields.
#pragma once

#include <nlohmann/json.hpp>

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hotseat::bench {

/// Named numbers, and whatever else the result file should hold.
struct measurement {
  std::vector<std::pair<std::string, double>> numbers;
  nlohmann::json details;

  [[nodiscard]] double at(std::string_view name) const {
    for (const auto& [key, value] : numbers) {
      if (key == name) return value;
    }
    throw std::out_of_range{"no such number was measured: " + std::string{name}};
  }
};

}  // namespace hotseat::bench
