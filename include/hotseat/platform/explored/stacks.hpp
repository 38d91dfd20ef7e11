// hotseat/platform/explored/stacks.hpp — stacks whose coming and going is no step.
// Layer: platform.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hotseat::platform {

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
