// hotseat/platform/real/pages.hpp — pages straight from the kernel.
// Layer: platform.
#pragma once

#include <cstddef>
#include <memory>

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

}  // namespace hotseat::platform
