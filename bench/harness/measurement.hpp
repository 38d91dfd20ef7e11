// bench/harness/measurement.hpp — the result of one run.
#pragma once

#include <harness/samples.hpp>
#include <support/timed_run.hpp>

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hotseat::bench {

/// Named numbers, and named histograms of many samples.
struct measurement {
  std::vector<std::pair<std::string, double>> numbers;
  std::vector<std::pair<std::string, histogram>> histograms{};

  [[nodiscard]] double at(std::string_view name) const {
    for (const auto& [key, value] : numbers) {
      if (key == name) return value;
    }
    throw std::out_of_range{"no such number was measured: " + std::string{name}};
  }
};

inline measurement to_measurement(const timed_run& of) {
  return {{{"mops", of.mops},
           {"seconds", of.seconds},
           {"cpu_seconds", of.cpu_seconds},
           {"foreign_load", of.foreign_load},
           {"line_ns", of.line_ns}}};
}

}  // namespace hotseat::bench
