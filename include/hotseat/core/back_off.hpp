// hotseat/core/back_off.hpp — waiting longer after each failed try at a guard.
// Layer: core.
#pragma once

#include <hotseat/platform/seam.hpp>

namespace hotseat::detail {

/// For loops that try to get past a guard: call `wait` between two tries.
///
/// Each try takes the guard's cache line away from the thread inside.  So the first wait is
/// already as long as dozens of turns of the guard take in an undisturbed cache, and each
/// further one is twice as long.  After that it yields the core: the thread inside may have
/// none.
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
