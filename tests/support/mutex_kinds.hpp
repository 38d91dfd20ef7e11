// hotseat/tests/support/mutex_kinds.hpp — every mutex there is: three hand-offs, two
// states.
#pragma once

#include <gtest/gtest.h>

#include <hotseat/sched/handoff.hpp>
#include <hotseat/sync/lock_state.hpp>
#include <hotseat/sync/mutex.hpp>

namespace hotseat::testing {

using mutex_kinds =
    ::testing::Types<basic_mutex<handoff::exchange, lock_state::lock_free>,
                     basic_mutex<handoff::exchange, lock_state::spin_locked>,
                     basic_mutex<handoff::dispatch, lock_state::lock_free>,
                     basic_mutex<handoff::dispatch, lock_state::spin_locked>,
                     basic_mutex<handoff::resume_inline, lock_state::lock_free>,
                     basic_mutex<handoff::resume_inline, lock_state::spin_locked>>;

}  // namespace hotseat::testing
