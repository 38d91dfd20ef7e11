// hotseat/platform/explored/stacks.cpp — stacks of fibers, by size.
#include <hotseat/platform/memory.hpp>

#include <bit>
#include <map>
#include <vector>

#include "../virtual/stack_switch.hpp"

namespace hotseat::platform {

namespace {

std::vector<std::byte*>& free_stacks(std::size_t bytes) {
  static std::map<std::size_t, std::vector<std::byte*>> by_size;
  return by_size[bytes];
}

}  // namespace

guarded_stack take_stack(std::size_t bytes) {
  bytes = std::bit_ceil(bytes);
  std::vector<std::byte*>& free = free_stacks(bytes);
  if (free.empty()) return {allocate_stack(bytes), bytes};
  std::byte* const lowest = free.back();
  free.pop_back();
  return {lowest, bytes};
}

void give_stack(guarded_stack stack) noexcept {
  free_stacks(stack.bytes).push_back(stack.lowest);
}

}  // namespace hotseat::platform
