// hotseat/platform/explored/fence.hpp — asymmetric order, as membarrier(2) provides it.
// Layer: platform.  What it promises: platform/real/seam.hpp.
#pragma once

#include <hotseat/platform/explored/atomic.hpp>
#include <hotseat/platform/explored/machine.hpp>

#include <atomic>

namespace hotseat::platform {

/// The load may see an old value, unless a heavy fence followed the new one.
template <class T>
[[nodiscard]] inline T load_after_stores(
    atomic<T>& flag, explored::place where = explored::place::current()) noexcept {
  if (!explored::has_membarrier()) {
    return flag.fetch_add(T{0}, std::memory_order_acq_rel, where);
  }
  if (explored::has_fence(where)) explored::light_fence();
  return flag.load(std::memory_order_acquire, where);
}

inline void read_only_now() noexcept {}

/// Sees the stores before all earlier fences; later ones see what this thread has seen.
inline void heavy_fence(explored::place where = explored::place::current()) noexcept {
  explored::step();
  if (explored::has_membarrier() && explored::has_fence(where)) explored::heavy_fence();
  explored::note(explored::verb::heavy_fence, nullptr, 0, std::memory_order_seq_cst, where);
}

}  // namespace hotseat::platform
