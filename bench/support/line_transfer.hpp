// bench/support/line_transfer.hpp — how long a cache line takes from one CPU to another.
#pragma once

#include <sched.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace hotseat::bench {

/// Nanoseconds for one way between the first and the last CPU of this process; 0 if it has
/// only one.  Takes about a millisecond.  In a virtual machine this changes when the host
/// moves a CPU, by a factor of five and within seconds, and whatever is contended changes
/// with it: so it is measured beside each run.
inline double line_transfer_ns() {
  cpu_set_t allowed;
  if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0) return 0;
  if (CPU_COUNT(&allowed) < 2) return 0;
  const auto stay_on = [](int cpu) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    ::sched_setaffinity(0, sizeof one, &one);
  };
  int first = 0;
  while (!CPU_ISSET(first, &allowed)) ++first;
  int last = CPU_SETSIZE - 1;
  while (!CPU_ISSET(last, &allowed)) --last;

  constexpr int warm_up = 1000;
  constexpr int rounds = 4000;
  alignas(128) std::atomic<int> ball{0};
  std::thread other{[&] {
    stay_on(last);
    for (int i = 0; i < rounds; ++i) {
      while (ball.load(std::memory_order_acquire) != 2 * i + 1) {
      }
      ball.store(2 * i + 2, std::memory_order_release);
    }
  }};
  stay_on(first);
  auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < rounds; ++i) {
    if (i == warm_up) start = std::chrono::steady_clock::now();
    ball.store(2 * i + 1, std::memory_order_release);
    while (ball.load(std::memory_order_acquire) != 2 * i + 2) {
    }
  }
  const std::chrono::duration<double, std::nano> time =
      std::chrono::steady_clock::now() - start;
  other.join();
  ::sched_setaffinity(0, sizeof allowed, &allowed);
  return time.count() / (2 * (rounds - warm_up));
}

}  // namespace hotseat::bench
