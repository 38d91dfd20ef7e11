// hotseat/platform/real/futex.hpp — the kernel's futex, and what to do without it.
// Layer: platform.
#pragma once

#include <hotseat/platform/atomic.hpp>
#include <hotseat/platform/clock.hpp>

#include <cstdint>

namespace hotseat::platform {

/// Sleeps if `word` is `expected`, until somebody wakes it or `deadline` is over.  May also
/// return for no reason.  Where the kernel refuses futexes this is a short sleep: whoever
/// calls it in a loop loses time, but no wake-up.
void futex_wait(atomic<std::uint32_t>& word, std::uint32_t expected,
                const clock::time_point* deadline) noexcept;

/// Wakes one thread that sleeps on `word`, of which only the address is used: the word may
/// be gone.
void futex_wake(atomic<std::uint32_t>& word) noexcept;

}  // namespace hotseat::platform
