// hotseat/platform/explored/facts.hpp — what is so where every schedule is explored.
// Layer: platform.
#pragma once

namespace hotseat::config {

inline constexpr bool is_real_machine = false;

/// A frame that is used again hides a use after free.
inline constexpr bool keeps_freed_frames = false;

/// Once is as good as many times.
inline constexpr int spin_turns = 1;

}  // namespace hotseat::config
