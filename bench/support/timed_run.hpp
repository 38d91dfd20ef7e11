// bench/support/timed_run.hpp — runs something once, and notes possible disturbances.
#pragma once

#include <support/machine.hpp>
#include <support/timing.hpp>

#include <algorithm>
#include <cstdint>

namespace hotseat::bench {

struct timed_run {
  double seconds;
  double cpu_seconds;
  double foreign_load;  ///< Share of the machine that other processes used meanwhile.
  double line_ns;       ///< A cache line from CPU to CPU: before or after, the slower.
  double mops;          ///< Millions of operations per second.
};

/// Calls `run`, which does `operations` operations.
template <class Run>
timed_run time_run(std::uint64_t operations, Run&& run) {
  const double line_before = line_transfer_ns();
  const foreign_load others;
  const double cpu = process_cpu_seconds();
  const stopwatch clock;
  run();
  const double seconds = clock.seconds();
  return {.seconds = seconds,
          .cpu_seconds = process_cpu_seconds() - cpu,
          .foreign_load = others.share(),
          .line_ns = std::max(line_before, line_transfer_ns()),
          .mops = 1e-6 * static_cast<double>(operations) / seconds};
}

}  // namespace hotseat::bench
