// hotseat/fiber/fiber_options.hpp — name, stack and stop token of a fiber.
// Layer: fiber.
#pragma once

#include <hotseat/platform/memory.hpp>

#include <cstddef>
#include <stop_token>
#include <string>

namespace hotseat {

struct fiber_options {
  static constexpr std::size_t default_stack_size = std::size_t{128} << 10U;
  static constexpr std::size_t least_stack_size = platform::least_stack_bytes;
  static constexpr std::size_t most_stack_size = platform::most_stack_bytes;

  /// Named in the report of a stack overflow.
  std::string name = "fiber";

  /// Rounded up to a power of two.  Memory is committed as it is touched; below each stack
  /// is a guard area.  The captures of the function live on the stack, too.
  std::size_t stack_size = default_stack_size;

  /// Tells the fiber, and the tasks it awaits, to stop.
  // NOLINTNEXTLINE(readability-redundant-member-init): leaving it out causes no warning.
  std::stop_token stop = {};
};

}  // namespace hotseat
