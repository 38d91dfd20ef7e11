// hotseat/core/spin_wait.hpp — waiting for what another thread is about to do.
// Layer: core.  Needs no library: integrations use it too.
#pragma once

#include <hotseat/platform/config.hpp>
#include <hotseat/platform/seam.hpp>

namespace hotseat::detail {

/// One call is one turn of a loop that looks again and again.  After some turns it gives
/// the core away each time: the other thread may have lost its own.
class spin_wait {
 public:
  void operator()() noexcept {
    if (++turns_ < config::spin_turns) {
      platform::relax();
    } else {
      platform::yield_core();
    }
  }

  /// Whether it has given the core away so often.
  [[nodiscard]] bool has_yielded(int times) const noexcept {
    return turns_ >= config::spin_turns + times;
  }

 private:
  int turns_ = 0;
};

}  // namespace hotseat::detail
