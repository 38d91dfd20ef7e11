// hotseat/sched/this_thread.hpp — what the calling thread is running, and what it runs
// next. Layer: sched.  Read next: sched/executor.hpp, sched/exchange.hpp.
#pragma once

#include <hotseat/platform/config.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/trace/trace.hpp>

#include <coroutine>
#include <cstdint>

namespace hotseat {

class executor;
class waiter_queue;

namespace detail {

/// One for each thread.  A thread that is no worker has no `here`, and everything else
/// stays at zero.
struct thread_state {
  /// The executor whose worker this thread is.
  executor* here = nullptr;

  /// The slot: what this thread resumes as soon as its task has suspended.
  std::coroutine_handle<> run_next;

  /// Locks that the running task owns.  A task takes the number with it into a line and
  /// back (`waiter::locks_held`); each task a worker takes from a queue starts at zero.
  std::uint32_t locks_held = 0;

  /// Consecutive exchanges on this worker, where the chain may be cut, and by how much that
  /// is put off if it is not.  The worker starts a new chain with each task of its queues.
  std::uint32_t chain = 0;
  std::uint32_t chain_end = 0;
  std::uint32_t chain_limit = 0;

  /// Somebody waits behind the heir in the slot: what is scheduled now will soon be
  /// followed by more.
  bool is_exchange_near = false;

  /// Somebody records what happens; as of the time when the running task was resumed.  Each
  /// lock asks it, and a plain field is cheaper than the atomic of all threads.
  bool is_traced = false;

  /// Tasks without an executor that became ready while another one runs on this thread, in
  /// a call of `dispatch_task`; null outside of one.
  waiter_queue* homeless = nullptr;

  /// resume_inline nests tasks on this thread's stack while it is above this.
  std::uintptr_t stack_floor = UINTPTR_MAX;
};

}  // namespace detail

/// Never keep the reference across a suspension.
[[nodiscard]] inline detail::thread_state& this_thread() noexcept {
  return platform::per_thread<detail::thread_state>();
}

namespace detail {

/// Writes down that a section was entered or left, if somebody asked for it.
inline void note_section(trace::kind what, const void* lock, trace::entry how) noexcept {
  if constexpr (config::records_traces) {
    if (this_thread().is_traced) [[unlikely]]
      trace::note(what, lock, how);
  }
}

/// The calling task is inside a lock from here on.
inline void note_entered(const void* lock, trace::entry how) noexcept {
  note_section(trace::kind::section_entered, lock, how);
  ++this_thread().locks_held;
}

/// It has left, or is about to.
inline void note_left(const void* lock) noexcept {
  note_section(trace::kind::section_left, lock, trace::entry_free);
  thread_state& here = this_thread();
  // By a task that did not enter it: its count was zero.
  if (here.locks_held-- == 0) [[unlikely]]
    here.locks_held = 0;
}

}  // namespace detail

/// Takes the number of locks that a task owns across a suspension: a member of operations
/// that suspend otherwise than in the line of a lock.
class carried_locks {
 public:
  /// In `await_suspend`, before anybody can resume the task.
  void leave() noexcept { count_ = this_thread().locks_held; }
  /// In `await_resume`, on whatever thread that is.  REQUIRES: leave() was called.
  void return_to() const noexcept { this_thread().locks_held = count_; }

 private:
  std::uint32_t count_ = 0;
};

}  // namespace hotseat
