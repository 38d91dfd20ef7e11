// hotseat/rebound/fiber_condition.hpp — waiting for a condition under a lock for fibers.
#pragma once

#include <hotseat/fiber/await.hpp>
#include <hotseat/fiber/fiber_condition_variable.hpp>
#include <hotseat/fiber/fiber_mutex.hpp>

namespace hotseat::rebound {

/// Suspends fibers and blocks threads, in one line.
class fiber_condition {
 public:
  template <class Handoff, class State>
  void wait(basic_fiber_mutex<Handoff, State>& owned) noexcept {
    await(condition_.native().wait(owned.native()));
  }
  void notify_one() noexcept { condition_.notify_one(); }
  void notify_all() noexcept { condition_.notify_all(); }

 private:
  fiber_condition_variable condition_;
};

}  // namespace hotseat::rebound
