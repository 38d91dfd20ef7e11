// hotseat/platform/simulated/heap.hpp — memory at the same addresses in each simulation.
#pragma once

namespace hotseat::platform::simulated {

/// Which objects share a line decides what an access costs, so a repeatable run needs the
/// same layout.  While a virtual thread runs, `new` takes from a heap that starts empty
/// with each simulation.  Objects left over from an earlier one stay valid.
void begin_heap() noexcept;

}  // namespace hotseat::platform::simulated
