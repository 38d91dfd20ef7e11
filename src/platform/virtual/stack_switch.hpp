// hotseat/platform/virtual/stack_switch.hpp — stacks, and going from one to another.  For
// the machines whose threads are not the system's.
#pragma once

#include <array>
#include <cstddef>

namespace hotseat::platform {

/// Where somebody is who does not run just now.
struct parked_stack {
  void* where = nullptr;
  std::array<void*, 2> exceptions{};  ///< The language's bookkeeping of what is in flight.
};

/// Memory for a stack, with a page below it that may not be touched.  Is never given back.
/// Throws std::bad_alloc.
[[nodiscard]] std::byte* allocate_stack(std::size_t bytes);

/// Whoever switches to `stack` next starts `entry`, which never returns.
void prepare_stack(parked_stack& stack, std::byte* lowest, std::size_t bytes,
                   void (*entry)() noexcept);

/// Leaves `from` where it is and goes on with `to`.  Returns when somebody goes back.
void switch_stacks(parked_stack& from, parked_stack& to) noexcept;

}  // namespace hotseat::platform
