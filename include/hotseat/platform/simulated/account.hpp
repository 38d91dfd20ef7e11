// hotseat/platform/simulated/account.hpp — what a worker spends its time on.
// Layer: platform.
#pragma once

#include <hotseat/platform/simulated/machine.hpp>

namespace hotseat::platform {

inline void on_resume(const void* frame) noexcept { simulated::on_resume(frame); }

class searching_scope {
 public:
  searching_scope() noexcept
      : before_{simulated::spend_time(simulated::activity::searching)} {}
  ~searching_scope() { simulated::spend_time(before_); }
  searching_scope(const searching_scope&) = delete;
  searching_scope& operator=(const searching_scope&) = delete;

 private:
  simulated::activity before_;
};

}  // namespace hotseat::platform
