// hotseat/platform/real/clock_linux.cpp — how fast the time-stamp counter runs.
#include <hotseat/platform/seam.hpp>

namespace hotseat::platform {

namespace {

double measure() noexcept {
  using microseconds = std::chrono::duration<double, std::micro>;
  const auto start = now();
  const std::uint64_t first = ticks();
  while (now() - start < std::chrono::microseconds{200}) relax();
  const std::uint64_t last = ticks();
  return static_cast<double>(last - first) / microseconds{now() - start}.count();
}

}  // namespace

double ticks_per_microsecond() noexcept {
  static const double measured = measure();
  return measured;
}

}  // namespace hotseat::platform
