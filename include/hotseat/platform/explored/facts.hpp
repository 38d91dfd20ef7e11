// hotseat/platform/explored/facts.hpp — what is so where every schedule is explored.
// Layer: platform.
#pragma once

namespace hotseat::config {

inline constexpr bool is_real_machine = false;

}  // namespace hotseat::config
