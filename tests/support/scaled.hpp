// hotseat/tests/support/scaled.hpp — how long a stress test runs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>

namespace hotseat::testing {

/// `full` times the environment's HOTSEAT_STRESS_SCALE (default 1), but at least `least`.
inline std::size_t scaled(std::size_t full, std::size_t least = 16) {
  const char* const factor = std::getenv("HOTSEAT_STRESS_SCALE");
  const double scale = factor != nullptr ? std::strtod(factor, nullptr) : 1;
  return std::max(least, static_cast<std::size_t>(static_cast<double>(full) * scale));
}

}  // namespace hotseat::testing
