// hotseat/sched/current.hpp — what the calling thread is running, and what it runs next.
// Layer: sched.  Read next: sched/executor.hpp, sched/worker_scope.hpp.
#pragma once

#include <hotseat/core/waiter.hpp>
#include <hotseat/platform/config.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/trace/trace.hpp>

#include <coroutine>
#include <cstdint>

namespace hotseat {

class worker_scope;

namespace detail {

/// One per thread.  On a non-worker thread `here` and `worker` are null, and there are no
/// chains.
struct thread_state {
  /// The executor whose worker this thread is, and the scope that makes it one.
  executor* here = nullptr;
  worker_scope* worker = nullptr;

  /// The slot: what this thread resumes as soon as its task has suspended.
  std::coroutine_handle<> run_next;

  /// Locks that the running task owns.  A task takes the number along when it suspends
  /// (`waiter::locks_held`); a task that a worker takes from a queue starts at zero.
  std::uint32_t locks_held = 0;

  /// Consecutive exchanges on this worker; where the chain may be cut; how far that point
  /// moves each time the chain is not cut there.
  std::uint32_t chain = 0;
  std::uint32_t chain_end = 0;
  std::uint32_t chain_limit = 0;

  /// Whether a recording was on when the running task was resumed.  Each lock checks this;
  /// a plain field is cheaper than the program's atomic.
  bool is_traced = false;

  /// Homeless tasks that became ready while another one runs on this thread, inside a call
  /// of `dispatch_task`; null outside such a call.
  waiter_queue* homeless = nullptr;

  /// resume_inline nests tasks while this thread's stack is above this address.
  std::uintptr_t stack_floor = UINTPTR_MAX;
};

/// Never keep the reference across a suspension.
[[nodiscard]] inline thread_state& current() noexcept {
  return platform::per_thread<thread_state>();
}

/// Called in `await_suspend`, before anything can resume the task: returns the locks that
/// the task takes along.
[[nodiscard]] inline std::uint32_t take_locks_along() noexcept {
  const thread_state& here = current();
  if constexpr (config::records_traces) {
    if (here.is_traced && here.locks_held != 0) [[unlikely]]
      trace::note(trace::kind::task_suspends);
  }
  return here.locks_held;
}
/// The same for a task that has a place in line.
inline void note_suspended(waiter& place, std::coroutine_handle<> task) noexcept {
  place.set(task, current().here, take_locks_along());
}
/// Called in `await_resume`, on the thread that resumed the task.
inline void note_resumed(const waiter& place) noexcept {
  current().locks_held = place.locks_held;
}

/// Records that a section was entered or left, if a recording is on.
inline void note_section(trace::kind what, const void* lock, trace::entry how) noexcept {
  if constexpr (config::records_traces) {
    if (current().is_traced) [[unlikely]]
      trace::note(what, lock, how);
  }
}

/// The calling task has entered a lock.
inline void note_entered(const void* lock, trace::entry how) noexcept {
  note_section(trace::kind::section_entered, lock, how);
  ++current().locks_held;
}

/// The calling task has left a lock, or is about to.
inline void note_left(const void* lock) noexcept {
  note_section(trace::kind::section_left, lock, trace::entry_free);
  thread_state& here = current();
  // Zero if another task entered the lock.
  if (here.locks_held-- == 0) [[unlikely]]
    here.locks_held = 0;
}

}  // namespace detail

}  // namespace hotseat
