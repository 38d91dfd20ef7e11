// hotseat/platform/explored/futex.hpp — sleeping on a word, in virtual time.
// Layer: platform.
#pragma once

#include <hotseat/platform/explored/atomic.hpp>
#include <hotseat/platform/explored/clock.hpp>
#include <hotseat/platform/explored/machine.hpp>

#include <atomic>
#include <cstdint>

namespace hotseat::platform {

/// The comparison sees the newest value, and nothing comes between it and the sleep.  The
/// end of time is not a deadline: a thread that sleeps until then must be woken.
inline void futex_wait(atomic<std::uint32_t>& word, std::uint32_t expected,
                       const clock::time_point* deadline,
                       explored::place where = explored::place::current()) noexcept {
  explored::step();
  explored::note(explored::verb::futex_wait, &word, word.newest(),
                 std::memory_order_relaxed, where);
  if (word.newest() != expected) return;
  const bool is_for_ever = deadline == nullptr || *deadline == clock::time_point::max();
  const std::int64_t due = is_for_ever ? 0 : deadline->time_since_epoch().count();
  explored::sleep_on(&word, is_for_ever ? nullptr : &due);
}

inline void futex_wake(atomic<std::uint32_t>& word,
                       explored::place where = explored::place::current()) noexcept {
  explored::step();
  explored::note(explored::verb::futex_wake, &word, 0, std::memory_order_relaxed, where);
  explored::wake(&word, 1);
}

}  // namespace hotseat::platform
