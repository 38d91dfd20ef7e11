// hotseat/platform/real/facts.hpp — facts about the real machine.
// Layer: platform.
#pragma once

namespace hotseat::config {

/// Threads are the operating system's, and time is real.
inline constexpr bool is_real_machine = true;

/// Freed frames may be reused for other tasks.
inline constexpr bool keeps_freed_frames = true;

/// How often a loop that waits for another thread looks before it yields its core: about a
/// microsecond, longer than a running thread holds any guard.
inline constexpr int spin_turns = 64;

}  // namespace hotseat::config
