// hotseat/sched/dispatch.hpp — sending a task home.
// Layer: sched.
#pragma once

#include <hotseat/core/waiter.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/sched/run.hpp>

namespace hotseat {

/// Schedules the heir on its own executor.  A task that waited on a thread without an
/// executor has no home: it, and what it continues with, runs on this thread inside this
/// call.
inline void dispatch_task(waiter& heir) noexcept {
  if (heir.home != nullptr) [[likely]] {
    heir.home->schedule(heir);
  } else {
    run_nested(heir.task);
  }
}

}  // namespace hotseat
