// hotseat/platform/simulated/facts.hpp — facts about the simulated machine.
// Layer: platform.
#pragma once

namespace hotseat::config {

inline constexpr bool is_real_machine = false;

/// Freed frames stay warm in the cache of the worker, as on a real machine.
inline constexpr bool keeps_freed_frames = true;

inline constexpr int spin_turns = 64;

}  // namespace hotseat::config
