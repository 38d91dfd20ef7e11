// hotseat/runtime/detail/victims.hpp — the order in which a worker tries its victims.
// Layer: runtime.  Read next: ../topology.hpp (where the distances come from).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <hotseat/runtime/topology.hpp>
#include <span>
#include <vector>

namespace hotseat::detail {

/// What a task's data must cross on its way between two workers, cheapest first.
enum class distance : unsigned char {
  cache,   ///< Nothing: one last-level cache, one core, or even one CPU.
  node,    ///< Caches of one NUMA node.
  remote,  ///< The link between nodes.
};

inline constexpr std::array distances{distance::cache, distance::node, distance::remote};

[[nodiscard]] inline distance distance_between(const cpu& a, const cpu& b) noexcept {
  if (a.node != b.node) return distance::remote;
  return a.cache != b.cache ? distance::node : distance::cache;
}

/// Index into `machine.cpus()` for each worker.  Round robin, so that surplus workers
/// spread evenly over all CPUs.
[[nodiscard]] inline std::vector<unsigned> assign_workers(const topology& machine,
                                                          unsigned count) {
  const auto cpus = static_cast<unsigned>(machine.cpus().size());
  std::vector<unsigned> result(count);
  for (unsigned i = 0; i < count; ++i) result[i] = i % cpus;
  return result;
}

/// All other workers of a pool as one worker sees them, nearest level first.
class victim_order {
 public:
  victim_order() = default;  ///< For a worker that is alone.

  /// The order of `self`.  `assigned` comes from `assign_workers` for the whole pool.
  /// Best called by the worker itself: the list then lies in its own node's memory.
  /// REQUIRES: self < assigned.size().
  victim_order(const topology& machine, std::span<const unsigned> assigned, unsigned self) {
    const std::vector<cpu>& cpus = machine.cpus();
    const auto count = static_cast<unsigned>(assigned.size());
    workers_.reserve(count - 1);
    for (const distance level : distances) {
      // Starts at self + 1, so that two workers with the same random number do not meet at
      // the same victim.
      for (unsigned step = 1; step < count; ++step) {
        const unsigned other = step < count - self ? self + step : self + step - count;
        if (distance_between(cpus[assigned[self]], cpus[assigned[other]]) == level) {
          workers_.push_back(other);
        }
      }
      ends_[index_of(level)] = workers_.size();
    }
  }

  [[nodiscard]] std::span<const unsigned> at(distance level) const noexcept {
    const std::size_t i = index_of(level);
    const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
    return std::span{workers_}.subspan(begin, ends_[i] - begin);
  }

  [[nodiscard]] std::size_t size() const noexcept { return workers_.size(); }

  /// Calls visit(worker, distance) for each other worker exactly once, level by level, from
  /// a random start inside each level, until one call returns true.  Returns whether one
  /// did.  Any sequence of different numbers will do for `random`, even a counter.
  template <class F>
  bool for_each(std::uint64_t random, F&& visit) const {
    for (const distance level : distances) {
      const std::span<const unsigned> all = at(level);
      // Fibonacci hashing: all bits of `random` reach the upper half of the product, and a
      // second multiplication scales that half to the size of the level.  No division.
      random *= 0x9E37'79B9'7F4A'7C15U;
      const auto start = static_cast<std::size_t>(((random >> 32) * all.size()) >> 32);
      for (const unsigned other : all.subspan(start)) {
        if (visit(other, level)) return true;
      }
      for (const unsigned other : all.first(start)) {
        if (visit(other, level)) return true;
      }
    }
    return false;
  }

 private:
  static constexpr std::size_t index_of(distance level) noexcept {
    return static_cast<std::size_t>(level);
  }

  std::vector<unsigned> workers_;  // All levels, one after the other.
  std::array<std::size_t, distances.size()> ends_{};
};

}  // namespace hotseat::detail
