// hotseat/sched/dispatch.hpp — sending tasks home.
// Layer: sched.
#pragma once

#include <hotseat/core/waiter.hpp>
#include <hotseat/core/waiter_queue.hpp>
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

/// The same for several, in order; neighbours with the same home go there in one batch.
/// Empties the queue.
inline void dispatch_all(waiter_queue& heirs) noexcept {
  while (!heirs.empty()) {
    executor* const home = heirs.front()->home;
    if (home == nullptr) {
      run_nested(heirs.pop_front().task);
      continue;
    }
    waiter_queue batch;
    while (!heirs.empty() && heirs.front()->home == home) {
      batch.push_back(heirs.pop_front());
    }
    home->schedule_all(batch);
  }
}

}  // namespace hotseat
