// hotseat/platform/simulated/relax.hpp — a pause, in virtual time.
// Layer: platform.
#pragma once

#include <hotseat/platform/simulated/machine.hpp>

namespace hotseat::platform {

inline void relax() noexcept { simulated::relax(); }
inline void relax(unsigned times) noexcept {
  for (unsigned i = 0; i < times; ++i) simulated::relax();
}
inline void yield_core() noexcept { simulated::relax(); }
inline void prefetch(const void* address) noexcept { simulated::prefetch(address); }

}  // namespace hotseat::platform
