// hotseat/runtime/bwos_queue.cpp — what happens once per block of tasks.
#include <hotseat/core/assert.hpp>
#include <hotseat/runtime/detail/bwos_queue.hpp>

#include <new>

namespace hotseat::detail {

bwos_queue::bwos_queue(std::byte* storage, std::uint32_t block_size,
                       std::uint32_t block_count, queue_order order) noexcept
    : blocks_{reinterpret_cast<bwos_block*>(storage)},
      mask_{block_count - 1},
      order_{order} {
  std::byte* slots = storage + block_count * sizeof(bwos_block);
  for (std::uint32_t i = 0; i < block_count; ++i) {
    bwos_block* const fresh = ::new (storage + i * sizeof(bwos_block)) bwos_block;
    auto* const first = reinterpret_cast<platform::var<item>*>(slots);
    for (std::uint32_t slot = 0; slot < block_size; ++slot) {
      ::new (first + slot) platform::var<item>;  // Already zero; must not touch the page.
    }
    fresh->bind(first, block_size);
    slots += slot_bytes(block_size);
  }
  front_block_ = back_block_ = offer_ = &block(0);
}

void bwos_queue::set_front(std::uint64_t number) noexcept {
  front_ = number;
  front_block_ = &block(number);
  shown_front_.store(number, std::memory_order_relaxed);
}

void bwos_queue::set_back(std::uint64_t number) noexcept {
  back_ = number;
  back_block_ = &block(number);
  shown_back_.store(number, std::memory_order_relaxed);
}

void bwos_queue::share(bwos_block& what) noexcept {
  what.share();
  offer_ = &what;
  ++blocks_granted_;
}

// Thieves empty blocks from the front.
void bwos_queue::drop_empty_front() noexcept {
  std::uint64_t number = front_;
  while (number != back_ && !block(number).has_private() && !block(number).has_shared()) {
    ++number;
  }
  if (number != front_) set_front(number);
}

bool bwos_queue::make_room() noexcept {
  if (back_block_->is_quiet()) {
    back_block_->reset();
    return true;
  }
  drop_empty_front();
  if (back_ - front_ == mask_) return false;  // Q1
  bwos_block& next = block(back_ + 1);
  if (!next.is_quiet()) return false;
  next.reset();
  // A FIFO owner keeps its front block: it pops there next, and `expose` is there for
  // thieves that find nothing else.
  const bool is_own_front = order_ == queue_order::fifo && front_ == back_;
  if (!is_own_front && back_block_->has_private()) {
    share(*back_block_);
  }
  set_back(back_ + 1);
  invariant(back_ - front_ <= mask_, "bwos_queue", this, "Q1: the ring holds its blocks");
  return true;
}

bwos_queue::item bwos_queue::pop_front_slow() noexcept {
  for (;;) {
    front_block_->reclaim();
    if (front_block_->has_private()) return front_block_->pop_front();
    if (front_ == back_) return nullptr;
    set_front(front_ + 1);
  }
}

bwos_queue::item bwos_queue::pop_back_slow() noexcept {
  // Takes one exposed task only: if all were reclaimed, they would soon be granted again.
  if (const item newest = back_block_->take_shared()) return newest;
  while (front_ != back_) {
    set_back(back_ - 1);
    back_block_->reclaim();
    if (back_block_->has_private()) return back_block_->pop_back();
  }
  return nullptr;
}

void bwos_queue::share_all() noexcept {
  for (bwos_block* const each : {back_block_, front_block_}) {
    if (each->has_private()) share(*each);
  }
}

std::uint32_t bwos_queue::room() noexcept {
  if (back_block_->is_quiet()) back_block_->reset();
  return back_block_->room();
}

std::size_t bwos_queue::steal(std::span<item> taken) noexcept {
  const std::uint64_t back = shown_back_.load(std::memory_order_relaxed);
  for (std::uint64_t n = shown_front_.load(std::memory_order_relaxed); n <= back; ++n) {
    bwos_block& here = block(n);
    const claim mine = here.try_claim(static_cast<std::uint32_t>(taken.size()), n != back);
    if (mine.count == 0) continue;
    for (std::uint32_t i = 0; i < mine.count; ++i) taken[i] = here.read(mine.first + i);
    here.finish(mine);
    return mine.count;
  }
  return 0;
}

bool bwos_queue::shows_work() const noexcept {
  const std::uint64_t back = shown_back_.load(std::memory_order_relaxed);
  for (std::uint64_t n = shown_front_.load(std::memory_order_relaxed); n <= back; ++n) {
    if (block(n).has_shared()) return true;
  }
  return false;
}

}  // namespace hotseat::detail
