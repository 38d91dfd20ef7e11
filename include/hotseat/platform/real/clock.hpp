// hotseat/platform/real/clock.hpp — the steady clock, and the processor's time stamp.
// Layer: platform.
#pragma once

#include <hotseat/platform/config.hpp>

#include <chrono>
#include <cstdint>

namespace hotseat::platform {

using clock = std::chrono::steady_clock;

[[nodiscard]] inline clock::time_point now() noexcept { return clock::now(); }

/// A counter that costs some ten cycles to read; `ticks_per_microsecond` says how fast it
/// goes.  For heuristics only: it may differ between cores by a few ticks.
[[nodiscard]] inline std::uint64_t ticks() noexcept {
#if HOTSEAT_HAS_TSC
  return __builtin_ia32_rdtsc();
#else
  return static_cast<std::uint64_t>(clock::now().time_since_epoch().count());
#endif
}

/// Measured once, at the first call.
[[nodiscard]] double ticks_per_microsecond() noexcept;

}  // namespace hotseat::platform
