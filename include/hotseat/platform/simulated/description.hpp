// hotseat/platform/simulated/description.hpp — a machine, and what things cost on it.
// Layer: platform.  Read next: machine.hpp.
#pragma once

#include <cstdint>
#include <string>

namespace hotseat {

/// CPUs are numbered as in topology: node by node, cache by cache, core by core; the second
/// hyperthreads of a cache follow its first ones.  Times are in nanoseconds;
/// docs/design/simulation.md says where the numbers of the presets come from.
struct machine_description {
  std::string name = "a machine";
  unsigned nodes = 1;
  unsigned caches_per_node = 1;
  unsigned cores_per_cache = 2;
  unsigned threads_per_core = 1;

  // A load or store of a line that this core has.
  double hit = 1;
  double update = 5;  ///< The same for a read-modify-write.

  // Bringing a line here, by where it was.
  double from_cache = 20;    ///< a core of the same last-level cache
  double from_node = 80;     ///< another cache of the node
  double from_remote = 200;  ///< another node
  double from_memory = 90;   ///< no core has it

  // A line that several cores want at the same time is passed on one by one, each time for
  // the price above; `arbitration` is added for each core that waits.
  double arbitration = 0;

  double instructions = 1.5;  ///< The code around an access, on average.
  double task_switch = 5;     ///< Resuming a task, besides bringing its frame here.
  double read_clock = 8;
  double spin_hint = 12;
  double fall_asleep = 800;    ///< The sleeper's system call,
  double wake = 1200;          ///< the waker's system call,
  double wake_latency = 4000;  ///< and from then until the sleeper runs.
  double heavy_fence = 1500;   ///< membarrier, plus the next for each running thread.
  double heavy_fence_each = 20;
  double sibling_slowdown = 1.5;  ///< How much slower a thread is while its sibling runs.

  [[nodiscard]] unsigned cores() const noexcept {
    return nodes * caches_per_node * cores_per_cache;
  }
  [[nodiscard]] unsigned cpus() const noexcept { return cores() * threads_per_core; }
};

}  // namespace hotseat
