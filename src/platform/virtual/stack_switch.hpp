// hotseat/platform/virtual/stack_switch.hpp — stacks for the machines whose threads are not
// the system's.
#pragma once

#include <hotseat/platform/stack_switch.hpp>

#include <cstddef>

namespace hotseat::platform {

/// Memory for a stack, with a page below it that may not be touched.  Is never given back.
/// Throws std::bad_alloc.
[[nodiscard]] std::byte* allocate_stack(std::size_t bytes);

/// Whoever switches to `stack` next starts `entry`, which never returns.
void prepare_stack(parked_stack& stack, std::byte* lowest, std::size_t bytes,
                   void (*entry)() noexcept);

}  // namespace hotseat::platform
