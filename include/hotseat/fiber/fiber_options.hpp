// hotseat/fiber/fiber_options.hpp — what a fiber is given at its start.
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

  /// Whom a stack overflow is blamed on.
  std::string name = "fiber";

  /// Rounded up to a power of two.  Memory is taken as it is touched; below each stack lies
  /// a guard.  What the function captures lies on the stack, too.
  std::size_t stack_size = default_stack_size;

  /// Tells the fiber, and the tasks it awaits, to stop.
  // NOLINTNEXTLINE(readability-redundant-member-init): who leaves it out gets no warning.
  std::stop_token stop = {};
};

}  // namespace hotseat
