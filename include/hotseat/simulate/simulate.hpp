// hotseat/simulate/simulate.hpp — runs a program on a described machine, in virtual time.
// Layer: simulate.  Only in programs that link hotseat::simulated.  Guide:
// docs/guide/simulating.md.
#pragma once

#include <hotseat/platform/config.hpp>
#include <hotseat/platform/simulated/description.hpp>
#include <hotseat/platform/simulated/machine.hpp>
#include <hotseat/runtime/topology.hpp>

#include <chrono>
#include <cstdint>
#include <functional>

namespace hotseat {

/// Machines whose prices are known; docs/design/simulation.md gives the sources.
namespace machines {
/// 2 sockets of 64 cores with 2 threads each; 8 cores share a last-level cache.
[[nodiscard]] machine_description two_sockets();
/// 4 sockets of 16 cores with one thread each.
[[nodiscard]] machine_description four_sockets();
/// 2 CPUs of a virtual machine, as measured by bench_prices on 17 November 2026.
[[nodiscard]] machine_description this_machine();
}  // namespace machines

/// The first CPUs of a machine, as a pool sees them: `thread_pool{{.machine = ...}}`.
[[nodiscard]] topology topology_of(const machine_description& machine);

using simulation_counts = platform::simulated::counts;
using activity = platform::simulated::activity;

/// Runs `program` on the machine and returns what happened.  All of hotseat in it runs in
/// virtual threads on the calling thread, each with its own clock; the same seed makes the
/// same run.  Accesses to an atomic or a `var`, sleeping, waking and `work` take time;
/// everything else takes none.  Throws what the program throws, std::invalid_argument for
/// an impossible machine, and std::runtime_error if all threads sleep for ever or an
/// exception leaves another thread.
simulation_counts simulate(const machine_description& machine, std::uint64_t seed,
                           const std::function<void()>& program);

/// Inside a simulated program: computes for `time`.
void work(std::chrono::nanoseconds time) noexcept;

/// Accesses memory that is not hotseat's: its lines travel to this core.
void use_memory(const void* memory, std::size_t bytes, bool is_written) noexcept;

/// The calling thread's time.  Reading it takes none.
[[nodiscard]] std::chrono::nanoseconds virtual_time() noexcept;

/// Counts the time of the calling worker as `how` until the end of the scope.
class activity_scope {
 public:
  explicit activity_scope(activity how) noexcept
      : before_{platform::simulated::spend_time(how)} {}
  ~activity_scope() { platform::simulated::spend_time(before_); }
  activity_scope(const activity_scope&) = delete;
  activity_scope& operator=(const activity_scope&) = delete;

 private:
  activity before_;
};

}  // namespace hotseat
