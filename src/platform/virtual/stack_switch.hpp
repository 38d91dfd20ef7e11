// hotseat/platform/virtual/stack_switch.hpp — stacks for machines with virtual threads.
#pragma once

#include <hotseat/platform/stack_switch.hpp>

#include <cstddef>

namespace hotseat::platform {

/// Memory for a stack, with an inaccessible page below it.  Never given back.  Throws
/// std::bad_alloc.
[[nodiscard]] std::byte* allocate_stack(std::size_t bytes);

/// The next switch to `stack` starts `entry`, which never returns.
void prepare_stack(parked_stack& stack, std::byte* lowest, std::size_t bytes,
                   void (*entry)() noexcept);

}  // namespace hotseat::platform
