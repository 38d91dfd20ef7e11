// hotseat/task/detail/frame_allocator.hpp — memory for coroutine frames, recycled.
// Layer: task/detail.
#pragma once

#include <hotseat/platform/config.hpp>
#include <hotseat/platform/memory.hpp>
#include <hotseat/platform/seam.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>

namespace hotseat::detail {

/// Frames that this thread has freed, by size.  A frame stays with the thread that freed
/// it, not with the one that allocated it: tasks migrate, and either is as warm as the
/// other.  Lists are short; what does not fit goes back to the heap.
///
/// Constant-initialized and trivially destructible, so that the fast path is a load, a
/// compare and a store.  `release_all` runs when the thread ends.
class frame_cache {
 public:
  [[nodiscard]] void* take(std::size_t size) {
    if (size <= largest) [[likely]] {
      list& sized = lists_[(size - 1) / step];
      if (free_frame* const frame = sized.head) [[likely]] {
        sized.head = frame->next;
        --sized.length;
        return frame;
      }
    }
    return take_slow(size);
  }

  void give_back(void* memory, std::size_t size) noexcept {
    if (size <= largest) [[likely]] {
      list& sized = lists_[(size - 1) / step];
      if (sized.length < longest_list) [[likely]] {
        sized.head = ::new (memory) free_frame{sized.head};
        ++sized.length;
        return;
      }
    }
    ::operator delete(memory);
  }

  void release_all() noexcept;

 private:
  struct free_frame {
    free_frame* next;
  };
  struct list {
    free_frame* head = nullptr;
    std::uint32_t length = 0;
  };

  [[gnu::noinline]] static void* take_slow(std::size_t size);

  static constexpr std::size_t step = 64;
  static constexpr std::size_t largest = 1024;
  static constexpr std::uint32_t longest_list = 256;

  std::array<list, largest / step> lists_{};
};

/// Base of promises whose frames are recycled.
struct recycled_frame {
  static void* operator new(std::size_t size) {
    if constexpr (config::recycles_frames)
      return platform::per_thread<frame_cache>().take(size);
    return platform::allocate_frame(size);
  }
  static void operator delete(void* memory, std::size_t size) noexcept {
    if constexpr (config::recycles_frames) {
      return platform::per_thread<frame_cache>().give_back(memory, size);
    }
    platform::free_frame(memory, size);
  }
};

/// The same memory for small arrays that live as long as a frame.
template <class T>
struct recycled_allocator {
  using value_type = T;
  recycled_allocator() = default;
  template <class U>
  // NOLINTNEXTLINE(google-explicit-constructor): what an allocator must be able to do.
  recycled_allocator(const recycled_allocator<U>&) noexcept {}

  // Not inlined, unlike the operators for frames, whose size is constant: with any other
  // size the compiler would keep the address of the cache, and a fiber changes its thread.
  [[nodiscard, gnu::noinline]] T* allocate(std::size_t count) {
    return static_cast<T*>(recycled_frame::operator new(count * sizeof(T)));
  }
  [[gnu::noinline]] void deallocate(T* memory, std::size_t count) noexcept {
    recycled_frame::operator delete(memory, count * sizeof(T));
  }
  friend bool operator==(recycled_allocator, recycled_allocator) { return true; }
};

}  // namespace hotseat::detail
