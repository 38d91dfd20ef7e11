// hotseat/platform/explored/memory.hpp — watched pages, frames and stacks.
// Layer: platform.
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

/// A freed frame is filled with garbage and kept until the execution ends, to catch later
/// writes.  A frame that is never freed is a lost task.
[[nodiscard]] void* allocate_frame(std::size_t bytes);
void free_frame(void* memory, std::size_t bytes) noexcept;

namespace explored {

/// Whether all freed frames are still untouched.
[[nodiscard]] bool has_untouched_frames() noexcept;

/// Returns how many frames were not freed, and starts anew.
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

/// The stacks of a failed execution are lost.
[[nodiscard]] guarded_stack take_stack(std::size_t bytes);
void give_stack(guarded_stack stack) noexcept;

// An overflow is a crash, which the explorer reports.
using overflow_finder = const char* (*)(std::uintptr_t address) noexcept;
inline void report_overflows(overflow_finder /*find*/) noexcept {}
inline void prepare_overflow_report() noexcept {}
[[nodiscard]] inline bool is_on_signal_stack() noexcept { return false; }

}  // namespace hotseat::platform
