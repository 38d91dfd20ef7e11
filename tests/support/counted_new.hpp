// hotseat/tests/support/counted_new.hpp — how often this thread has allocated memory.  A
// test that includes it links counted_new.cpp, which replaces operator new and delete, or
// hooks into the sanitizer, which has replaced them already.
#pragma once

#include <cstdint>

namespace hotseat::testing {

/// Calls of any operator new by the calling thread so far.
[[nodiscard]] std::uint64_t allocations() noexcept;

}  // namespace hotseat::testing
