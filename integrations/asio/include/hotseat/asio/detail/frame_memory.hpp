// hotseat/asio/detail/frame_memory.hpp — an operation's handler lies in the task's frame.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <new>

namespace hotseat::asio::detail {

/// Room for one block at a time; what does not fit, or comes second, is allocated.
class frame_memory {
 public:
  frame_memory() = default;
  frame_memory(const frame_memory&) = delete;
  frame_memory& operator=(const frame_memory&) = delete;

  [[nodiscard]] void* allocate(std::size_t bytes) {
    if (is_taken_ || bytes > room) return ::operator new(bytes);
    is_taken_ = true;
    return block_.data();
  }
  void deallocate(void* block) noexcept {
    if (block == block_.data()) {
      is_taken_ = false;
    } else {
      ::operator delete(block);
    }
  }

 private:
  /// Bytes.  The largest of Asio 1.22's socket operations with our handler has 200.
  static constexpr std::size_t room = 256;

  alignas(std::max_align_t) std::array<std::byte, room> block_;
  bool is_taken_ = false;
};

/// The allocator of a handler.
template <class T>
class frame_allocator {
 public:
  using value_type = T;

  explicit frame_allocator(frame_memory& memory) noexcept : memory_{&memory} {}
  template <class U>
  // NOLINTNEXTLINE(google-explicit-constructor): required of an allocator.
  frame_allocator(const frame_allocator<U>& other) noexcept : memory_{other.memory()} {}

  [[nodiscard]] T* allocate(std::size_t n) {
    return static_cast<T*>(memory_->allocate(n * sizeof(T)));
  }
  void deallocate(T* block, std::size_t) noexcept { memory_->deallocate(block); }

  [[nodiscard]] frame_memory* memory() const noexcept { return memory_; }
  friend bool operator==(const frame_allocator&, const frame_allocator&) = default;

 private:
  frame_memory* memory_;
};

}  // namespace hotseat::asio::detail
