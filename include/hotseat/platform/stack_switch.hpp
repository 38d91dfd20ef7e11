// hotseat/platform/stack_switch.hpp — going from one stack to another, on all machines.
// Layer: platform.  Only in the libraries that need Boost.Context: `fiber`, and those for
// other machines.
#pragma once

#include <array>
#include <cstddef>

namespace hotseat::platform {

/// A stack that is not running, and how to continue on it.
struct parked_stack {
  void* where = nullptr;
  std::array<void*, 2> exceptions{};  ///< The C++ runtime's record of exceptions in flight.
  /// Where its thread keeps that record, if known; see exceptions_of_thread.
  void* of_thread = nullptr;

  /// How it starts.
  void (*entry)(void* argument) noexcept = nullptr;
  void* argument = nullptr;

  parked_stack* left_for = nullptr;  ///< Where the last switch went.

  // For the sanitizers; unused without them.
  const void* lowest = nullptr;
  std::size_t bytes = 0;
  void* fake_stack = nullptr;  ///< AddressSanitizer's.
  void* strand = nullptr;      ///< ThreadSanitizer's.
};

/// Where the C++ runtime keeps the calling thread's exceptions in flight.  Takes longer
/// than the rest of a switch, so a stack that stays on its thread may keep the result.
[[nodiscard]] void* exceptions_of_thread() noexcept;

/// The next switch to `stack` starts `entry(argument)`, which never returns: it ends with
/// `leave_stack`.
void prepare_stack(parked_stack& stack, std::byte* lowest, std::size_t bytes,
                   void (*entry)(void* argument) noexcept, void* argument);

/// Leaves `from` where it is and goes on with `to`.  Returns when a switch goes back,
/// perhaps on another thread: nothing that belongs to the thread may be kept across it.
/// Exceptions in flight stay with their stack.
void switch_stacks(parked_stack& from, parked_stack& to) noexcept;

/// The same for good: nothing switches back to `from`.
[[noreturn]] void leave_stack(parked_stack& from, parked_stack& to) noexcept;

/// Makes the sanitizers forget a prepared stack that was left for good or never started.
void forget_stack(parked_stack& stack) noexcept;

}  // namespace hotseat::platform
