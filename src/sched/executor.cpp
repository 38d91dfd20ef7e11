// hotseat/sched/executor.cpp — tasks that run on the calling thread, inside a call: those
// without an executor, and those that are resumed inline.
#include <hotseat/core/waiter.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sched/current.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/sched/handoff.hpp>
#include <hotseat/sched/run.hpp>

namespace hotseat {

namespace detail {

void run_homeless() noexcept {
  waiter_queue* const ready = current().homeless;
  while (ready != nullptr && !ready->empty()) run_nested(ready->pop_front().task);
}

// One after another: a line of any length takes no more stack than one task.
void run_homeless(waiter& heir) noexcept {
  thread_state& here = current();
  if (here.homeless != nullptr) return here.homeless->push_back(heir);
  waiter_queue ready;
  ready.push_back(heir);
  here.homeless = &ready;
  run_homeless();
  here.homeless = nullptr;
}

}  // namespace detail

void handoff::resume_inline::run(waiter& heir) noexcept {
  const detail::thread_state& here = detail::current();
  if (heir.home != here.here || platform::stack_position() < here.stack_floor) {
    return dispatch_task(heir);
  }
  run_nested(heir.task);
}

}  // namespace hotseat
