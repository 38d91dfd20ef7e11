// hotseat/platform/explored/memory.hpp — pages, frames and stacks that the explorer
// watches. Layer: platform.
#pragma once

#include <cstddef>
#include <cstdint>
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

struct guarded_stack {
  std::byte* lowest = nullptr;
  std::size_t bytes = 0;

  [[nodiscard]] bool holds(std::uintptr_t address) const noexcept {
    return address - reinterpret_cast<std::uintptr_t>(lowest) < bytes;
  }
};

inline constexpr std::size_t stack_guard_bytes = 4096;
inline constexpr std::size_t least_stack_bytes = std::size_t{16} << 10U;
inline constexpr std::size_t most_stack_bytes = std::size_t{1} << 20U;

/// What a failed execution had taken is lost.
[[nodiscard]] guarded_stack take_stack(std::size_t bytes);
void give_stack(guarded_stack stack) noexcept;

// An overflow is a crash, which the explorer reports.
using overflow_finder = const char* (*)(std::uintptr_t address) noexcept;
inline void report_overflows(overflow_finder /*find*/) noexcept {}
inline void prepare_overflow_report() noexcept {}
[[nodiscard]] inline bool is_on_signal_stack() noexcept { return false; }

}  // namespace hotseat::platform
