// hotseat/tests/support/lock_state_hammer.hpp — threads that compete for the state of a
// lock.
#pragma once

#include <hotseat/core/waiter.hpp>
#include <hotseat/platform/atomic.hpp>
#include <hotseat/platform/relax.hpp>

#include <thread>
#include <vector>

namespace hotseat::testing {

struct hammer_result {
  int sections = 0;
  int overlaps = 0;
};

/// Each thread enters `times` sections; one that has to wait spins until whoever releases
/// passes ownership to it.
template <class State>
hammer_result hammer(State& state, int threads, int times) {
  struct place : waiter {
    platform::atomic<bool> is_owner{false};
  };
  hammer_result result;  // Protected by the state.
  platform::atomic<int> inside{0};
  const auto enter = [&] {
    place self;
    if (!state.acquire_or_enqueue(self)) {
      while (!self.is_owner.load(std::memory_order_acquire)) platform::yield_core();
    }
    if (inside.fetch_add(1, std::memory_order_relaxed) != 0) ++result.overlaps;
    ++result.sections;
    inside.fetch_sub(1, std::memory_order_relaxed);
    if (waiter* const heir = state.release()) {
      static_cast<place*>(heir)->is_owner.store(true, std::memory_order_release);
    }
  };
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t) {
    all.emplace_back([&] {
      for (int i = 0; i < times; ++i) enter();
    });
  }
  for (std::thread& thread : all) thread.join();
  return result;
}

}  // namespace hotseat::testing
