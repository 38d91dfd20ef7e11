// hotseat/platform/real/facts.hpp — what is so on a real machine.
// Layer: platform.
#pragma once

namespace hotseat::config {

/// Threads are the operating system's, and time is what passes.
inline constexpr bool is_real_machine = true;

/// Frames that are freed may be used again for others.
inline constexpr bool keeps_freed_frames = true;

/// How often a loop that waits for another thread looks before it gives its core away:
/// about a microsecond, longer than any guard is held by a thread that runs.
inline constexpr int spin_turns = 64;

}  // namespace hotseat::config
