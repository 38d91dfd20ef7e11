// hotseat/sched/run.hpp — resumes a task, and whatever it leaves in the slot.
// Layer: sched.
#pragma once

#include <hotseat/platform/config.hpp>
#include <hotseat/sched/current.hpp>
#include <hotseat/trace/trace.hpp>

#include <coroutine>
#include <cstdint>
#include <utility>

namespace hotseat {

/// Continues with `task` in place of the coroutine that is suspending: what `await_suspend`
/// returns.  Uses no stack: where the compiler does not guarantee a tail call, the task
/// goes through the slot, which whatever resumed us must empty as `run_until_idle` does.
[[nodiscard]] inline std::coroutine_handle<> transfer_to(
    std::coroutine_handle<> task) noexcept {
  if constexpr (config::transfers_without_stack) return task;
  detail::current().run_next = task;
  return std::noop_coroutine();
}

/// Resumes `task`, and then whatever its suspension left in the slot, until the slot is
/// empty.
inline void run_until_idle(std::coroutine_handle<> task) {
  auto begins = trace::kind::task_begins;
  if constexpr (config::records_traces) detail::current().is_traced = trace::is_on();
  while (task) {
    trace::note(std::exchange(begins, trace::kind::task_follows), task.address());
    task.resume();
    // Read again: the compiler must not keep the address across resume().
    detail::thread_state& here = detail::current();
    task = here.run_next;
    here.run_next = nullptr;
  }
  trace::note(trace::kind::task_ends);
}

/// The same inside a task, which goes on afterwards and still owns its locks.
inline void run_nested(std::coroutine_handle<> task) {
  detail::thread_state& here = detail::current();
  const std::uint32_t locks_held = here.locks_held;
  here.locks_held = 0;
  run_until_idle(task);
  here.locks_held = locks_held;  // The same thread: this call does not migrate.
}

}  // namespace hotseat
