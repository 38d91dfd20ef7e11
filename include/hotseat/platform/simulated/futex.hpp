// hotseat/platform/simulated/futex.hpp — sleeping on a word, in virtual time.
// Layer: platform.
#pragma once

#include <hotseat/platform/simulated/atomic.hpp>
#include <hotseat/platform/simulated/clock.hpp>
#include <hotseat/platform/simulated/machine.hpp>

#include <cstdint>

namespace hotseat::platform {

inline void futex_wait(atomic<std::uint32_t>& word, std::uint32_t expected,
                       const clock::time_point* deadline) noexcept {
  simulated::catch_up();
  if (word.newest() != expected) return;
  simulated::duration due = 0;
  if (deadline != nullptr) {
    // A time too far away to count in picoseconds never comes.
    const auto since = deadline->time_since_epoch().count();
    if (since > INT64_MAX / 1000) return simulated::sleep_on(&word, nullptr);
    due = since * 1000;
  }
  simulated::sleep_on(&word, deadline != nullptr ? &due : nullptr);
}

inline void futex_wake(atomic<std::uint32_t>& word) noexcept { simulated::wake(&word, 1); }

}  // namespace hotseat::platform
