// hotseat/fiber/detail/join_state.hpp — where the end of a fiber meets its joiner.
// Layer: fiber/detail.  States and edges only.
#pragma once

#include <hotseat/core/waiter.hpp>
#include <hotseat/platform/seam.hpp>

#include <cstdint>

namespace hotseat::detail {

///     name      word        means
///     ────────  ──────────  ─────────────────────────────────────────────────
///     running   0           it runs; no task waits for it yet
///     ended     1           it has ended; its frame belongs to the handle
///     detached  2           it runs; no task will wait; it owns its frame
///     joined    a waiter*   it runs; that task waits
///
/// Invariants
///   J1  Of the fiber and its handle, the second frees the frame, or has the joiner do it.
///
/// Memory order
///   E  acq_rel  any → ended           ⟶ W  publishes the fiber's effects
///                                     ⟵ W  sees the joiner's place in line
///   W  release  running → joined      ⟶ E  publishes the place in line
///      acquire  ended: no change      ⟵ E
class join_state {
 public:
  [[nodiscard]] bool has_ended() const noexcept {
    return word_.load(std::memory_order_acquire) == ended;  // W
  }

  /// Returns whether `place` waits; on true its task may be running already.  If false, the
  /// fiber has ended.  REQUIRES: no other task waits, and it is not detached.
  [[nodiscard]] bool wait(waiter& place) noexcept {
    return leave_running(reinterpret_cast<std::uintptr_t>(&place));
  }

  /// Returns false if the fiber has ended: the caller frees the frame (J1).
  [[nodiscard]] bool detach() noexcept { return leave_running(detached); }

  enum class heritage : std::uint8_t { handle, itself, joiner };
  struct ending {
    heritage who;
    waiter* joiner;
  };
  /// Called once, by the fiber.  The frame may be gone afterwards, unless it falls to the
  /// fiber itself (J1).
  [[nodiscard]] ending end() noexcept {
    const std::uintptr_t seen = word_.exchange(ended, std::memory_order_acq_rel);  // E
    if (seen == running) return {heritage::handle, nullptr};
    if (seen == detached) return {heritage::itself, nullptr};
    return {heritage::joiner, reinterpret_cast<waiter*>(seen)};
  }

 private:
  static constexpr std::uintptr_t running = 0;
  static constexpr std::uintptr_t ended = 1;
  static constexpr std::uintptr_t detached = 2;

  bool leave_running(std::uintptr_t to) noexcept {
    std::uintptr_t seen = running;
    return word_.compare_exchange_strong(seen, to, std::memory_order_release,  // W
                                         std::memory_order_acquire);           // W
  }

  platform::atomic<std::uintptr_t> word_{running};
};

}  // namespace hotseat::detail
