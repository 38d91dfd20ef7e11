// hotseat/platform/simulated/lines.hpp — where cache lines are, and what moving one costs.
#pragma once

#include <hotseat/platform/simulated/machine.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hotseat::platform::simulated {

[[nodiscard]] inline duration picoseconds(double nanoseconds) noexcept {
  return static_cast<duration>(nanoseconds * 1000);
}

/// The cores, and a few more for threads that have none.
inline constexpr unsigned most_cores = 320;

class core_set {
 public:
  [[nodiscard]] bool has(unsigned core) const noexcept {
    return (words_[core / 64] >> core % 64 & 1U) != 0;
  }
  void add(unsigned core) noexcept { words_[core / 64] |= std::uint64_t{1} << core % 64; }
  [[nodiscard]] bool is_empty() const noexcept { return !meets_not({}); }
  [[nodiscard]] bool meets(const core_set& other) const noexcept {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if ((words_[i] & other.words_[i]) != 0) return true;
    }
    return false;
  }
  /// Whether it has a core that `other` lacks.
  [[nodiscard]] bool meets_not(const core_set& other) const noexcept {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if ((words_[i] & ~other.words_[i]) != 0) return true;
    }
    return false;
  }
  friend bool operator==(const core_set&, const core_set&) = default;

 private:
  std::array<std::uint64_t, most_cores / 64> words_{};
};

/// The directory of a machine: which cores have a line, and until when it is in transit.
///
///     state      holders     is_dirty
///     ─────────  ──────────  ────────
///     nowhere    none        no
///     shared     some cores  no
///     exclusive  one core    if it was written to there
class line_table {
 public:
  explicit line_table(const machine_description& machine);

  /// Whether the access involves no other core.
  [[nodiscard]] bool is_hit(const void* address, access how, unsigned core) noexcept;

  /// Whether the order of accesses matters: the line must travel, or the access writes to
  /// it and it was elsewhere a moment ago.
  [[nodiscard]] bool is_contended(const void* address, access how, unsigned core,
                                  duration now) noexcept;

  /// Makes the access at `now` and returns how long it takes, waiting included.
  duration use(const void* address, access how, unsigned core, duration now) noexcept;

  /// Sends for the line, to write to it.  A use before it arrives waits for the rest of the
  /// way.
  void send_for(const void* address, unsigned core, duration now) noexcept;

  std::array<std::uint64_t, 5> transfers{};  // see counts
  std::uint64_t waited = 0;

 private:
  struct line {
    std::uintptr_t number = 0;  // of the line; 0: this place is free
    duration free_at = 0;
    core_set holders;
    bool is_dirty = false;
    bool is_sent_for = false;  // on its way to its one holder, which goes on meanwhile
  };
  struct neighbourhood {
    core_set self;
    core_set cache;
    core_set node;
  };
  enum origin : std::size_t { sibling, cache, node, remote, memory };

  line& at(const void* address) noexcept;
  static duration rest_of_way(line& l, duration now) noexcept;
  void grow();
  [[nodiscard]] origin nearest(const line& l, unsigned core) const noexcept;
  [[nodiscard]] origin farthest(const line& l, unsigned core) const noexcept;

  std::vector<line> places_;
  std::size_t count_ = 0;
  std::vector<neighbourhood> near_;
  std::array<duration, 5> price_{};
  duration hit_;
  duration update_;
  duration arbitration_;
};

}  // namespace hotseat::platform::simulated
