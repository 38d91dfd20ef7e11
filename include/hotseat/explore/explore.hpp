// hotseat/explore/explore.hpp — runs a concurrent program under many schedules, or all.
// Layer: explore.  Only in programs that link hotseat::explored.  Guide:
// docs/guide/exploring.md.
#pragma once

#include <hotseat/platform/config.hpp>
#include <hotseat/platform/explored/machine.hpp>

#include <cstdint>
#include <functional>
#include <source_location>
#include <string>

namespace hotseat {

static_assert(
    !config::is_real_machine,
    "exploring needs another build of the library: link hotseat::explored instead "
    "of hotseat::hotseat");

enum class strategy : std::uint8_t {
  mixed,        ///< Random walks, patient ones, and priorities, in turn.
  random_walk,  ///< At each step, any thread that can go on.
  priorities,   ///< PCT: the thread of highest priority; `depth - 1` times that changes.
  exhaustive,   ///< All schedules with at most `preemptions` deviations from the usual.
};

struct explore_options {
  std::string name = "program";  ///< For reports, and to choose what to replay.
  strategy how = strategy::mixed;
  std::uint64_t schedules = 10'000;  ///< At most; an exhaustive search may need fewer.
  std::uint64_t seed = 1;
  unsigned depth = 3;
  /// Times that a thread is interrupted although it could go on, that a load sees an old
  /// value, that a weak exchange fails for no reason, that a deadline passes early.
  unsigned preemptions = 2;
  std::uint64_t most_steps = 20'000;  ///< More is a livelock.
  bool shows_stale_values = true;     ///< Otherwise every load sees the newest value.
  bool has_membarrier = true;         ///< Otherwise as where the kernel refuses it.
  bool checks_leaks = true;           ///< A task that is never freed is a failure.
  bool prints = true;                 ///< A failure is written to stderr.
  /// What a failure said, to see it once more.
  // NOLINTNEXTLINE(readability-redundant-member-init): so that it may be left out.
  std::string replay = {};
};

struct explore_result {
  using kind = platform::explored::failure_kind;

  kind failure = kind::none;
  bool is_complete = false;  ///< Exhaustive: there is no other schedule within the bound.
  std::uint64_t schedules = 0;
  std::uint64_t steps = 0;
  std::string what;    ///< went wrong, in a line
  std::string replay;  ///< makes it go wrong again
  std::string report;  ///< all of this, and the last steps of each thread

  [[nodiscard]] bool has_failed() const noexcept { return failure != kind::none; }
};

/// Runs `program` again and again, each time with its threads interleaved differently,
/// until it fails or has run often enough.  Everything in it that is hotseat's runs in
/// virtual threads on the calling one: pools, tasks, primitives, timers,
/// `platform::thread`, `platform::atomic`.  Time is virtual, so sleeping costs nothing.
///
/// It fails if `verify` does not hold, if a violation is reported or an exception leaves a
/// thread, if all threads sleep for ever (deadlock) or run for ever (livelock), if two
/// threads race for a `platform::var`, if memory of a task is used after it was freed, if a
/// task is lost, if it crashes.
///
/// `program` must do the same each time it makes the same decisions: no real time, no
/// random numbers but fixed ones, no addresses as keys, no state that survives it.
///
/// The environment can change what it does: HOTSEAT_REPLAY="name replay" replays one
/// failure and prints its steps; HOTSEAT_EXPLORE_SCALE multiplies the number of schedules,
/// and HOTSEAT_EXPLORE_LIMIT bounds it, also that of an exhaustive search;
/// HOTSEAT_WEAKEN="file.hpp:line" makes the atomic operations there relaxed;
/// HOTSEAT_SITES="file" adds to that file what could be weakened in what has run.
explore_result explore(const explore_options& options,
                       const std::function<void()>& program);

/// Inside a program that is explored: what must hold.
void verify(bool holds, const char* what,
            std::source_location where = std::source_location::current()) noexcept;

}  // namespace hotseat
