// hotseat/rebound/drive/crew.hpp — concurrent members: threads, or fibers on a few workers.
#pragma once

#include <hotseat/rebound/lock_verbs.hpp>
#include <hotseat/runtime/stats.hpp>

#include <cstddef>
#include <functional>
#include <optional>

namespace hotseat::rebound {

struct crew_settings {
  runs_on kind = runs_on::threads;
  std::size_t size = 1;
  unsigned workers = 0;                             ///< For fibers.  0: as many as CPUs.
  std::size_t stack_size = std::size_t{64} << 10U;  ///< Of each fiber.
  std::size_t first_cpu = 0;  ///< For the first thread.  CPUs are not all equally fast.
};

/// Calls `member(0)` to `member(size - 1)` concurrently, and `meanwhile` on the calling
/// thread; returns when all have returned.  Threads and workers are pinned to CPUs, one
/// after the other.  Returns the pool's counters, if there was one.  Throws what
/// `meanwhile` throws, or the first exception of a member.
std::optional<worker_stats> run_crew(const crew_settings& settings,
                                     const std::function<void(std::size_t)>& member,
                                     const std::function<void()>& meanwhile);

/// Lets other ready members run.
void yield_member(runs_on kind) noexcept;

}  // namespace hotseat::rebound
