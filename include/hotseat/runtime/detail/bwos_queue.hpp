// hotseat/runtime/detail/bwos_queue.hpp — block-based work stealing: a worker's own queue.
// Layer: runtime/detail.  Read first: bwos_block.hpp (one block).  Why:
// docs/design/queue.md.
#pragma once

#include <hotseat/core/pinned.hpp>
#include <hotseat/platform/config.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/runtime/detail/bwos_block.hpp>
#include <hotseat/runtime/queue_order.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace hotseat::detail {

/// A ring of blocks.  Block numbers grow without end; block n lies at n modulo the count.
///
///     ··· gone │ front ··· granted ··· granted ··· back │ ···
///
/// The owner pushes into `back`.  A LIFO owner pops from `back` and walks backwards,
/// reclaiming granted blocks; what it exposed of `back` it takes back one by one.  A FIFO
/// owner pops from `front` and walks forwards.  Thieves take from the oldest granted part,
/// whatever the order.
///
/// One change to the published queue: the owner may grant the filled part of its own block
/// (`expose`), so that what it has just pushed can be stolen at once.
///
/// Invariants
///   Q1  front_ <= back_ < front_ + count.
///   Q2  Blocks strictly between front_ and back_ have no private part.
///   Q3  What is pushed is popped or stolen exactly once.  (B1 to B4 of the block)
///   Q4  shown_front_ and shown_back_ only tell thieves where to look.  A thief that is
///       misled finds nothing; it cannot take what is not granted.
class bwos_queue : pinned<bwos_queue> {
 public:
  using item = bwos_block::item;

  /// Uses the caller's memory: `storage_bytes(size, count)`, zeroed, aligned to a line.
  /// REQUIRES: 1 <= block_size <= 32768; block_count is a power of two, at least 2.
  bwos_queue(std::byte* storage, std::uint32_t block_size, std::uint32_t block_count,
             queue_order order) noexcept;

  [[nodiscard]] static std::size_t storage_bytes(std::uint32_t block_size,
                                                 std::uint32_t block_count) noexcept {
    return block_count * (sizeof(bwos_block) + slot_bytes(block_size));
  }

  // --- The owner's side.

  /// Returns false when it is full, or a thief is still reading the block it needs.
  [[nodiscard]] bool push(item what) noexcept {
    if (back_block_->is_full()) [[unlikely]] {
      if (!make_room()) return false;
    }
    back_block_->push_back(what);
    return true;
  }

  /// The next item in the owner's order, or nullptr.
  [[nodiscard]] item pop() noexcept {
    if (order_ == queue_order::lifo) [[unlikely]] {
      return pop_newest();
    }
    if (front_block_->has_private() && !front_block_->is_granted()) [[likely]] {
      return front_block_->pop_front();
    }
    return pop_front_slow();
  }

  /// The same without a check of the order.  REQUIRES: it is LIFO.
  [[nodiscard]] item pop_newest() noexcept {
    if (back_block_->has_private()) [[likely]] {
      return back_block_->pop_back();
    }
    if (front_ == back_ && !back_block_->is_granted()) return nullptr;
    return pop_back_slow();
  }

  /// What a FIFO owner will pop next, as a hint.
  [[nodiscard]] item peek() const noexcept {
    return front_block_->is_granted() ? nullptr : front_block_->peek_front();
  }

  /// Whether there is anything to pop, unless thieves are faster.
  [[nodiscard]] bool has_items() const noexcept { return has_private() || shows_work(); }

  /// How many pushes are sure to succeed, at most a block.
  [[nodiscard]] std::uint32_t room() noexcept;

  /// Makes sure that thieves see work if there is any: grants the private items unless some
  /// of the last grant is left.  Returns whether it granted.
  bool expose() noexcept {
    if (!has_private() || offer_->has_shared()) return false;
    share_all();
    return true;
  }

  /// Grants all private items.
  bool expose_all() noexcept {
    if (!has_private()) return false;
    share_all();
    return true;
  }

  // --- The thieves' side.

  /// Takes up to `taken.size()` of the oldest items: a whole block if more lie behind it,
  /// else half of what is there.  Zero means nothing was found now, not that it is empty.
  [[nodiscard]] std::size_t steal(std::span<item> taken) noexcept;

  /// Whether there was something to steal.
  [[nodiscard]] bool shows_work() const noexcept;

  /// Blocks the owner has granted, for statistics.
  [[nodiscard]] std::uint64_t blocks_granted() const noexcept { return blocks_granted_; }

 private:
  static constexpr std::size_t slot_bytes(std::uint32_t block_size) noexcept {
    return (block_size * sizeof(platform::var<item>) + cache_line - 1) / cache_line *
           cache_line;
  }

  [[nodiscard]] bwos_block& block(std::uint64_t number) const noexcept {
    return blocks_[number & mask_];
  }

  /// Q2
  [[nodiscard]] bool has_private() const noexcept {
    return back_block_->has_private() || front_block_->has_private();
  }

  bool make_room() noexcept;
  item pop_front_slow() noexcept;
  item pop_back_slow() noexcept;
  void share(bwos_block& what) noexcept;
  void share_all() noexcept;
  void drop_empty_front() noexcept;
  void set_front(std::uint64_t number) noexcept;
  void set_back(std::uint64_t number) noexcept;

  // Constant after construction.
  bwos_block* const blocks_;
  const std::uint64_t mask_;
  const queue_order order_;

  // The owner's.
  bwos_block* front_block_ = nullptr;
  bwos_block* back_block_ = nullptr;
  bwos_block* offer_ = nullptr;  // granted last
  std::uint64_t front_ = 0;
  std::uint64_t back_ = 0;
  std::uint64_t blocks_granted_ = 0;

  // Written by the owner once a block, read by thieves (Q4).
  alignas(cache_line) platform::atomic<std::uint64_t> shown_front_{0};
  platform::atomic<std::uint64_t> shown_back_{0};
};

}  // namespace hotseat::detail
