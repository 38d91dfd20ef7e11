// bench/simulate/counted.hpp — what a simulated machine counted between two moments.
#pragma once

#include <hotseat/simulate/simulate.hpp>

#include <array>
#include <cstddef>
#include <numeric>

namespace hotseat::bench {

/// Shares of the time in each of platform::simulated::activity.
using activity_shares = std::array<double, platform::simulated::activities>;

inline simulation_counts between(const simulation_counts& start, simulation_counts end) {
  for (std::size_t i = 0; i < end.transfers.size(); ++i) {
    end.transfers[i] -= start.transfers[i];
  }
  // Workers present at the start are present at the end, in the same place.
  for (std::size_t w = 0; w < start.worker_time.size(); ++w) {
    for (std::size_t i = 0; i < platform::simulated::activities; ++i) {
      end.worker_time[w][i] -= start.worker_time[w][i];
    }
  }
  end.events -= start.events;
  return end;
}

inline activity_shares shares_of(const platform::simulated::time_by_activity& time) {
  const auto all = std::accumulate(time.begin(), time.end(), 0.0);
  activity_shares result{};
  if (all == 0) return result;
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = static_cast<double>(time[i]) / all;
  }
  return result;
}

/// Of all workers together.
inline platform::simulated::time_by_activity total_of(const simulation_counts& counts) {
  platform::simulated::time_by_activity all{};
  for (const auto& one : counts.worker_time) {
    for (std::size_t i = 0; i < all.size(); ++i) all[i] += one[i];
  }
  return all;
}

/// Lines that travelled, by origin, for each of `uses`.
inline std::array<double, 5> transfers_of(const simulation_counts& counts, double uses) {
  std::array<double, 5> result{};
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = static_cast<double>(counts.transfers[i]) / uses;
  }
  return result;
}

}  // namespace hotseat::bench
