// bench/forking/skynet_children.hpp — the shape of skynet's tree.
#pragma once

#include <cstdint>

namespace hotseat::bench {

inline constexpr std::uint64_t skynet_children = 10;

}  // namespace hotseat::bench
