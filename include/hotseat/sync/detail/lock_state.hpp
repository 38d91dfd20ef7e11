// hotseat/sync/detail/lock_state.hpp — who owns a mutex, and who is next: a lock-free line.
// Layer: sync/detail.  States and edges only: no coroutines, no scheduling.
#pragma once

#include <hotseat/core/assert.hpp>
#include <hotseat/core/cache_line.hpp>
#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/owner_guard.hpp>
#include <hotseat/core/spin_wait.hpp>
#include <hotseat/platform/seam.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace hotseat::detail {

/// The state machine behind `mutex`.
///
///              acquire            enqueue
///     ┌──────┐ ───────► ┌──────┐ ────────► ┌───────────┐
///     │ free │          │ held │           │ contended │ ⟲ enqueue, release, leave
///     └──────┘ ◄─────── └──────┘ ◄──────── └───────────┘
///              release            release, leave: of the last one in line
///
///     name       newest_    meaning
///     ─────────  ─────────  ──────────────────────────────────────────────────────────
///     free       0          no owner
///     held       1          one owner; nobody waits
///     contended  a waiter*  one owner; the last one in line.  For a moment also an owner
///                           who came too late to find the lock held.
///
/// The line: oldest_ ─► younger ─► younger ─► ··· ◄─ newest_.  Who arrives swaps itself
/// into newest_, whatever is there, and then ties itself to whom it found.  So an arrival
/// is one atomic operation that cannot fail, however many arrive; and it is the only one
/// that touches the line of newest_ while others wait.
///
/// Invariants
///   I1  free or held ⇒ oldest_ is null.
///   I2  The line is changed only inside guard_, by the owner who passes the lock on and by
///       waiters who leave early; but for the tie of an arrival, which is made once.
///   I3  Who is tied to whom arrived right after it, or after those who left in between.
///       (⇒ FIFO)
///   I4  Nobody is taken out of line before who comes after it is tied to it.
///
/// Memory order: each edge names its partner.
///   A  acquire  free → held           ⟵ R    sees the last owner's section
///   E  acq_rel  any  → waiter         ⟷ E, H publishes a place without younger neighbour,
///                                            and sees that of whom it is tied to; of an
///                                            arrival at a free lock, also A
///   T  release  null → tied           ⟶ W    publishes the waiter who arrives
///   W  acquire  tied                  ⟵ T    sees the waiter
///   H  release  waiter → held, older  ⟶ E    publishes that the place of the tie is empty
///   R  release  held → free           ⟶ A    publishes this section
/// A hand-over needs no edge of its own: the executor that runs the heir provides it.
/// Nor does a tie that is moved.  Inside guard_ the guard orders it.  Outside, an owner who
/// came too late moves one to oldest_, where only who leaves may find it with nothing in
/// between; and that one knows whom it leads to, for it arrived later: each change of
/// newest_ is a read-modify-write, so E acquires from every E before it.
class lock_state {
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
    place_after(seen == held ? nullptr : to_waiter(seen))
        .store(&w, std::memory_order_release);  // T
    return false;
  }

  /// Gives up ownership: held → free, or passes it on.  Returns the new owner, whom the
  /// caller must settle and resume or schedule, or nullptr if nobody was waiting.
  /// REQUIRES: the caller is the owner.
  [[nodiscard]] line_waiter* release() noexcept {
    if (oldest_.load(std::memory_order_relaxed) == nullptr && try_free()) return nullptr;
    return release_slow();
  }

  /// Takes a waiter out of the line.  Returns whether it was still there; otherwise it has
  /// been made the owner.
  [[nodiscard]] bool leave(line_waiter& w) noexcept {
    guard_.visit();
    const bool is_in_line = w.is_in_line;
    if (is_in_line) remove(w);
    guard_.end_visit();
    return is_in_line;
  }

  [[nodiscard]] bool is_free() const noexcept {
    return newest_.load(std::memory_order_relaxed) == free;
  }

 private:
  using tie = platform::atomic<line_waiter*>;

  static constexpr std::uintptr_t free = 0;
  static constexpr std::uintptr_t held = 1;

  /// An atomic that is explored is larger than a line, and needs none.
  static constexpr std::size_t rest_of_line =
      cache_line - sizeof(platform::atomic<std::uintptr_t>) % cache_line;

  /// held → free.
  bool try_free() noexcept {
    std::uintptr_t seen = held;
    return newest_.compare_exchange_strong(seen, free, std::memory_order_release,  // R
                                           std::memory_order_relaxed);
  }

  /// The lock was free: contended → held, or `w` gives its place to whoever came after it.
  void own_after_all(line_waiter& w) noexcept {
    w.is_in_line = false;
    std::uintptr_t seen = to_word(w);
    if (newest_.compare_exchange_strong(seen, held, std::memory_order_relaxed)) return;
    oldest_.store(&await_tie(w.younger), std::memory_order_relaxed);
  }

  /// A call of its own: with the line in it, g++ would not put `release` into the task.
  [[gnu::noinline]] line_waiter* release_slow() noexcept {
    do {
      if (line_waiter* const heir = pass_on()) return heir;
      require(!is_free(), "mutex", this, "only the owner may unlock; nobody owns it");
    } while (!try_free());
    return nullptr;
  }

  /// Takes the oldest out of the line; nullptr if there is none.
  line_waiter* pass_on() noexcept {
    line_waiter* heir = nullptr;
    guard_.enter();
    if (oldest_.load(std::memory_order_relaxed) != nullptr ||
        newest_.load(std::memory_order_relaxed) > held) {
      heir = &await_tie(oldest_);
      remove_oldest(*heir);
    }
    guard_.leave();
    return heir;
  }

  // Inside guard_.

  void remove_oldest(line_waiter& w) noexcept {
    line_waiter* const next = untie(w, nullptr);
    if (linked_ == &w) linked_ = nullptr;
    w.is_in_line = false;
    if (next != nullptr) fetch(*next);
  }

  void remove(line_waiter& w) noexcept {
    line_waiter* const first = &await_tie(oldest_);
    line_waiter* older = nullptr;
    if (&w != first) {
      link_back(*first, w);
      older = w.prev;
    }
    line_waiter* const younger = untie(w, older);
    if (younger != nullptr) younger->prev = older;
    if (linked_ == &w) linked_ = older;
    w.is_in_line = false;
  }

  /// Ties whoever comes after `w` to whoever comes before it; null is the owner.  Returns
  /// who came after it.
  line_waiter* untie(line_waiter& w, line_waiter* older) noexcept {
    tie& place = place_after(older);
    line_waiter* next = w.younger.load(std::memory_order_acquire);  // W
    if (next == nullptr) {
      place.store(nullptr, std::memory_order_relaxed);
      std::uintptr_t seen = to_word(w);
      if (newest_.compare_exchange_strong(seen, older == nullptr ? held : to_word(*older),
                                          std::memory_order_release,  // H
                                          std::memory_order_relaxed)) {
        return nullptr;
      }
      next = &await_tie(w.younger);  // I4
    }
    place.store(next, std::memory_order_relaxed);
    return next;
  }

  /// Most lines are never left early, so the links back are made when somebody does: from
  /// linked_ on, up to which they have been made before.
  void link_back(line_waiter& first, line_waiter& last) noexcept {
    if (last.prev != nullptr) return;
    line_waiter* older = linked_;
    if (older == nullptr) older = &first;
    while (older != &last) {
      line_waiter& next = await_tie(older->younger);
      next.prev = older;
      older = &next;
    }
    linked_ = older;
  }

  /// While the heir runs, the next one is brought here, and the place of the one behind it:
  /// both have been somewhere else.
  static void fetch(const line_waiter& next) noexcept {
    // As a number: a thread that waits has no frame.
    const auto frame = reinterpret_cast<std::uintptr_t>(next.task.address());
    for (std::size_t line = 0; line < 3; ++line) {
      platform::prefetch(reinterpret_cast<const void*>(frame + line * cache_line));
    }
    if (const line_waiter* const after = next.younger.load(std::memory_order_relaxed)) {
      platform::prefetch(after);
      platform::prefetch(&after->younger);
    }
  }

  tie& place_after(line_waiter* older) noexcept {
    return older == nullptr ? oldest_ : older->younger;
  }

  /// Who arrives is between two instructions, unless it has lost its core there.
  static line_waiter& await_tie(const tie& place) noexcept {
    for (spin_wait wait;; wait()) {
      line_waiter* const who = place.load(std::memory_order_acquire);  // W
      if (who != nullptr) return *who;
    }
  }

  static line_waiter* to_waiter(std::uintptr_t word) noexcept {
    return reinterpret_cast<line_waiter*>(word);
  }
  static std::uintptr_t to_word(line_waiter& w) noexcept {
    return reinterpret_cast<std::uintptr_t>(&w);
  }

  // Whoever arrives writes the first; the owner, and hardly anybody else, the rest.
  platform::atomic<std::uintptr_t> newest_{free};
  [[maybe_unused]] std::array<std::byte, rest_of_line> apart_{};
  tie oldest_{nullptr};
  platform::var<line_waiter*> linked_ = nullptr;  // prev is valid up to here, but the first
  owner_guard guard_;
};

}  // namespace hotseat::detail
