// hotseat/platform/simulated/fence.hpp — asymmetric order, and what it costs.
// Layer: platform.  What it promises: platform/real/seam.hpp.
#pragma once

#include <hotseat/platform/simulated/atomic.hpp>
#include <hotseat/platform/simulated/machine.hpp>

#include <atomic>

namespace hotseat::platform {

template <class T>
[[nodiscard]] inline T load_after_stores(atomic<T>& flag) noexcept {
  return flag.load(std::memory_order_acquire);
}

inline void read_only_now() noexcept {}

inline void heavy_fence() noexcept { simulated::heavy_fence(); }

}  // namespace hotseat::platform
