// bench/trace/scene.hpp — the paper's picture, played: three tasks on three threads.
// Read next: picture.hpp (how it is drawn), command.cpp.
#pragma once

#include <hotseat/core/timeline.hpp>

#include <string>

namespace hotseat::bench {

/// Three tasks, each twice: a parallel part, a section behind one mutex, a parallel part.
/// Two others come and go and take a worker each time, as in a program that has more to do
/// than this.
///
/// A task occupies its worker by letting it sleep: so three threads run at the same time
/// on a machine with fewer CPUs, too.  Everything else is as always: pool, lock, recorder.
inline constexpr const char* other_name = "other";

/// Plays it with that hand-off, and records it.
trace::timeline play_scene(const std::string& handoff, double milliseconds_of_a_section);

}  // namespace hotseat::bench
