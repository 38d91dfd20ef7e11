// hotseat/sync/detail/link_state.hpp — two objects that know each other, and may both go.
// Layer: sync/detail.
#pragma once

#include <hotseat/core/pinned.hpp>
#include <hotseat/core/spin_wait.hpp>
#include <hotseat/platform/seam.hpp>

#include <cstdint>

namespace hotseat::detail {

/// One end of a link.  Each end belongs to an object on a thread of its own, and either
/// object may move or be destroyed at any time, without a third one that outlives both.
///
///     name    word_            meaning
///     ──────  ───────────────  ───────────────────────────────────────────────
///     alone   0                there is no peer, or it has gone
///     linked  the peer         neither object is being changed
///     held    the peer | held  a thread holds both ends, or is about to
///
/// A thread holds its own end first, then its peer's, and lets go of both together.  If the
/// peer's end is taken, the leading end insists, and the other one lets go and tries again.
/// (⇒ no deadlock)
///
/// Invariants
///   P1  Each end points to the other, except while a thread holds both.
///   P2  While an end is held, its peer stays where it is: to move or go, it needs both.
///
/// Memory order
///   H  acquire  the peer's end → held   ⟵ L   sees what the last holder did
///   L  release  held → linked, → alone  ⟶ H, A  publishes that; also that a holder which
///                                             gives up no longer touches the peer
///   A  acquire  its own end             ⟵ L
class link_end : pinned<link_end> {
 public:
  enum class role : std::uint8_t { leading, yielding };

  explicit link_end(role which) noexcept : role_{which} {}

  /// Links two ends that are alone, before a second thread knows of either.
  void link(link_end& peer) noexcept {
    word_.store(to_word(peer), std::memory_order_relaxed);
    peer.word_.store(to_word(*this), std::memory_order_relaxed);
  }

  /// Holds both ends and returns the peer; null if there is none.
  [[nodiscard]] link_end* hold() noexcept {
    for (spin_wait wait;; wait()) {
      std::uintptr_t seen = word_.load(std::memory_order_acquire);  // A
      if (seen == alone) return nullptr;
      if ((seen & held) != 0) continue;
      // A word that was held in between has changed.
      if (!word_.compare_exchange_strong(seen, seen | held, std::memory_order_relaxed)) {
        continue;
      }
      link_end& peer = to_end(seen);
      if (peer.try_hold(*this)) return &peer;
      if (role_ == role::leading) {
        for (spin_wait insist; !peer.try_hold(*this);) insist();
        return &peer;
      }
      word_.store(seen, std::memory_order_release);  // L: we have touched the peer.
    }
  }

  /// Ends the link.  The last touch of the peer, which may be gone on return.
  /// REQUIRES: the caller holds both ends.
  void part(link_end& peer) noexcept {
    word_.store(alone, std::memory_order_relaxed);
    peer.word_.store(alone, std::memory_order_release);  // L
  }

  /// Puts `successor`, which is alone, in the place of this end, which is alone then.
  /// REQUIRES: the caller holds both ends.
  void move_to(link_end& successor, link_end& peer) noexcept {
    word_.store(alone, std::memory_order_relaxed);
    successor.word_.store(to_word(peer), std::memory_order_relaxed);
    peer.word_.store(to_word(successor), std::memory_order_release);  // L
  }

 private:
  static constexpr std::uintptr_t alone = 0;
  static constexpr std::uintptr_t held = 1;

  static std::uintptr_t to_word(link_end& end) noexcept {
    return reinterpret_cast<std::uintptr_t>(&end);
  }
  static link_end& to_end(std::uintptr_t word) noexcept {
    return *reinterpret_cast<link_end*>(word);
  }

  /// For a thread that holds the peer.
  [[nodiscard]] bool try_hold(link_end& peer) noexcept {
    std::uintptr_t seen = to_word(peer);
    return word_.compare_exchange_strong(seen, seen | held, std::memory_order_acquire,  // H
                                         std::memory_order_relaxed);
  }

  platform::atomic<std::uintptr_t> word_{alone};
  const role role_;
};

}  // namespace hotseat::detail
