// hotseat/core/spin_wait.hpp — waiting for what another thread is about to do.
// Layer: core.  Header-only: integrations use it too.
#pragma once

#include <hotseat/platform/config.hpp>
#include <hotseat/platform/seam.hpp>

namespace hotseat::detail {

/// Call it once per turn of a polling loop.  After `config::spin_turns` turns, each call
/// yields the core: the other thread may have been preempted.
class spin_wait {
 public:
  void operator()() noexcept {
    if (++turns_ < config::spin_turns) {
      platform::relax();
    } else {
      platform::yield_core();
    }
  }

  /// Whether it has yielded the core more than `times` times.
  [[nodiscard]] bool has_yielded(int times) const noexcept {
    return turns_ >= config::spin_turns + times;
  }

 private:
  int turns_ = 0;
};

}  // namespace hotseat::detail
