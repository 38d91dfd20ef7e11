// hotseat/runtime/detail/costs.hpp — every constant of the scheduler: its unit, its reason
// and the experiment behind it.  Layer: runtime/detail.
// The effect of each one alone: docs/lab/ablation.md.
#pragma once

#include <hotseat/platform/seam.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace hotseat::detail {

/// A time of the heuristics: written in microseconds, used in platform ticks, whose rate
/// depends on the machine.
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

  /// Most spin hints between two rounds of a search.  Their number doubles each time: a
  /// searcher looks often at first, and later disturbs those little who have tasks.
  static constexpr unsigned longest_pause = 32;
};

/// Times, in ticks.
struct costs {
  /// How long a searcher goes on before it sleeps: about what waking a thread takes.
  std::uint64_t patience = to_ticks(30);
  /// The same with an event_source: what the worker waits for wakes it, and spinning would
  /// delay that.
  std::uint64_t short_patience = to_ticks(1);

  /// What a theft costs: `steal` once, and at least `move` for each task.
  std::uint64_t steal = to_ticks(0.3);
  std::uint64_t move = to_ticks(0.1);
  /// At least this if the thief took the CPU of a busy worker, perhaps the combining one.
  std::uint64_t busy_cpu = to_ticks(20);
  /// How long a thief rests after a theft that was not worth the trouble.
  std::uint64_t shortest_rest = to_ticks(2);
  std::uint64_t longest_rest = to_ticks(100);

  /// How long a worker beside a contended lock keeps tasks back before it publishes them:
  /// at least and at most; in between, `publishing_share` times as long as publishing took.
  std::uint64_t shortest_gathering = to_ticks(3);
  std::uint64_t longest_gathering = to_ticks(30);
  static constexpr std::uint64_t publishing_share = 8;

  /// How long a busy worker with an event_source leaves it alone: a look is a system call
  /// of 0.3 us.
  std::uint64_t polling = to_ticks(20);
  /// How often the watch looks for workers that have not polled, and after how many looks
  /// at sleeping workers it sleeps, too.  Go's monitor waits 10 ms before it polls.
  static constexpr std::chrono::milliseconds watch_interval{2};
  static constexpr unsigned quiet_looks = 5;
};

}  // namespace hotseat::detail
