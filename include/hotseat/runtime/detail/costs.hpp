// hotseat/runtime/detail/costs.hpp — every constant of the scheduler: its unit, its reason
// and the experiment behind it.  Layer: runtime/detail.
// What each is worth, alone: docs/lab/ablation.md.
#pragma once

#include <hotseat/platform/seam.hpp>

#include <cstddef>
#include <cstdint>

namespace hotseat::detail {

/// A time of the heuristics, written in microseconds and used in platform ticks: at other
/// speeds of the clock it is another number.
[[nodiscard]] inline std::uint64_t to_ticks(double microseconds) noexcept {
  return static_cast<std::uint64_t>(microseconds * platform::ticks_per_microsecond());
}

/// Counts: the same on each machine.
struct quota {
  /// Tasks between two looks outside.  Prime, so that it does not fall into step with a
  /// pattern of tasks.  Go and tokio use 61, too.
  static constexpr std::int64_t fairness_interval = 61;

  /// Most tasks taken in one steal, or from the injector at once: two blocks of a queue.
  static constexpr std::size_t batch = 64;

  /// Most spin hints between two rounds of a search.  They grow by doubling, so that a
  /// searcher looks often at first and disturbs little later.
  static constexpr unsigned longest_pause = 32;
};

/// Times, in ticks.
struct costs {
  /// How long a searcher goes on before it sleeps: about what waking a thread takes.
  std::uint64_t patience = to_ticks(30);
  /// The same when the busy workers have all CPUs: one that spins keeps one from running.
  std::uint64_t short_patience = to_ticks(1);

  /// What a steal costs, however many tasks it takes, and at least per task.
  std::uint64_t steal = to_ticks(0.3);
  std::uint64_t move = to_ticks(0.1);
  /// What a thief that was asleep has cost: somebody had to wake it.
  std::uint64_t wake = to_ticks(4);
  /// What it costs to take the CPU of a busy worker, perhaps of the one that combines.
  std::uint64_t crowd = to_ticks(20);
  /// How long a thief rests whose loot was not worth that.
  std::uint64_t shortest_rest = to_ticks(2);
  std::uint64_t longest_rest = to_ticks(100);

  /// How long a worker beside a contended lock keeps tasks back before it publishes them:
  /// at least, and at most; in between, `publishing_share` times what publishing took.
  std::uint64_t shortest_gathering = to_ticks(3);
  std::uint64_t longest_gathering = to_ticks(30);
  static constexpr std::uint64_t publishing_share = 8;
};

}  // namespace hotseat::detail
