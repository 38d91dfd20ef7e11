// hotseat/sync/detail/lock_free_state.hpp — which task owns a mutex, and which is next.
// Layer: sync/detail.  States and edges only: no coroutines, no scheduling.
// Read next: sched/exchange.hpp.  Taking waiters out: src/sync/lock_free_state.cpp.
#pragma once

#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/owner_guard.hpp>
#include <hotseat/platform/seam.hpp>

#include <cstdint>

namespace hotseat::detail {

/// The state machine behind `mutex`.
///
///              acquire            enqueue
///     ┌──────┐ ───────► ┌──────┐ ────────► ┌───────────┐
///     │ free │          │ held │           │ contended │ ⟲ enqueue, release, leave
///     └──────┘ ◄─────── └──────┘ ◄──────── └───────────┘
///              release            release or leave, of the last in line
///
///     name       newest_    meaning
///     ─────────  ─────────  ──────────────────────────────────────────────────────────
///     free       0          no owner
///     held       1          one owner; no waiters
///     contended  a waiter*  one owner; the last in line.  Briefly also an owner that
///                           enqueued just after the lock became free.
///
/// The line: oldest_ ─► younger ─► younger ─► ··· ◄─ newest_.  An arrival swaps itself into
/// newest_, then links itself behind the waiter it found there.  So an arrival is one
/// atomic operation that cannot fail, however many tasks arrive.
///
/// Invariants
///   I1  free or held ⇒ oldest_ is null.
///   I2  The line changes only inside guard_, by the owner that passes the lock on and by
///       waiters that leave early.  The exception is the link of an arrival, made once.
///   I3  `younger` is the next arrival still in line.  (⇒ FIFO)
///   I4  No waiter is taken out of the line before the next arrival is linked to it.
///
/// Memory order: each edge names its partner.
///   A  acquire  free → held           ⟵ R    sees the last owner's section
///   E  acq_rel  any  → waiter         ⟷ E, H publishes that nothing is linked to it yet;
///                                            sees that of the waiter it links to; of an
///                                            arrival at a free lock, also A
///   T  release  null → linked         ⟶ W    publishes the waiter that arrives
///   W  acquire  linked                ⟵ T    sees the waiter
///   H  release  waiter → held, older  ⟶ E    publishes that the place of the link is empty
///   R  release  held → free           ⟶ A    publishes this section
/// A hand-over needs no edge of its own: the executor that runs the heir provides it.  Nor
/// does a link that is moved: see src/sync/lock_free_state.cpp.
class lock_free_state {
 public:
  /// free → held.  Returns whether the caller is now the owner.
  [[nodiscard]] bool try_acquire() noexcept {
    std::uintptr_t seen = free;
    return newest_.compare_exchange_strong(seen, held, std::memory_order_acquire,  // A
                                           std::memory_order_relaxed);
  }

  /// free → held, or joins the line.  Returns whether the caller is now the owner.
  /// On false, `w` belongs to the line: it may be resumed before this returns.
  [[nodiscard]] bool acquire_or_enqueue(line_waiter& w) noexcept {
    w.is_in_line = true;
    w.prev = nullptr;
    w.younger.store(nullptr, std::memory_order_relaxed);
    const std::uintptr_t seen =
        newest_.exchange(to_word(w), std::memory_order_acq_rel);  // E
    if (seen == free) [[unlikely]] {
      own_after_all(w);
      return true;
    }
    link_after(seen == held ? nullptr : to_waiter(seen))
        .store(&w, std::memory_order_release);  // T
    return false;
  }

  /// held → free, or passes the lock on.  Returns the new owner, for the caller to settle
  /// and resume or schedule; null if none waited.  REQUIRES: the caller is the owner.
  [[nodiscard]] line_waiter* release() noexcept {
    if (oldest_.load(std::memory_order_relaxed) == nullptr && try_free()) return nullptr;
    return release_slow();
  }

  /// Takes a waiter out of the line.  Returns whether it was still there; if not, the
  /// waiter is the owner by now.
  [[nodiscard]] bool leave(line_waiter& w) noexcept;

  [[nodiscard]] bool is_free() const noexcept {
    return newest_.load(std::memory_order_relaxed) == free;
  }

 private:
  using link = platform::atomic<line_waiter*>;

  static constexpr std::uintptr_t free = 0;
  static constexpr std::uintptr_t held = 1;

  static line_waiter* to_waiter(std::uintptr_t word) noexcept {
    return reinterpret_cast<line_waiter*>(word);
  }
  static std::uintptr_t to_word(line_waiter& w) noexcept {
    return reinterpret_cast<std::uintptr_t>(&w);
  }

  /// held → free.
  bool try_free() noexcept {
    std::uintptr_t seen = held;
    return newest_.compare_exchange_strong(seen, free, std::memory_order_release,  // R
                                           std::memory_order_relaxed);
  }

  /// Where the next arrival after `older` is linked; null stands for the owner.
  link& link_after(line_waiter* older) noexcept {
    return older == nullptr ? oldest_ : older->younger;
  }

  void own_after_all(line_waiter& w) noexcept;
  line_waiter* release_slow() noexcept;
  line_waiter* pass_on() noexcept;
  void remove(line_waiter& w) noexcept;
  line_waiter* unlink(line_waiter& w, line_waiter* older) noexcept;
  void link_back(line_waiter& first, line_waiter& last) noexcept;

  // Arrivals write the first; almost only the owner writes the rest.
  platform::atomic<std::uintptr_t> newest_{free};
  [[maybe_unused]] rest_of_line<decltype(newest_)> apart_{};
  link oldest_{nullptr};
  platform::var<line_waiter*> linked_ = nullptr;  // `prev` is valid up to here.
  owner_guard guard_;
};

}  // namespace hotseat::detail
