// hotseat/platform/real/facts.hpp — what is so on a real machine.
// Layer: platform.
#pragma once

namespace hotseat::config {

/// Threads are the operating system's, and time is what passes.
inline constexpr bool is_real_machine = true;

/// Frames that are freed may be used again for others.
inline constexpr bool keeps_freed_frames = true;

}  // namespace hotseat::config
