// hotseat/trace/timeline.hpp — a recording as slices: which task ran where, and when.
// Layer: trace.  Read next: trace/json.hpp.
#pragma once

#include <hotseat/trace/recording.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hotseat::trace {

/// A stretch of time on one thread.
struct slice {
  enum class type : std::uint8_t {
    task,       ///< A task ran.
    combining,  ///< Its task had left; the worker ran the sections of others.
    section,    ///< A task was inside a lock.
    mark,       ///< What the program marked with trace::section.
    parked,     ///< The worker slept.
  };
  type what;
  std::size_t thread;           ///< Index in timeline::threads.
  double begin;                 ///< In microseconds since the first event.
  double end;                   ///< As above.
  std::uint32_t number = 0;     ///< Of the task, or of the lock, in order of appearance.
  const char* name = nullptr;   ///< Of a mark, or of a task that has one.
  std::uint32_t entered = 0;    ///< Of a section: one of `entry`.
  bool is_continued = false;    ///< It began earlier; this is the rest of it.
  bool is_interrupted = false;  ///< It goes on later, or the recording ended first.
};

/// A lock passed from one task to the next, which had waited for it: their slices.
struct hand_over {
  std::size_t from;
  std::size_t to;
};

/// An event that takes no time.
struct moment {
  std::size_t thread;
  double at;
  std::uint32_t stolen;
};

/// Two slices of one thread are apart, or one is inside the other.
struct timeline {
  struct thread {
    std::string name;
    std::uint64_t dropped = 0;
    double end = 0;  ///< The time of its last event.
  };
  std::vector<thread> threads;
  std::vector<slice> slices;  ///< In the order of their start; outer before inner.
  std::vector<hand_over> hand_overs;
  std::vector<moment> steals;
  std::size_t events = 0;
  std::uint64_t dropped = 0;
};

/// A section that is held across a suspension is shown in parts, one in each run of the
/// task.  Worker threads come first, in the order of their numbers.
[[nodiscard]] timeline timeline_of(const recording& what);

}  // namespace hotseat::trace
