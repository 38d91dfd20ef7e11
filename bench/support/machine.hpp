// bench/support/machine.hpp — the origin of a result, and what may have disturbed it.
#pragma once

#include <support/timing.hpp>

#include <string>
#include <utility>
#include <vector>

namespace hotseat::bench {

/// CPUs that this process may use at the same time.
unsigned usable_cpus();

/// Created at the start of a program; `finish` adds what is known at the end.
class machine_facts {
 public:
  /// Name and value, as in a result file.
  using facts = std::vector<std::pair<std::string, std::string>>;

  machine_facts();
  [[nodiscard]] facts finish() const;
  /// In one line.
  [[nodiscard]] std::string describe() const;

 private:
  facts facts_;
};

/// Above this share of the machine used by others, a result is called noisy.
inline constexpr double quiet_enough = 0.05;

/// How much of the machine others used during a measurement: what the system counts as busy
/// or stolen, minus what this process and the children it has waited for used.  To the
/// nearest 10 ms for each CPU.
class foreign_load {
 public:
  foreign_load();
  /// As a share of all CPUs since construction, 0 to 1.
  [[nodiscard]] double share() const;

 private:
  stopwatch wall_;
  double busy_;
  double own_;
};

/// Nanoseconds for one way between the first and the last CPU of this process; 0 if it has
/// only one.  Takes about a millisecond.  In a virtual machine this changes when the host
/// moves a CPU, by a factor of five and within seconds, and every contended operation
/// changes with it: so it is measured beside each run.
double line_transfer_ns();

}  // namespace hotseat::bench
