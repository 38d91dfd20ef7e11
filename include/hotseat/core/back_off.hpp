// hotseat/core/back_off.hpp — leaving somebody alone who is inside a guard.
// Layer: core.
#pragma once

#include <hotseat/platform/seam.hpp>

namespace hotseat::detail {

/// For loops that try to get past a guard: `wait` between two tries.
///
/// The line of the guard is wanted by whoever is inside, too, and each try takes it away.
/// So the first wait is already as long as dozens of turns of the guard take in a cache
/// that is left in peace, and each further one is twice as long.  Then the core is given
/// away: whoever is inside may have none.
class back_off {
 public:
  void wait() noexcept {
    if (times_ > most) return platform::yield_core();
    platform::relax(times_);
    times_ *= 2;
  }

 private:
  static constexpr unsigned first = 16;
  static constexpr unsigned most = 128;

  unsigned times_ = first;
};

}  // namespace hotseat::detail
