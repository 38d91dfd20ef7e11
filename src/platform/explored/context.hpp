// hotseat/platform/explored/context.hpp — stacks, and going from one to another.
#pragma once

#include <hotseat/platform/explored/machine.hpp>

#include <cstdint>

namespace hotseat::platform::explored {

/// Makes the thread start with `entry`, on a stack that belongs to its id and is used again
/// in the next execution.  REQUIRES: no thread of that id is running.
void prepare_context(thread_record& thread, void (*entry)() noexcept);

/// Leaves `from` where it is and goes on with `to`.  Returns when somebody goes back.
void switch_context(thread_record& from, thread_record& to) noexcept;

}  // namespace hotseat::platform::explored
