// bench/support/timing.hpp — wall time, CPU time, and waiting that keeps the CPU busy.
#pragma once

#include <hotseat/platform/seam.hpp>

#include <sys/resource.h>

#include <chrono>
#include <cstdint>
#include <ctime>

namespace hotseat::bench {

class stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// CPU time of all threads of this process so far.
inline double process_cpu_seconds() {
  std::timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// CPU time of all child processes that this one has waited for.
inline double children_cpu_seconds() {
  rusage used{};
  ::getrusage(RUSAGE_CHILDREN, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

/// Spins for a length of time, by the time stamp counter; reading the counter is part of
/// the time.  A length of 0 does nothing at all.  A thread that loses its CPU has waited,
/// too.
class busy_wait {
 public:
  explicit busy_wait(std::uint64_t nanoseconds)
      : ticks_{static_cast<std::uint64_t>(static_cast<double>(nanoseconds) * 1e-3 *
                                          platform::ticks_per_microsecond())} {}

  void operator()() const {
    if (ticks_ == 0) return;
    const std::uint64_t start = platform::ticks();
    while (platform::ticks() - start < ticks_) {
    }
  }

 private:
  std::uint64_t ticks_;
};

}  // namespace hotseat::bench
