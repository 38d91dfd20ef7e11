// hotseat/rebound/patience.hpp — how a thread waits that keeps its core: for a while.
#pragma once

#include <hotseat/platform/seam.hpp>

namespace hotseat::rebound {

/// Spins, and then gives the core away again and again, so that an owner that lost its core
/// can finish where there are more threads than cores.
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
