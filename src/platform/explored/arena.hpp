// hotseat/platform/explored/arena.hpp — memory that lives as long as an execution.
#pragma once

namespace hotseat::platform::explored {

/// What was allocated in the last execution is used again.
void reuse_memory() noexcept;

}  // namespace hotseat::platform::explored
