// hotseat/platform/explored/pages.hpp — memory, and frames that are not used again.
// Layer: platform.
#pragma once

#include <cstddef>
#include <memory>

namespace hotseat::platform {

struct free_pages {
  std::size_t bytes = 0;
  void operator()(std::byte* memory) const noexcept;
};

using pages = std::unique_ptr<std::byte[], free_pages>;
[[nodiscard]] pages allocate_pages(std::size_t bytes);

/// A frame that is freed is filled with garbage and kept until the execution is over, so
/// that whoever still uses it is found out.  One that is not freed is a lost task.
[[nodiscard]] void* allocate_frame(std::size_t bytes);
void free_frame(void* memory, std::size_t bytes) noexcept;

namespace explored {

/// Whether nobody has written to a frame that was freed.
[[nodiscard]] bool has_untouched_frames() noexcept;

/// How many frames have not been freed.  Starts anew.
[[nodiscard]] std::size_t forget_frames() noexcept;

}  // namespace explored

}  // namespace hotseat::platform
