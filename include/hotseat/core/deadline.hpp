// hotseat/core/deadline.hpp — time arithmetic that cannot overflow.
// Layer: core.  Header-only: integrations use it too.
#pragma once

#include <chrono>
#include <cmath>
#include <concepts>

namespace hotseat::detail {

/// `now` plus `time`, rounded up so that no wait ends early, and clamped to the clock's
/// last moment.  `now` itself if `time` is negative or not a number.
template <class Clock, class Unit, class Rep, class Period>
[[nodiscard]] std::chrono::time_point<Clock, Unit> later(
    std::chrono::time_point<Clock, Unit> now,
    std::chrono::duration<Rep, Period> time) noexcept {
  // Wide enough for every duration, and exact for 64 bits.
  using wide = std::chrono::duration<long double, typename Unit::period>;
  const wide left{time};
  if (!(left > wide::zero())) return now;
  constexpr auto last = std::chrono::time_point<Clock, Unit>::max();
  if (left >= wide{last - now}) return last;
  return now + Unit{static_cast<typename Unit::rep>(std::ceil(left.count()))};
}

/// `due` on the clock `Clock`, converted by what both clocks say now.  Rounded and clamped
/// like `later`.
template <class Clock, class Other, class Unit>
[[nodiscard]] typename Clock::time_point moment_of(
    std::chrono::time_point<Other, Unit> due) noexcept {
  if constexpr (std::same_as<std::chrono::time_point<Other, Unit>,
                             typename Clock::time_point>) {
    return due;
  } else if constexpr (std::same_as<Other, Clock>) {
    return later(typename Clock::time_point{}, due.time_since_epoch());
  } else {
    using wide = std::chrono::duration<long double, typename Clock::period>;
    return later(Clock::now(),
                 wide{due.time_since_epoch()} - wide{Other::now().time_since_epoch()});
  }
}

}  // namespace hotseat::detail
