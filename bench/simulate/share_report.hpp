// bench/simulate/share_report.hpp — the share of their work that tasks still do when they
// use a primitive, as a table and as JSON.
#pragma once

#include <simulate/share.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace hotseat::bench {

struct share_wishes {
  share_settings common;
  std::string preset;  ///< Of the machine.
  std::vector<std::string> primitives;
  std::vector<unsigned> workers;
  std::vector<double> writers;         ///< Of a shared_mutex.
  std::vector<std::uint64_t> permits;  ///< Of a semaphore; 0: one for each worker.
  std::vector<std::string> handoffs;   ///< Of those that have one.
  unsigned repetitions = 1;
  std::string output;
};

/// Returns the exit code.
int report_shares(const share_wishes& wanted);

}  // namespace hotseat::bench
