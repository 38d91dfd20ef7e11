// hotseat/trace/recording.hpp — starts and stops a recording, and what one holds.
// Layer: trace.  Read next: trace/timeline.hpp.
#pragma once

#include <hotseat/trace/trace.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hotseat::trace {

struct event {
  std::uint64_t ticks;  ///< platform::ticks
  const void* whom;
  std::uint32_t number;
  kind what;
};

/// What one thread did, in order.
struct thread_events {
  std::string name;
  std::uint64_t dropped = 0;  ///< Events that did not fit, after the last one here.
  std::vector<event> events;
};

struct recording {
  std::vector<thread_events> threads;
  double ticks_per_microsecond = 1;
};

inline constexpr std::size_t most_events_by_default = 2'000'000;

/// Starts recording on all threads.  The previous recording is discarded, but its memory is
/// kept to the end of the program, since a thread may still be writing: start seldom.
/// Events that do not fit are only counted.  Threads take their room in blocks of 2048 out
/// of `most_events`, so a part of the last one stays unused.  Does nothing if
/// `config::records_traces` is false.
void start(std::size_t most_events = most_events_by_default);

/// Stops the recording and returns it.  Threads may be running: what they do from now on is
/// not recorded.  REQUIRES: no other thread calls `start` or `stop`.
recording stop();

}  // namespace hotseat::trace
