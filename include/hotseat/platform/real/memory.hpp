// hotseat/platform/real/memory.hpp — pages, stacks and frames from kernel and heap.
// Layer: platform.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

namespace hotseat::platform {

struct free_pages {
  std::size_t bytes = 0;
  void operator()(std::byte* memory) const noexcept;
};

/// Zeroed memory that no thread has touched yet.  The kernel takes each page from the node
/// of the thread that first writes it; heap memory may have been touched before.  Throws
/// std::bad_alloc.
using pages = std::unique_ptr<std::byte[], free_pages>;
[[nodiscard]] pages allocate_pages(std::size_t bytes);

/// Memory for the frame of a task, where frames are not recycled.  Throws std::bad_alloc.
[[nodiscard]] inline void* allocate_frame(std::size_t bytes) {
  return ::operator new(bytes);
}
inline void free_frame(void* memory, std::size_t /*bytes*/) noexcept {
  ::operator delete(memory);
}

/// Memory for a stack, which grows down from `lowest + bytes`.  Below `lowest` lie
/// `stack_guard_bytes` that cannot be accessed.
struct guarded_stack {
  std::byte* lowest = nullptr;
  std::size_t bytes = 0;

  [[nodiscard]] bool holds(std::uintptr_t address) const noexcept {
    return address - reinterpret_cast<std::uintptr_t>(lowest) < bytes;
  }
};

/// A function with larger locals than this may step over the guard, unless the program is
/// compiled with -fstack-clash-protection.
inline constexpr std::size_t stack_guard_bytes = std::size_t{64} << 10U;

inline constexpr std::size_t least_stack_bytes = std::size_t{16} << 10U;
inline constexpr std::size_t most_stack_bytes = std::size_t{1} << 30U;

/// A stack of at least that size, rounded up to a power of two.  The kernel provides memory
/// when it is touched.  Throws std::system_error if the kernel refuses.  REQUIRES: `bytes`
/// is within the two limits above.
[[nodiscard]] guarded_stack take_stack(std::size_t bytes);

/// REQUIRES: nothing runs on it.
void give_stack(guarded_stack stack) noexcept;

/// Counts of all stacks of the process.
struct stack_facts {
  std::size_t mapped = 0;         ///< Stacks that exist.
  std::size_t waiting = 0;        ///< Of these, neither in use nor in a thread's cache.
  bool has_light_guards = false;  ///< The kernel adds guards without splitting the mapping.
};
[[nodiscard]] stack_facts facts_about_stacks();

/// Returns the name of the fiber that overflows if the calling thread touches `address`, or
/// null.  Called in a signal handler.
using overflow_finder = const char* (*)(std::uintptr_t address) noexcept;

/// From now on, a thread that hits a guard reports on stderr whose it is, before the signal
/// ends the program.  Other faults go to the former handler of SIGSEGV.
void report_overflows(overflow_finder find) noexcept;

/// To be called by each thread that runs on such stacks: the report needs its own stack.
void prepare_overflow_report() noexcept;

/// Whether the calling thread is handling a signal on its signal stack.
[[nodiscard]] bool is_on_signal_stack() noexcept;

}  // namespace hotseat::platform
