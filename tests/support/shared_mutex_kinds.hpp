// hotseat/tests/support/shared_mutex_kinds.hpp — every shared mutex there is.
#pragma once

#include <gtest/gtest.h>

#include <hotseat/sched/handoff.hpp>
#include <hotseat/sync/shared_mutex.hpp>

namespace hotseat::testing {

using shared_mutex_kinds = ::testing::Types<basic_shared_mutex<handoff::exchange>,
                                            basic_shared_mutex<handoff::dispatch>,
                                            basic_shared_mutex<handoff::resume_inline>>;

}  // namespace hotseat::testing
