// hotseat/runtime/stats.hpp — what the workers of a pool have done so far.
// Layer: runtime.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace hotseat {

/// Counters of one worker since the pool started.
struct worker_stats {
  std::uint64_t tasks_run = 0;   ///< resumed by the worker's loop, exchanges included
  std::uint64_t local_pops = 0;  ///< taken from the worker's own queues
  std::uint64_t injected = 0;    ///< taken from the injectors, or urgent
  std::array<std::uint64_t, 3> steals{};        ///< by distance: cache, node, remote
  std::array<std::uint64_t, 3> tasks_stolen{};  ///< one steal takes several
  std::uint64_t blocks_granted = 0;             ///< parts of the queues opened to thieves
  std::uint64_t parks = 0;                      ///< times it fell asleep
  std::uint64_t wake_ups = 0;                   ///< times it woke another worker
  std::uint64_t exchanges = 0;                  ///< sections passed on here
  std::uint64_t longest_chain = 0;              ///< most exchanges in a row
  std::uint64_t chains_cut = 0;                 ///< chains that reached the limit
  std::uint64_t back_offs = 0;  ///< times it left tiny tasks to their worker

  worker_stats& operator+=(const worker_stats& other) noexcept;
};

struct pool_stats {
  std::vector<worker_stats> workers;

  /// The sum; of `longest_chain`, the maximum.
  [[nodiscard]] worker_stats total() const noexcept;
};

}  // namespace hotseat
