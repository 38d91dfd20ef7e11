// hotseat/trace/recording.hpp — starting and ending a recording, and what it holds.
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
  std::uint64_t dropped = 0;  ///< Events that found no room after the last one here.
  std::vector<event> events;
};

struct recording {
  std::vector<thread_events> threads;
  double ticks_per_microsecond = 1;
};

inline constexpr std::size_t most_events_by_default = 2'000'000;

/// Begins to record, on all threads.  What was recorded before is forgotten, but its memory
/// is kept to the end of the program, since a thread may still be writing: start seldom.
/// When there is no room for more, further events are counted only.  Threads take their
/// room in blocks of 2048 out of `most_events`, so that a part of the last one stays
/// unused. Does nothing where `config::records_traces` is false.
void start(std::size_t most_events = most_events_by_default);

/// Ends the recording and returns it.  Threads may be running: what they do from now on is
/// not recorded.  REQUIRES: no other thread starts or stops.
recording stop();

}  // namespace hotseat::trace
