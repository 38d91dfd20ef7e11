// hotseat/runtime/detail/bwos_block.hpp — one block of a block-based work-stealing queue.
// Layer: runtime/detail.  Read next: bwos_queue.hpp.
#pragma once

#include <hotseat/platform/config.hpp>
#include <hotseat/platform/seam.hpp>

#include <cstdint>

namespace hotseat::detail {

/// What a thief claimed: slots [first, first + count) of one block.
struct claim {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

/// A run of slots, part private to the owner, part shared with thieves:
///
///     slot   0 ···  index ··· limit=head ··· tail ··· size
///            gone │  shared  │   private   │  unused
///
/// The owner works in the private part with plain loads and stores.  Thieves know only the
/// shared part, which is one word, `shared_`:
///
///     limit:16 | index:16          index == limit: nothing for thieves
///
/// Edges
///   grant    shared ∅ → [head, tail), private ∅     owner
///   extend   shared grows up over private           owner
///   reclaim  shared → ∅, private grows down         owner
///   take     limit → limit - 1                      owner
///   claim    index → index + n                      thief
///
/// Invariants
///   B1  While something is shared, limit == head: shared and private are neighbours.
///   B2  Thieves change `shared_` only while index < limit.  So the owner may store to it
///       plainly when it has seen index == limit.
///   B3  A claim takes what is shared when it succeeds.  The word is all that a thief
///       relies on, so it may have had other values meanwhile (ABA), in this life of the
///       block or an earlier one.
///   B4  Slots are overwritten only when `is_quiet`: every claim has been read.
///
/// Memory order
///
///     G  release  grant, extend   ⟶ C   publishes the slots
///     C  acquire  claim           ⟵ G   claims in between are in its release sequence
///     F  release  finished += n   ⟶ Q   the slots have been read
///     Q  acquire  finished        ⟵ F   before the owner overwrites them
class bwos_block {
 public:
  using item = void*;

  // --- The owner's side.

  void bind(platform::var<item>* slots, std::uint32_t size) noexcept {
    slots_ = thieves_slots_ = slots;
    size_ = size;
  }

  [[nodiscard]] bool is_full() const noexcept { return tail_ == size_; }
  [[nodiscard]] bool has_private() const noexcept { return head_ != tail_; }
  /// Slots that can still be pushed to.
  [[nodiscard]] std::uint32_t room() const noexcept { return size_ - tail_; }

  /// REQUIRES: !is_full().
  void push_back(item what) noexcept { slots_[tail_++] = what; }
  /// REQUIRES: has_private().
  [[nodiscard]] item pop_back() noexcept { return slots_[--tail_]; }
  /// REQUIRES: has_private().
  [[nodiscard]] item pop_front() noexcept { return slots_[head_++]; }
  /// The slot that pop_front would take next, as a hint; nullptr if there is none.
  [[nodiscard]] item peek_front() const noexcept {
    return has_private() ? static_cast<item>(slots_[head_]) : nullptr;
  }

  [[nodiscard]] bool has_shared() const noexcept {
    const std::uint32_t word = shared_.load(std::memory_order_relaxed);
    return index_of(word) != limit_of(word);
  }

  /// Opens the private part to thieves.  REQUIRES: !has_shared().
  void grant() noexcept {
    settle(shared_.load(std::memory_order_relaxed));
    granted_from_ = head_;
    shared_.store(pack(tail_, head_), std::memory_order_release);  // G
    head_ = tail_;
    is_granted_ = was_granted_ = true;
  }

  /// Opens the private part, too, behind what is already shared.  If thieves have taken all
  /// of that, this is a second grant: index == limit == head.  REQUIRES: granted before.
  void extend() noexcept {
    shared_.fetch_add((tail_ - head_) * one_in_limit, std::memory_order_release);  // G
    head_ = tail_;
  }

  /// Opens the private part, extending the last grant if some of it is left.
  void share() noexcept {
    if (has_shared()) {
      extend();
    } else {
      grant();
    }
  }

  /// Whether it was granted and not reclaimed since: it may contain items that are older
  /// than the private ones.
  [[nodiscard]] bool is_granted() const noexcept { return is_granted_; }

  /// Takes back what thieves have left of the shared part.
  void reclaim() noexcept {
    is_granted_ = false;
    if (!has_shared()) return;
    const std::uint32_t word =
        shared_.exchange(pack(head_, head_), std::memory_order_relaxed);
    settle(word);
    granted_from_ = head_;  // What the word says now; no claim can start from it.
    if (index_of(word) != limit_of(word)) head_ = index_of(word);  // B1
  }

  /// Takes the newest shared item; thieves can still take the others.  nullptr if they have
  /// taken all.  REQUIRES: !has_private().
  [[nodiscard]] item take_shared() noexcept {
    std::uint32_t word = shared_.load(std::memory_order_relaxed);
    while (index_of(word) != limit_of(word)) {
      if (shared_.compare_exchange_weak(word, word - one_in_limit,
                                        std::memory_order_relaxed)) {
        head_ = tail_ = limit_of(word) - 1;  // B1
        return slots_[tail_];
      }
    }
    is_granted_ = false;
    return nullptr;
  }

  /// Empty, and no thief is still reading.
  [[nodiscard]] bool is_quiet() noexcept {
    if (has_private()) return false;
    if (!was_granted_) return true;
    if (has_shared()) return false;
    settle(shared_.load(std::memory_order_relaxed));
    return finished_.load(std::memory_order_acquire) == claimed_;  // Q
  }

  /// Starts a new life at slot 0.  REQUIRES: is_quiet().
  void reset() noexcept {
    head_ = tail_ = 0;
    if (!was_granted_) return;
    granted_from_ = claimed_ = 0;
    is_granted_ = was_granted_ = false;
    finished_.store(0, std::memory_order_relaxed);
    shared_.store(pack(0, 0), std::memory_order_relaxed);
  }

  // --- The thieves' side.

  /// Claims the oldest shared slots: half of them, or all (`whole`), at most `most`.  The
  /// count is zero if there were none or another thief was faster.
  [[nodiscard]] claim try_claim(std::uint32_t most, bool whole) noexcept {
    std::uint32_t word = shared_.load(std::memory_order_relaxed);
    const std::uint32_t index = index_of(word);
    const std::uint32_t there = limit_of(word) - index;
    if (there == 0) return {};
    std::uint32_t wanted = whole ? there : (there + 1) / 2;
    if (wanted > most) wanted = most;
    if (!shared_.compare_exchange_strong(word, word + wanted,
                                         std::memory_order_acquire,  // C
                                         std::memory_order_relaxed)) {
      return {};
    }
    return {.first = index, .count = wanted};
  }

  /// REQUIRES: the slot is in a claim of the caller that is not finished.
  [[nodiscard]] item read(std::uint32_t slot) const noexcept {
    return thieves_slots_[slot];
  }

  void finish(claim done) noexcept {
    finished_.fetch_add(done.count, std::memory_order_release);  // F
  }

 private:
  static constexpr std::uint32_t one_in_limit = std::uint32_t{1} << 16;

  static constexpr std::uint32_t pack(std::uint32_t limit, std::uint32_t index) noexcept {
    return limit << 16 | index;
  }
  static constexpr std::uint32_t index_of(std::uint32_t word) noexcept {
    return word & 0xffff;
  }
  static constexpr std::uint32_t limit_of(std::uint32_t word) noexcept {
    return word >> 16;
  }

  /// Counts the claims since the last settle.
  void settle(std::uint32_t word) noexcept {
    claimed_ += index_of(word) - granted_from_;
    granted_from_ = index_of(word);
  }

  // Thieves write this line; the owner only when a part changes hands.
  alignas(cache_line) platform::atomic<std::uint32_t> shared_{0};
  platform::atomic<std::uint32_t> finished_{0};
  platform::var<item>* thieves_slots_ = nullptr;

  // The owner's line.
  alignas(cache_line) std::uint32_t head_ = 0;
  std::uint32_t tail_ = 0;
  std::uint32_t size_ = 0;
  std::uint32_t granted_from_ = 0;  // index of the current grant when it was made
  std::uint32_t claimed_ = 0;       // by thieves, in this life, up to the last settle
  bool is_granted_ = false;         // and not reclaimed since
  bool was_granted_ = false;        // in this life: else no thief was ever here
  platform::var<item>* slots_ = nullptr;
};

}  // namespace hotseat::detail
