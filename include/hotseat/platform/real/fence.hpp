// hotseat/platform/real/fence.hpp — asymmetric StoreLoad order by membarrier(2).
// Layer: platform.
#pragma once

#include <hotseat/platform/atomic.hpp>
#include <hotseat/platform/config.hpp>

namespace hotseat::platform {

namespace detail {
/// Whether the kernel grants membarrier; decided once, before main.
extern const bool has_membarrier;
}  // namespace detail

/// The two sides of Dekker's argument, for a word `flag` on which the rare side has just
/// done a read-modify-write:
///
///     often:   store data;  load_after_stores(flag)
///     rarely:  flag.fetch_add(...);  heavy_fence();  load data
///
/// At least one of them sees the other; the load acquires what the flag's writer released.
/// With membarrier the often side pays a compiler barrier; without it, a read-modify-write
/// on `flag`: then both sides meet in the modification order of one word, which needs no
/// fence at all.
template <class T>
[[nodiscard]] inline T load_after_stores(atomic<T>& flag) noexcept {
  if constexpr (config::asymmetric_fences) {
    if (detail::has_membarrier) [[likely]] {
      asm volatile("" ::: "memory");
      return flag.load(std::memory_order_acquire);
    }
  }
  return flag.fetch_add(T{0}, std::memory_order_acq_rel);
}

/// Keeps the compiler from doing before a test what only one outcome of it allows.  clang
/// reads members of `*this` ahead of time, also after the atomic operation that may have
/// ended the object's life.
inline void read_only_now() noexcept { asm volatile("" ::: "memory"); }

/// The rare side; see `load_after_stores`.  Costs a system call.
void heavy_fence() noexcept;

}  // namespace hotseat::platform
