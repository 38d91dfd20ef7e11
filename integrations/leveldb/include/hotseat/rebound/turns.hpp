// hotseat/rebound/turns.hpp — fibers that seldom find a lock taken let others run, too.
#pragma once

#include <cstdint>

namespace hotseat::rebound {

/// Sections that a worker runs until the fiber that is on it goes to the back of the line.
/// Some 70 reads, and less time than threads get at once from the system.
inline constexpr std::uint32_t sections_in_a_turn = 512;

/// Called after each `unlock`: suspends the calling fiber if the turn of its worker is
/// over, others wait for that worker, and the fiber owns no other lock.  Nobody preempts a
/// fiber, and one that finds all locks free never suspends by itself.  Does nothing on a
/// plain thread.
void take_turns() noexcept;

}  // namespace hotseat::rebound
