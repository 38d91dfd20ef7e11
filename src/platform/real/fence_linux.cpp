// hotseat/platform/real/fence_linux.cpp — the heavy side of the asymmetric fence.
#include <hotseat/platform/seam.hpp>

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace hotseat::platform {

namespace detail {

namespace {
bool register_membarrier() noexcept {
  return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}
}  // namespace

const bool has_membarrier = register_membarrier();

}  // namespace detail

void heavy_fence() noexcept {
  if constexpr (config::asymmetric_fences) {
    if (detail::has_membarrier) {
      syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
    }
  }
}

}  // namespace hotseat::platform
