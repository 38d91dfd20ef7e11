// hotseat/tests/support/spinning.hpp — threads in the line of a state.
#pragma once

#include <hotseat/core/waiter.hpp>
#include <hotseat/platform/seam.hpp>

namespace hotseat::testing {

/// A thread in the line of a state; it spins until it has been let in.
template <class Waiter>
struct spinning : Waiter {
  platform::atomic<bool> is_inside{false};
  void let_in() noexcept { is_inside.store(true, std::memory_order_release); }
  void await_turn() const noexcept {
    while (!is_inside.load(std::memory_order_acquire)) platform::relax();
  }
  /// For more threads than cores.
  void await_turn_elsewhere() const noexcept {
    while (!is_inside.load(std::memory_order_acquire)) platform::yield_core();
  }
};

/// Lets in the heirs that a state returned.
template <class Waiter>
void let_in(waiter_queue heirs) noexcept {
  while (!heirs.empty()) static_cast<spinning<Waiter>&>(heirs.pop_front()).let_in();
}

}  // namespace hotseat::testing
