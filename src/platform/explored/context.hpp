// hotseat/platform/explored/context.hpp — the stacks of the threads of an execution.
#pragma once

#include <hotseat/platform/explored/machine.hpp>

#include <cstdint>

namespace hotseat::platform::explored {

/// Makes the thread start with `entry`, on a stack that belongs to its id and is reused in
/// the next execution.  REQUIRES: no thread of that id is running.
void prepare_context(thread_record& thread, void (*entry)() noexcept);

/// The id of the caller of `execute`, which has its own stack.
inline constexpr unsigned outside_id = most_threads;

/// Leaves `from` where it is and goes on with `to`.  Returns when a switch goes back.
void switch_context(const thread_record& from, const thread_record& to) noexcept;

}  // namespace hotseat::platform::explored
