// hotseat/rebound/turns.hpp — fibers that seldom find a lock taken let others run, too.
#pragma once

#include <cstdint>

namespace hotseat::rebound {

/// Sections that a worker runs before its fiber goes to the back of the line: about 70
/// reads, and less time than the system gives a thread at once.
inline constexpr std::uint32_t sections_in_a_turn = 512;

/// Called after each `unlock`: suspends the calling fiber if its worker's turn has ended,
/// other tasks wait for that worker, and the fiber owns no other lock.  Nothing preempts a
/// fiber, and one that finds all locks free never suspends by itself.  No effect on plain
/// threads.
void take_turns() noexcept;

}  // namespace hotseat::rebound
