// hotseat/platform/explored/relax.hpp — in a spin loop, other threads go first.
// Layer: platform.
#pragma once

#include <hotseat/platform/explored/machine.hpp>

#include <atomic>

namespace hotseat::platform {

inline void relax(explored::place where = explored::place::current()) noexcept {
  explored::note(explored::verb::relax, nullptr, 0, std::memory_order_relaxed, where);
  explored::yield();
}

/// Once is as good as many times: no cycles are counted.
inline void relax(unsigned /*times*/,
                  explored::place where = explored::place::current()) noexcept {
  relax(where);
}

inline void yield_core(explored::place where = explored::place::current()) noexcept {
  relax(where);
}

inline void prefetch(const void* /*address*/) noexcept {}

}  // namespace hotseat::platform
