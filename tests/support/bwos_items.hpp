// hotseat/tests/support/bwos_items.hpp — numbers as items of a queue.
#pragma once

#include <hotseat/runtime/detail/bwos_block.hpp>

#include <cstdint>
#include <vector>

namespace hotseat::testing {

using item = detail::bwos_block::item;
using numbers = std::vector<std::uintptr_t>;

inline item to_item(std::uintptr_t n) { return reinterpret_cast<item>(n); }
inline std::uintptr_t to_number(item what) {
  return reinterpret_cast<std::uintptr_t>(what);
}

}  // namespace hotseat::testing
