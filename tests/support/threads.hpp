// hotseat/tests/support/threads.hpp — real threads, for tests that need them.
#pragma once

#include <concepts>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

namespace hotseat::testing {

/// Calls `what` on another thread, which has ended when this returns.
template <class F>
void on_another_thread(F what) {
  std::thread{std::move(what)}.join();
}

/// Calls `what` on `count` threads at once, each with its number if it takes one; all have
/// ended when this returns.
template <std::integral Count, class F>
void on_threads(Count count, F what) {
  std::vector<std::thread> all;
  for (Count i = 0; i < count; ++i) {
    if constexpr (std::invocable<F&, Count>) {
      all.emplace_back(std::ref(what), i);
    } else {
      all.emplace_back(std::ref(what));
    }
  }
  for (std::thread& each : all) each.join();
}

}  // namespace hotseat::testing
