// hotseat/platform/explored/vector_clock.hpp — what a thread knows of all threads.
// Layer: platform.  Read next: machine.hpp.
#pragma once

#include <array>
#include <cstdint>

namespace hotseat::platform::explored {

/// Threads of one execution, the program's first one included.
inline constexpr unsigned most_threads = 16;

/// The n-th event of a thread.  Signed: processors compare many signed numbers at once.
using moment = std::int32_t;

/// How many entries of a clock are in use: at least the threads that the execution has had
/// so far.  The rest is 0 in every clock, and most executions have four threads at most.
inline constinit unsigned clock_width = most_threads;

/// For each thread, the last of its events that happened before some point.  No loop exits
/// early, so that processors work on several entries at once.
class vector_clock {
 public:
  /// Entries handled at once; `clock_width` is a multiple.
  static constexpr unsigned stride = 4;

  [[nodiscard]] moment& operator[](unsigned thread) noexcept { return at_[thread]; }
  [[nodiscard]] moment operator[](unsigned thread) const noexcept { return at_[thread]; }

  [[nodiscard]] bool covers(unsigned thread, moment when) const noexcept {
    return when <= at_[thread];
  }
  [[nodiscard]] bool covers(const vector_clock& other) const noexcept {
    bool does = true;
    for_each([&](unsigned i) { does &= other.at_[i] <= at_[i]; });
    return does;
  }

  /// Whether any of these events happened before; 0 stands for no event.
  [[nodiscard]] bool covers_any(const vector_clock& events) const noexcept {
    bool does = false;
    for_each([&](unsigned i) { does |= events.at_[i] != 0 && events.at_[i] <= at_[i]; });
    return does;
  }

  void join(const vector_clock& other) noexcept {
    for_each([&](unsigned i) { at_[i] = at_[i] > other.at_[i] ? at_[i] : other.at_[i]; });
  }

 private:
  template <class F>
  static void for_each(F what) noexcept {
    for (unsigned first = 0; first < clock_width; first += stride) {
      for (unsigned i = first; i < first + stride; ++i) what(i);
    }
  }

  std::array<moment, most_threads> at_{};
};

}  // namespace hotseat::platform::explored
