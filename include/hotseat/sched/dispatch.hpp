// hotseat/sched/dispatch.hpp — sending tasks home.
// Layer: sched.
#pragma once

#include <hotseat/core/waiter.hpp>
#include <hotseat/core/waiter_queue.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/sched/run.hpp>
#include <hotseat/sched/this_thread.hpp>

namespace hotseat {

namespace detail {

/// Runs the homeless tasks that are ready on this thread.
inline void run_homeless() noexcept {
  waiter_queue* const ready = this_thread().homeless;
  while (ready != nullptr && !ready->empty()) run_nested(ready->pop_front().task);
}

/// Runs `heir` on this thread, and all that become ready by it.  One after the other: a
/// line of any length takes no more stack than one task.
inline void run_homeless(waiter& heir) noexcept {
  thread_state& here = this_thread();
  if (here.homeless != nullptr) return here.homeless->push_back(heir);
  waiter_queue ready;
  ready.push_back(heir);
  here.homeless = &ready;
  run_homeless();
  here.homeless = nullptr;
}

}  // namespace detail

/// Schedules the heir on its own executor.  A task that waited on a thread without an
/// executor has no home: it, and what it continues with, runs on this thread inside this
/// call; inside the outermost one, if this is called by such a task.
inline void dispatch_task(waiter& heir) noexcept {
  if (heir.home != nullptr) [[likely]] {
    heir.home->schedule(heir);
  } else {
    detail::run_homeless(heir);
  }
}

/// The same for several, in order; neighbours with the same home go there in one batch.
/// Empties the queue.
inline void dispatch_all(waiter_queue& heirs) noexcept {
  while (!heirs.empty()) {
    executor* const home = heirs.front()->home;
    if (home == nullptr) {
      detail::run_homeless(heirs.pop_front());
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
