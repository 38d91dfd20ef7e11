// hotseat/platform/real/relax.hpp — the processor's spin hint, and giving the core away.
// Layer: platform.
#pragma once

#include <sched.h>

namespace hotseat::platform {

inline void relax() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb" ::: "memory");
#endif
}

inline void relax(unsigned times) noexcept {
  for (unsigned i = 0; i < times; ++i) relax();
}

/// Lets another thread have this core, if one wants it.
inline void yield_core() noexcept { sched_yield(); }

/// Asks for the line at `address` to be in this core's cache soon.
inline void prefetch(const void* address) noexcept { __builtin_prefetch(address, 1, 3); }

}  // namespace hotseat::platform
