// hotseat/core/owner_guard.cpp — where the two sides of an owner_guard meet.
#include <hotseat/core/owner_guard.hpp>
#include <hotseat/core/spin_wait.hpp>
#include <hotseat/platform/seam.hpp>

#include <cstdint>

namespace hotseat {

void owner_guard::visit() noexcept {
  std::uint32_t nobody = 0;
  while (!visitors_.compare_exchange_weak(nobody, 1, std::memory_order_acquire,  // N
                                          std::memory_order_relaxed)) {
    nobody = 0;
    platform::yield_core();
  }
  platform::heavy_fence();
  for (detail::spin_wait wait; is_inside_.load(std::memory_order_acquire);) wait();  // V
}

void owner_guard::enter_slow() noexcept {
  do {
    // A visitor may see this instead of the last leave(), so it must publish the same.
    is_inside_.store(false, std::memory_order_release);  // O
    while (visitors_.load(std::memory_order_relaxed) != 0) platform::yield_core();
    is_inside_.store(true, std::memory_order_relaxed);
  } while (platform::load_after_stores(visitors_) != 0);  // N
}

}  // namespace hotseat
