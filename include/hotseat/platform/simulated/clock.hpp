// hotseat/platform/simulated/clock.hpp — the calling thread's own time.
// Layer: platform.
#pragma once

#include <hotseat/platform/simulated/machine.hpp>

#include <chrono>
#include <cstdint>

namespace hotseat::platform {

/// Virtual.
struct clock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<clock>;
  static constexpr bool is_steady = true;

  static time_point now() noexcept { return time_point{duration{simulated::now() / 1000}}; }
};

[[nodiscard]] inline clock::time_point now() noexcept { return clock::now(); }

[[nodiscard]] inline std::uint64_t ticks() noexcept {
  return static_cast<std::uint64_t>(simulated::now()) / 100;
}
[[nodiscard]] inline double ticks_per_microsecond() noexcept { return 10'000; }

}  // namespace hotseat::platform
