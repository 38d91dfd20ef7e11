// hotseat/rebound/patience.hpp — spinning for a while, then yielding the core.
#pragma once

#include <hotseat/platform/seam.hpp>

namespace hotseat::rebound {

/// Spins, then yields the core repeatedly, so that an owner that lost its core can finish
/// when there are more threads than cores.
class patience {
 public:
  void wait() noexcept {
    if (turns_ < most_turns) {
      ++turns_;
      platform::relax();
    } else {
      platform::yield_core();
    }
  }

 private:
  static constexpr unsigned most_turns = 64;
  unsigned turns_ = 0;
};

}  // namespace hotseat::rebound
