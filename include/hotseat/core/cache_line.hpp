// hotseat/core/cache_line.hpp — what must not share a line is kept apart by this.
// Layer: core.
#pragma once

#include <cstddef>

namespace hotseat {

/// Bytes that travel together between cores.
inline constexpr std::size_t cache_line = 64;

/// Two lines: x86 prefetches the neighbour of a line, so what is written all the time by
/// one worker stays this far from what others read.
inline constexpr std::size_t cache_line_pair = 2 * cache_line;

/// A T that shares its line with nothing else.
template <class T>
struct alignas(cache_line) padded {
  T value{};
};

}  // namespace hotseat
