// hotseat/sync/lock_state.hpp — the two states of the paper, for basic_mutex.
// Layer: sync.
#pragma once

#include <hotseat/sync/detail/lock_free_state.hpp>
#include <hotseat/sync/detail/spin_locked_state.hpp>

namespace hotseat::lock_state {

using lock_free = detail::lock_free_state;      ///< One word and a line: the default.
using spin_locked = detail::spin_locked_state;  ///< A queue behind a spin lock.

}  // namespace hotseat::lock_state
