// hotseat/platform/real/thread.hpp — a thread of the operating system.
// Layer: platform.
#pragma once

#include <thread>

namespace hotseat::platform {

/// Throws std::system_error when the system gives no more threads.
using thread = std::thread;

/// Shows `name` (up to 15 characters) in debuggers and in top.
void name_this_thread(const char* name) noexcept;

/// Calls `last_words` when the calling thread ends; once for each thread, whatever the
/// number of calls.  Only one function may be used in the whole program.
void at_thread_exit(void (*last_words)() noexcept) noexcept;

}  // namespace hotseat::platform
