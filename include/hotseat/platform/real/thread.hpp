// hotseat/platform/real/thread.hpp — a thread of the operating system.
// Layer: platform.
#pragma once

#include <cstdint>
#include <thread>

namespace hotseat::platform {

/// Throws std::system_error when the system gives no more threads.
using thread = std::thread;

/// Shows `name` (up to 15 characters) in debuggers and in top.
void name_this_thread(const char* name) noexcept;

/// Tells a machine that has no system below it where the calling thread belongs.
inline void settle_on(unsigned /*cpu*/) noexcept {}

/// The address that the calling thread's stack should not grow below: a quarter of it is
/// left for what the program itself needs.
[[nodiscard]] std::uintptr_t stack_floor() noexcept;

/// Where the calling thread's stack is now.
[[nodiscard, gnu::always_inline]] inline std::uintptr_t stack_position() noexcept {
  return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
}

/// Calls `last_words` when the calling thread ends; once for each thread, whatever the
/// number of calls.  Only one function may be used in the whole program.
void at_thread_exit(void (*last_words)() noexcept) noexcept;

}  // namespace hotseat::platform
