// hotseat/runtime/topology.hpp — the CPUs a pool may use, and which of them are neighbours.
// Layer: runtime.  Read next: detail/victims.hpp (what the neighbourhood is used for).
#pragma once

#include <filesystem>
#include <limits>
#include <string>
#include <vector>

namespace hotseat {

/// A hardware thread.  `core`, `cache` and `node` are dense ids, 0, 1, 2 …, and nest: equal
/// cores imply equal caches, equal caches imply equal nodes.
struct cpu {
  unsigned os_index;  ///< The operating system's number: neither dense nor ordered.
  unsigned core;      ///< Hyperthreads of one core share it.
  unsigned cache;     ///< Last-level cache domain.
  unsigned node;      ///< NUMA node; nodes without CPUs are not counted.

  friend bool operator==(const cpu&, const cpu&) = default;
};

/// How tightly a worker is tied to its place.  A worker may run on every CPU of the
/// topology that shares the named thing with the CPU it was given.
enum class pinning { none, node, cache, core };

/// A machine as scheduling sees it.  A plain value, which never changes once it is read.
///
///     origin                        is_real   structure             cpu_quota
///     ────────────────────────────  ────────  ────────────────────  ───────────────────
///     detect, this machine          yes       hwloc's               the process's cgroup
///     detect under HWLOC_SYNTHETIC  no        hwloc's               unlimited
///     detect without usable hwloc   no        one node, one cache   the process's cgroup
///     described                     no        what was asked for    what was asked for
///     synthetic, flat               no        what was asked for    unlimited
///
/// The cache domain of a CPU is the largest cache that it shares with another core.
/// Without one it is the package, and if the package is a single core, the whole node.  A
/// cache that spans nodes counts as one domain for each node.
class topology {
 public:
  /// What the calling thread may use here.  Respects its affinity mask, and through it
  /// taskset and cpusets: a thread that is already pinned sees only the CPUs it is pinned
  /// to.  A broken hwloc or HWLOC_SYNTHETIC loses the structure and prints one line on
  /// stderr; it is never an error.
  [[nodiscard]] static topology detect();

  /// A machine given by a hwloc synthetic description: "numa:2 l3:4 core:16 pu:1" is two
  /// nodes of four caches of sixteen cores.  Throws std::invalid_argument, naming the
  /// description, if hwloc rejects it, if it has more than `synthetic_limit` CPUs, or if
  /// the library was built without hwloc.
  [[nodiscard]] static topology synthetic(const std::string& description);

  /// One node, one cache, each CPU a core.  `cpus` of 0 counts as 1.
  [[nodiscard]] static topology flat(unsigned cpus);

  /// A machine given CPU by CPU.  Ids need not be dense; caches need to be unique only
  /// within their node, and cores within their cache.  Throws std::invalid_argument if
  /// there is no CPU, or if the quota is not positive.
  [[nodiscard]] static topology described(
      std::vector<cpu> cpus, double quota = std::numeric_limits<double>::infinity());

  /// hwloc's time to build a synthetic machine grows with the square of its width, or
  /// worse: 3 s for this many cores side by side, half a minute for twice as many.
  static constexpr unsigned synthetic_limit = 4096;

  /// Never empty.  Ordered by node, then by cache, so that neighbours in the list share
  /// caches; inside a cache domain first one hyperthread of each core, then the second
  /// ones.  So a pool that is smaller than the machine fills one cache domain after the
  /// other, which keeps its tasks close to each other, and inside a domain uses whole cores
  /// before it shares any.
  [[nodiscard]] const std::vector<cpu>& cpus() const noexcept { return cpus_; }

  [[nodiscard]] unsigned node_count() const noexcept { return cpus_.back().node + 1; }
  [[nodiscard]] unsigned cache_count() const noexcept { return cpus_.back().cache + 1; }
  [[nodiscard]] unsigned core_count() const noexcept;

  /// Whether `os_index` names CPUs of this system.  If not, threads are not pinned.
  [[nodiscard]] bool is_real() const noexcept { return is_real_; }

  /// CPU time that the process may use for each second of time; infinity if unlimited.
  [[nodiscard]] double cpu_quota() const noexcept { return quota_; }

  /// How many can run at once: the CPUs, or fewer under a quota (rounded up), at least 1.
  [[nodiscard]] unsigned default_worker_count() const noexcept;

  /// One line, for logs and results.
  [[nodiscard]] std::string describe() const;

 private:
  topology(std::vector<cpu> found, std::string origin, bool is_real, double quota);
  static topology fallback();

  std::vector<cpu> cpus_;
  std::string origin_;
  bool is_real_;
  double quota_;
};

/// Ties the calling thread to the neighbourhood of `machine.cpus()[cpu_index]`.  Returns
/// false, and changes nothing, if the system refuses, the topology is not real, or there is
/// no such CPU.
bool pin_this_thread(const topology& machine, unsigned cpu_index, pinning level) noexcept;

namespace detail {

/// OS indices of the CPUs in the calling thread's affinity mask, ascending.  Never empty.
[[nodiscard]] std::vector<unsigned> allowed_cpus();

/// The tightest CPU quota, in CPUs, of a cgroup and its ancestors: v2 (cpu.max) and v1
/// (cpu.cfs_quota_us).  Missing or unreadable files do not limit: infinity.  `root` is
/// where cgroups are mounted, /sys/fs/cgroup; `membership` lists the cgroups of the
/// process, /proc/self/cgroup.
[[nodiscard]] double cgroup_cpu_quota(const std::filesystem::path& root,
                                      const std::filesystem::path& membership);

}  // namespace detail
}  // namespace hotseat
