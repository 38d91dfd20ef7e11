// hotseat/tests/support/lock_state_hammer.hpp — threads that compete for the state of a
// lock.
#pragma once

#include <hotseat/core/line_waiter.hpp>
#include <hotseat/platform/seam.hpp>

#include <support/spinning.hpp>
#include <support/threads.hpp>

namespace hotseat::testing {

struct hammer_result {
  int sections = 0;
  int overlaps = 0;
  int departures = 0;
};

/// Each thread tries `times` times to enter a section.  One that has to wait spins until a
/// release passes ownership to it.  `is_patient(i)` says whether it waits that long the
/// i-th time, or leaves if it still can.
template <class State, class Patience>
hammer_result hammer(State& state, int threads, int times, Patience is_patient) {
  using place = spinning<line_waiter>;
  hammer_result result;  // Protected by the state.
  platform::atomic<int> inside{0};
  platform::atomic<int> departures{0};
  const auto enter = [&](int i) {
    place self;
    if (!state.acquire_or_enqueue(self)) {
      if (!is_patient(i)) {
        platform::yield_core();
        if (state.leave(self)) {
          departures.fetch_add(1, std::memory_order_relaxed);
          return;
        }
      }
      self.await_turn_elsewhere();
    }
    if (inside.fetch_add(1, std::memory_order_relaxed) != 0) ++result.overlaps;
    ++result.sections;
    inside.fetch_sub(1, std::memory_order_relaxed);
    if (line_waiter* const heir = state.release()) {
      static_cast<place*>(heir)->let_in();
    }
  };
  on_threads(threads, [&] {
    for (int i = 0; i < times; ++i) enter(i);
  });
  result.departures = departures.load();
  return result;
}

/// The same, and all threads are patient.
template <class State>
hammer_result hammer(State& state, int threads, int times) {
  return hammer(state, threads, times, [](int) { return true; });
}

}  // namespace hotseat::testing
