// hotseat/platform/simulated/heap.hpp — memory at the same addresses in each simulation.
#pragma once

namespace hotseat::platform::simulated {

/// Which objects share a line decides what an access costs, so a run that shall be the same
/// again needs the same layout.  While a virtual thread runs, `new` takes from a heap that
/// starts empty with each simulation.  What is left over from it stays valid.
void begin_heap() noexcept;

}  // namespace hotseat::platform::simulated
