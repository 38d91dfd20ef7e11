// bench/tight_loop/run.hpp — one run of the tight loop: lock, section, unlock, parallel
// part.
#pragma once

#include <hotseat/runtime/queue_order.hpp>
#include <hotseat/runtime/stats.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hotseat::bench {

struct loop_settings {
  std::size_t tasks;
  std::uint64_t iterations;  ///< Of each task.
  unsigned workers;
  std::uint64_t section_ns;   ///< 0: nothing but an increment.
  std::uint64_t parallel_ns;  ///< 0: nothing at all.
  queue_order order;
  std::uint32_t chain_limit;
};

/// Instead of a hand-off: `with_lock`, on a mutex that exchanges.
inline constexpr const char* delegated = "with_lock";

struct loop_outcome {
  double seconds;
  worker_stats stats;
};

/// Throws if an increment was lost.
loop_outcome run_tight_loop(std::string_view handoff, std::string_view state,
                            const loop_settings& settings);

}  // namespace hotseat::bench
