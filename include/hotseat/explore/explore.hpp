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
  priorities,   ///< PCT: the thread of highest priority; that changes `depth - 1` times.
  exhaustive,   ///< All schedules with at most `preemptions` deviations from the default.
};

struct explore_options {
  std::string name = "program";  ///< For reports, and to choose what to replay.
  strategy how = strategy::mixed;
  std::uint64_t schedules = 10'000;  ///< At most; an exhaustive search may need fewer.
  std::uint64_t seed = 1;
  unsigned depth = 3;
  /// How often a thread may be interrupted although it could go on, a load may see an old
  /// value, a weak exchange may fail spuriously, a deadline may pass early: all together.
  unsigned preemptions = 2;
  std::uint64_t most_steps = 20'000;  ///< More count as a livelock.
  bool shows_stale_values = true;     ///< Otherwise every load sees the newest value.
  bool has_membarrier = true;         ///< Otherwise as if the kernel refused it.
  bool checks_leaks = true;           ///< A task that is never freed is a failure.
  bool prints = true;                 ///< A failure is written to stderr.
  /// The `replay` of an earlier failure, to reproduce it.
  // NOLINTNEXTLINE(readability-redundant-member-init): so that it may be left out.
  std::string replay = {};
};

struct explore_result {
  using kind = platform::explored::failure_kind;

  kind failure = kind::none;
  bool is_complete = false;  ///< Exhaustive: every schedule within the bound was run.
  std::uint64_t schedules = 0;
  std::uint64_t steps = 0;
  std::string what;    ///< what went wrong, in one line
  std::string replay;  ///< reproduces the failure
  std::string report;  ///< all of this, and the last steps of each thread

  [[nodiscard]] bool has_failed() const noexcept { return failure != kind::none; }
};

/// Runs `program` again and again, each time with its threads interleaved differently,
/// until it fails or has run often enough.  All of hotseat in it runs in virtual threads on
/// the calling thread: pools, tasks, primitives, timers, `platform::thread`,
/// `platform::atomic`.  Time is virtual, so sleeping costs nothing.
///
/// It fails if `verify` does not hold, a violation is reported, an exception leaves a
/// thread, all threads sleep for ever (deadlock) or run for ever (livelock), two threads
/// race for a `platform::var`, memory of a task is used after it was freed, a task is lost,
/// or the program crashes.
///
/// `program` must behave the same whenever the same decisions are made: no real time, no
/// random numbers except fixed ones, no addresses as keys, no state that survives a run.
///
/// The environment can change what it does: HOTSEAT_REPLAY="name replay" replays one
/// failure and prints its steps; HOTSEAT_EXPLORE_SCALE multiplies the number of schedules,
/// and HOTSEAT_EXPLORE_LIMIT bounds it, even for an exhaustive search;
/// HOTSEAT_WEAKEN="file.hpp:line" makes the atomic operations there relaxed;
/// HOTSEAT_SITES="file" adds to that file the operations that have run and could be
/// weakened.
explore_result explore(const explore_options& options,
                       const std::function<void()>& program);

/// Inside an explored program: fails the run unless `holds`.
void verify(bool holds, const char* what,
            std::source_location where = std::source_location::current()) noexcept;

}  // namespace hotseat
