// hotseat/platform/parker.hpp — where one thread sleeps until it is woken.
// Layer: platform.  The same on every machine, on top of its futex.
#pragma once

#include <hotseat/platform/seam.hpp>

#include <cstdint>

namespace hotseat::platform {

/// Holds at most one token.  `unpark` leaves it; `park` takes it, or sleeps until there is
/// one.  So an `unpark` before the `park` is not lost.
///
///     name     word_  meaning
///     ───────  ─────  ───────────────────────────────
///     empty    0      no token, owner awake
///     token    1      the next park returns at once
///     asleep   2      the owner sleeps or is about to
///
/// Memory order
///   U  release  any → token      ⟶ P   publishes what the waker did before
///   P  acquire  token → empty    ⟵ U
///
/// Where the kernel refuses futexes, the owner polls with short sleeps: no wake-up is lost.
/// Only one thread may park; any may unpark.  Once `unpark` has made the token visible, the
/// owner may run on and destroy the parker; the waker then uses only its address, which the
/// kernel tolerates.
class parker {
 public:
  parker() = default;
  parker(const parker&) = delete;
  parker& operator=(const parker&) = delete;

  void park() noexcept;

  /// Returns whether it was woken; false when `deadline` passed first.
  bool park_until(clock::time_point deadline) noexcept;

  void unpark() noexcept;

 private:
  static constexpr std::uint32_t empty = 0;
  static constexpr std::uint32_t token = 1;
  static constexpr std::uint32_t asleep = 2;

  bool take_token_or_lie_down() noexcept;

  atomic<std::uint32_t> word_{empty};
};

}  // namespace hotseat::platform
