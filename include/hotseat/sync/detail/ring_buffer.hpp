// hotseat/sync/detail/ring_buffer.hpp — the values that a channel keeps, oldest first.
// Layer: sync/detail.
#pragma once

#include <hotseat/core/pinned.hpp>
#include <hotseat/platform/seam.hpp>

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace hotseat::detail {

struct take_over_t {};

/// Not thread-safe.  Allocates in the constructor only.
///
/// Invariants
///   B1  The values are in `size_` slots from first_ on, wrapping around at the end; the
///       other slots hold no object.
template <class T>
class ring_buffer : pinned<ring_buffer<T>> {
  static_assert(std::is_nothrow_move_constructible_v<T>);

 public:
  explicit ring_buffer(std::size_t capacity)
      : slots_{capacity != 0 ? std::allocator<T>{}.allocate(capacity) : nullptr},
        capacity_{capacity} {}

  /// Takes over all values of `other`, which must not be filled again.
  ring_buffer(ring_buffer& other, take_over_t) noexcept
      : slots_{other.slots_},
        capacity_{other.capacity_},
        first_{other.first_},
        size_{other.size_} {
    other.slots_ = nullptr;
    other.size_ = 0;
  }

  ~ring_buffer() {
    while (size_ != 0) drop_front();
    if (slots_ != nullptr) std::allocator<T>{}.deallocate(slots_, capacity_);
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
  [[nodiscard]] bool is_empty() const noexcept { return size_ == 0; }
  [[nodiscard]] bool is_full() const noexcept { return size_ == capacity_; }

  /// REQUIRES: !is_full().
  void push_back(T&& value) noexcept {
    // Neither operand exceeds the capacity: no overflow, and at most one wrap.
    const std::size_t room = capacity_ - first_;
    std::construct_at(slots_ + (size_ < room ? first_ + size_ : size_ - room),
                      std::move(value));
    size_ = size_ + 1;
  }

  /// The oldest value.  REQUIRES: !is_empty().
  [[nodiscard]] T& front() noexcept { return slots_[first_]; }

  /// REQUIRES: !is_empty().
  void drop_front() noexcept {
    std::destroy_at(slots_ + first_);
    first_ = first_ + 1 == capacity_ ? 0 : first_ + 1;
    size_ = size_ - 1;
  }

 private:
  platform::var<T*> slots_;
  const std::size_t capacity_;
  platform::var<std::size_t> first_ = 0;
  platform::var<std::size_t> size_ = 0;
};

}  // namespace hotseat::detail
