// hotseat/platform/explored/arena.hpp — memory that lives as long as an execution.
#pragma once

namespace hotseat::platform::explored {

/// Frees what the last execution allocated, for reuse.
void reuse_memory() noexcept;

}  // namespace hotseat::platform::explored
