// hotseat/platform/explored/account.hpp — no accounts: the explorer does not measure time.
// Layer: platform.
#pragma once

namespace hotseat::platform {

/// A worker is about to resume the task with this frame.
inline void on_resume(const void* /*frame*/) noexcept {}

/// From here to the end of the scope the calling worker has nothing to do.
class searching_scope {
 public:
  searching_scope() noexcept {}  // NOLINT(modernize-use-equals-default): not unused.
};

}  // namespace hotseat::platform
