// bench/simulate/share.hpp — many tasks use one primitive on a described machine: what
// share of their work do they still do?
// Read next: share.cpp (what each task does), share_report.cpp.
#pragma once

#include <hotseat/simulate/simulate.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace hotseat::bench {

/// Each task repeats: use the primitive once, with a section inside where it has one, then
/// the parallel part.
struct share_settings {
  machine_description machine{};
  std::string primitive{};  ///< One of primitive_names(), or "none".
  unsigned workers = 1;
  unsigned tasks_each = 8;  ///< For each worker.
  std::uint32_t iterations = 20;
  std::uint64_t section_ns = 100;
  std::uint64_t parallel_ns = 20'000;
  double writers = 0;  ///< Share of writing sections of a shared_mutex.
  std::uint64_t permits = 64;
  std::uint64_t capacity = 1024;
  std::string handoff = "exchange";
  std::uint64_t seed = 1;
};

/// All times are virtual, except `seconds_to_simulate`.
struct share_outcome {
  double mops = 0;                    ///< Millions of uses per second.
  std::array<double, 5> transfers{};  ///< For each use, as in simulation_counts.
  double scheduling = 0;              ///< Shares of the workers' time.
  double searching = 0;
  double asleep = 0;
  double seconds_to_simulate = 0;
};

const std::vector<std::string>& primitive_names();

/// Throws std::logic_error if the primitive did not do its work.
share_outcome run_share(const share_settings& settings);

}  // namespace hotseat::bench
