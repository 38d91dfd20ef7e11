// hotseat/platform/stack_switch.hpp — going from one stack to another.  The same on all
// machines.  Layer: platform.  In the libraries that need Boost.Context only: `fiber`, and
// those for other machines.
#pragma once

#include <array>
#include <cstddef>

namespace hotseat::platform {

/// Where somebody is who does not run just now.
struct parked_stack {
  void* where = nullptr;
  std::array<void*, 2> exceptions{};  ///< The language's bookkeeping of what is in flight.
  /// Where the thread keeps its own, if somebody has asked; see exceptions_of_thread.
  void* of_thread = nullptr;

  /// How it starts.
  void (*entry)(void* argument) noexcept = nullptr;
  void* argument = nullptr;

  parked_stack* left_for = nullptr;  ///< Whom the last switch went to.

  // What the sanitizers want to know, and remember; unused without them.
  const void* lowest = nullptr;
  std::size_t bytes = 0;
  void* fake_stack = nullptr;  ///< AddressSanitizer's.
  void* strand = nullptr;      ///< ThreadSanitizer's.
};

/// Where the language keeps what is in flight on the calling thread.  Takes longer than the
/// rest of a switch: a stack that stays on its thread may know it.
[[nodiscard]] void* exceptions_of_thread() noexcept;

/// Whoever switches to `stack` next starts `entry(argument)`, which never returns: it ends
/// with `leave_stack`.
void prepare_stack(parked_stack& stack, std::byte* lowest, std::size_t bytes,
                   void (*entry)(void* argument) noexcept, void* argument);

/// Leaves `from` where it is and goes on with `to`.  Returns when somebody goes back,
/// perhaps on another thread: nothing that belongs to the thread may be kept across it.
/// Exceptions in flight stay with the stack they fly on.
void switch_stacks(parked_stack& from, parked_stack& to) noexcept;

/// The same for good: nobody goes back to `from`.
[[noreturn]] void leave_stack(parked_stack& from, parked_stack& to) noexcept;

/// The sanitizers forget a stack that was prepared, and left for good or never started.
void forget_stack(parked_stack& stack) noexcept;

}  // namespace hotseat::platform
