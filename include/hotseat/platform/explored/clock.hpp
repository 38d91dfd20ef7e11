// hotseat/platform/explored/clock.hpp — time passes with every step, and while all sleep.
// Layer: platform.
#pragma once

#include <hotseat/platform/explored/machine.hpp>

#include <chrono>
#include <cstdint>

namespace hotseat::platform {

/// Virtual: sleeping costs nothing.
struct clock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<clock>;
  static constexpr bool is_steady = true;

  static time_point now(explored::place where = explored::place::current()) noexcept {
    explored::step();
    const std::int64_t time = explored::time();
    explored::note(explored::verb::read_clock, nullptr, static_cast<std::uint64_t>(time),
                   std::memory_order_relaxed, where);
    return time_point{duration{time}};
  }
};

[[nodiscard]] inline clock::time_point now(
    explored::place where = explored::place::current()) noexcept {
  return clock::now(where);
}

/// So slow that a few steps take what the real machine measures in microseconds.
[[nodiscard]] inline std::uint64_t ticks() noexcept {
  return static_cast<std::uint64_t>(now().time_since_epoch().count()) / 100;
}
[[nodiscard]] inline double ticks_per_microsecond() noexcept { return 10; }

}  // namespace hotseat::platform
