// hotseat/tests/support/counted_new.hpp — how often this thread has called operator new.
// Whoever includes it links counted_new.cpp, which replaces the operators.
#pragma once

#include <cstdint>

namespace hotseat::testing {

/// Calls of any operator new by the calling thread so far.
[[nodiscard]] std::uint64_t allocations() noexcept;

}  // namespace hotseat::testing
