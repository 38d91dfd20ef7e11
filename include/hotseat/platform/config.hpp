// hotseat/platform/config.hpp — facts about compiler and machine: the library's #ifs.
// Layer: platform.  All layers above test these facts with `if constexpr`.
#pragma once

#include <cstddef>

// The machine the library is built for: a folder below platform/.  The sources above this
// layer are the same for all machines.
#ifndef HOTSEAT_MACHINE
#define HOTSEAT_MACHINE real
#endif

#define HOTSEAT_TEXT_(x) #x
#define HOTSEAT_TEXT(x) HOTSEAT_TEXT_(x)
/// The header of that name for the machine we build for.
// clang-format off
#define HOTSEAT_MACHINE_HEADER(name) HOTSEAT_TEXT(hotseat/platform/HOTSEAT_MACHINE/name)
// clang-format on

#include HOTSEAT_MACHINE_HEADER(facts.hpp)

#if defined(__SANITIZE_THREAD__)
#define HOTSEAT_SANITIZES_THREAD 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HOTSEAT_SANITIZES_THREAD 1
#endif
#endif
#ifndef HOTSEAT_SANITIZES_THREAD
#define HOTSEAT_SANITIZES_THREAD 0
#endif

#if defined(__SANITIZE_ADDRESS__)
#define HOTSEAT_SANITIZES_ADDRESS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HOTSEAT_SANITIZES_ADDRESS 1
#endif
#endif
#ifndef HOTSEAT_SANITIZES_ADDRESS
#define HOTSEAT_SANITIZES_ADDRESS 0
#endif

#if defined(__clang__)
#define HOTSEAT_TRANSFERS_WITHOUT_STACK 1
#define HOTSEAT_MAY_START_TWICE 0
#else
#define HOTSEAT_TRANSFERS_WITHOUT_STACK 0
#define HOTSEAT_MAY_START_TWICE 1
#endif

#if defined(NDEBUG)
#define HOTSEAT_CHECKS_INVARIANTS 0
#else
#define HOTSEAT_CHECKS_INVARIANTS 1
#endif

// Set by the build for the library and its users: the option HOTSEAT_WITH_TRACE.
#ifndef HOTSEAT_WITH_TRACE
#define HOTSEAT_WITH_TRACE 1
#endif

#if defined(__x86_64__)
#define HOTSEAT_HAS_TSC 1
#else
#define HOTSEAT_HAS_TSC 0
#endif

namespace hotseat::config {

inline constexpr bool sanitizes_thread = HOTSEAT_SANITIZES_THREAD != 0;
inline constexpr bool sanitizes_address = HOTSEAT_SANITIZES_ADDRESS != 0;

/// Symmetric transfer is a tail call at every optimization level.  g++ promises that only
/// from -O2 on and never under a sanitizer, which a header cannot detect, so for g++ every
/// transfer goes through the worker's slot.
inline constexpr bool transfers_without_stack = HOTSEAT_TRANSFERS_WITHOUT_STACK != 0;

/// The compiler may call initial_suspend twice; see core/lazy_start.hpp.
inline constexpr bool may_start_twice = HOTSEAT_MAY_START_TWICE != 0;

/// A recycled frame hides a use after free from AddressSanitizer and from the explorer.
inline constexpr bool recycles_frames = keeps_freed_frames && !sanitizes_address;

/// Whether numbered invariants are asserted: without NDEBUG, and always where time is not
/// real.  Misuse is always checked.
inline constexpr bool checks_invariants =
    HOTSEAT_CHECKS_INVARIANTS != 0 || !is_real_machine;

/// Whether traces can be recorded; see trace/trace.hpp.  Where time is not real, recording
/// an event would be a step or take time, and so change what is recorded.
inline constexpr bool records_traces = HOTSEAT_WITH_TRACE != 0 && is_real_machine;

/// ThreadSanitizer does not understand membarrier, so fences are symmetric under it.
inline constexpr bool asymmetric_fences = !sanitizes_thread;

}  // namespace hotseat::config

namespace hotseat {

/// Bytes that travel together between cores.
inline constexpr std::size_t cache_line = 64;

/// Two lines: x86 prefetches a line's neighbor, so data that one worker keeps writing must
/// stay this far from what others read.
inline constexpr std::size_t cache_line_pair = 2 * cache_line;

/// Pads a First at the start of a line to the end of the line.  An explored First is larger
/// than a line, and is padded all the same.
template <class First>
struct rest_of_line {
  std::byte bytes[cache_line - sizeof(First) % cache_line];
};

/// A T that shares its line with nothing else.
template <class T>
struct alignas(cache_line) padded {
  T value{};
};

}  // namespace hotseat
