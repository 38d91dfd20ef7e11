// hotseat/tests/support/handoffs.hpp — the three hand-offs, for test suites that are the
// same under each.
#pragma once

#include <gtest/gtest.h>

#include <hotseat/sched/handoff.hpp>

#include <array>
#include <cstddef>
#include <string>

namespace hotseat::testing {

using handoffs =
    ::testing::Types<handoff::exchange, handoff::dispatch, handoff::resume_inline>;

class handoff_names {
 public:
  template <class>
  static std::string GetName(int i) {
    constexpr std::array names{"exchange", "dispatch", "inline"};
    return names.at(static_cast<std::size_t>(i));
  }
};

}  // namespace hotseat::testing
