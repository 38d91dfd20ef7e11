// bench/simulate/workload.hpp — the paper's lock benchmarks on a described machine.
// Read next: workload.cpp, main.cpp (what is run, and what is printed).
#pragma once

#include <hotseat/runtime/stats.hpp>
#include <hotseat/simulate/simulate.hpp>
#include <simulate/counted.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hotseat::bench {

/// All times are virtual, except `seconds_to_simulate`.
struct simulated_settings {
  machine_description machine;
  std::string handoff;
  unsigned workers;
  std::size_t tasks;
  std::uint32_t iterations;
  std::uint64_t section_ns;  ///< In addition to the map.
  bool has_map;
  std::uint64_t parallel_ns;  ///< Between two sections of a task.
  double writers;  ///< Share of writing sections of a shared_mutex; negative: a mutex.
  std::uint64_t seed;
};

struct percentiles {
  double p50 = 0;
  double p90 = 0;
  double p99 = 0;
  double p999 = 0;
  double most = 0;
};

struct simulated_outcome {
  double mops = 0;       ///< Millions of sections per second.
  double ns_each = 0;    ///< From section to section.
  double occupancy = 0;  ///< Share of the time in which a task is alone in the section.
  double delegated = 0;  ///< Share of the sections whose task had waited.
  /// From the end of a section to the start of the next, if that is delegated.
  percentiles queuing_ns;
  /// From the call of lock to the start of the section, for all that write.
  percentiles wait_ns;
  std::array<double, 5> transfers{};  ///< For each section, as in simulation_counts.
  activity_shares shares{};           ///< Of the time of all workers.
  std::vector<activity_shares> worker_shares;  ///< Of the time of each worker.
  worker_stats stats;
  std::uint64_t events = 0;
  double seconds_to_simulate = 0;
};

/// Throws std::logic_error if mutual exclusion failed.
simulated_outcome run_simulated(const simulated_settings& settings);

}  // namespace hotseat::bench
