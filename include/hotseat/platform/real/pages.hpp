// hotseat/platform/real/pages.hpp — pages straight from the kernel, frames from the heap.
// Layer: platform.
#pragma once

#include <cstddef>
#include <memory>
#include <new>

namespace hotseat::platform {

struct free_pages {
  std::size_t bytes = 0;
  void operator()(std::byte* memory) const noexcept;
};

/// Zeroed memory that no thread has touched yet.  The kernel takes each page from the node
/// of the thread that writes it first; memory from a heap was perhaps touched before.
/// Throws std::bad_alloc.
using pages = std::unique_ptr<std::byte[], free_pages>;
[[nodiscard]] pages allocate_pages(std::size_t bytes);

/// Memory for the frame of a task, where frames are not recycled.  Throws std::bad_alloc.
[[nodiscard]] inline void* allocate_frame(std::size_t bytes) {
  return ::operator new(bytes);
}
inline void free_frame(void* memory, std::size_t /*bytes*/) noexcept {
  ::operator delete(memory);
}

}  // namespace hotseat::platform
