// hotseat/platform/explored/facts.hpp — facts about the explored machine.
// Layer: platform.
#pragma once

namespace hotseat::config {

inline constexpr bool is_real_machine = false;

/// A reused frame hides a use after free.
inline constexpr bool keeps_freed_frames = false;

/// One look is as good as many.
inline constexpr int spin_turns = 1;

}  // namespace hotseat::config
