// hotseat/platform/explored/vector_clock.hpp — what a thread knows of all threads.
// Layer: platform.  Read next: machine.hpp.
#pragma once

#include <array>
#include <cstdint>

namespace hotseat::platform::explored {

/// Threads of one execution, the program's first one included.
inline constexpr unsigned most_threads = 16;

/// The n-th event of a thread.  Signed: processors compare many of those at once.
using moment = std::int32_t;

/// For each thread, the last of its events that happened before some point.
class vector_clock {
 public:
  [[nodiscard]] moment& operator[](unsigned thread) noexcept { return at_[thread]; }
  [[nodiscard]] moment operator[](unsigned thread) const noexcept { return at_[thread]; }

  [[nodiscard]] bool covers(unsigned thread, moment when) const noexcept {
    return when <= at_[thread];
  }
  [[nodiscard]] bool covers(const vector_clock& other) const noexcept {
    for (unsigned i = 0; i < most_threads; ++i) {
      if (other.at_[i] > at_[i]) return false;
    }
    return true;
  }

  /// Whether there is an event among those, of which 0 is none, that happened before.
  [[nodiscard]] bool covers_any(const vector_clock& events) const noexcept {
    bool does = false;  // No early end: all at once is faster.
    for (unsigned i = 0; i < most_threads; ++i) {
      does |= events.at_[i] != 0 && events.at_[i] <= at_[i];
    }
    return does;
  }

  void join(const vector_clock& other) noexcept {
    for (unsigned i = 0; i < most_threads; ++i) {
      at_[i] = at_[i] > other.at_[i] ? at_[i] : other.at_[i];
    }
  }

 private:
  std::array<moment, most_threads> at_{};
};

}  // namespace hotseat::platform::explored
