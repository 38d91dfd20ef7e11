// hotseat/platform/simulated/world.hpp — the state of a simulation.
#pragma once

#include <hotseat/platform/simulated/machine.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "lines.hpp"
#include "ready_heap.hpp"

namespace hotseat::platform::simulated {

struct world {
  world(const machine_description& of, std::uint64_t seed)
      : machine{of}, lines{machine}, core_load(most_cores, 0), random{seed} {}

  const machine_description machine;
  line_table lines;
  std::vector<std::unique_ptr<virtual_thread>> threads;
  std::vector<unsigned> core_load;  // awake threads of each core
  ready_heap ready;                 // all that can go on or have a deadline, except self
  virtual_thread* self = nullptr;
  parked_stack outside;
  std::uint64_t random;
  std::uint64_t events = 0;
  std::uint64_t accesses = 0;
  unsigned alive = 0;
  std::string failure;
};

/// Null while nothing is simulated.
extern world* here;

/// Advances the clock of self, by more while its core is shared.
void spend(duration time) noexcept;

/// Waits until all stores of self are visible.
void finish_stores() noexcept;

/// Switches to the thread furthest behind.  REQUIRES: self is in the heap, or not ready.
void go_on() noexcept;

/// In [0, 1).
[[nodiscard]] double next_random() noexcept;

/// Ends the simulation.
[[noreturn]] void leave_for_good() noexcept;

}  // namespace hotseat::platform::simulated
