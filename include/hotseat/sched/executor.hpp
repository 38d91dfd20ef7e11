// hotseat/sched/executor.hpp — where tasks run.  Implement `schedule` to write your own.
// Layer: sched.  Read next: sched/exchange.hpp.
#pragma once

#include <hotseat/core/waiter.hpp>
#include <hotseat/core/waiter_queue.hpp>
#include <hotseat/sched/this_thread.hpp>

#include <coroutine>
#include <cstddef>
#include <span>

namespace hotseat {

class alarm_clock;

/// A set of workers.  `schedule` hands a task to them; `run_next` is for the worker that
/// calls it.
///
/// To write your own, implement `schedule`, and let its workers resume tasks with
/// `run_until_idle` (sched/run.hpp).  Everything else that is virtual has a default:
///
///     schedule_all, schedule_last, fork, fork_all, send_elsewhere    call schedule
///     has_ready                     true
///     timers                        nullptr: waits with a deadline stop the program
///     admit_guest, dismiss_guest    do nothing
class executor {
 public:
  executor(const executor&) = delete;
  executor& operator=(const executor&) = delete;

  /// Makes the task ready: some worker resumes it, perhaps before this returns.  `ready`
  /// lives in the task's frame, so it may be gone then, too.
  virtual void schedule(waiter& ready) noexcept = 0;

  /// `schedule` for several, in order.  Empties the queue.
  virtual void schedule_all(waiter_queue& ready) noexcept {
    while (!ready.empty()) schedule(ready.pop_front());
  }

  /// Called when a chain of exchanges has reached its limit: sends the heir, which owns a
  /// lock already, to another worker.  False if that would help nobody, for instance since
  /// idle workers see to this one's tasks: then the chain goes on.
  [[nodiscard]] virtual bool send_elsewhere(waiter& heir) noexcept {
    schedule(heir);
    return true;
  }

  /// Like `schedule`, behind everything that is ready now.
  virtual void schedule_last(waiter& ready) noexcept { schedule(ready); }

  /// Whether anything waits for the calling worker: if not, the caller of `reschedule`
  /// would let nobody run but itself.  Others come and go meanwhile.
  [[nodiscard]] virtual bool has_ready() const noexcept { return true; }

  /// Rings for tasks of this executor that wait until a time; nullptr if it keeps no time.
  [[nodiscard]] virtual alarm_clock* timers() noexcept { return nullptr; }

  /// Like `schedule`, for a task that the caller has just created and will wait for.
  /// Newest first, so that a tree of tasks is walked in depth and stays small.
  virtual void fork(waiter& child) noexcept { schedule(child); }

  /// `fork` for several, the last one first, so that the first is the newest.
  virtual void fork_all(std::span<waiter> children) noexcept {
    for (std::size_t i = children.size(); i-- > 0;) fork(children[i]);
  }

  /// Makes `task` the very next thing the calling worker runs, once the task it is running
  /// now has suspended.  REQUIRES: called on a worker, at most once per suspension.
  static void run_next(std::coroutine_handle<> task) noexcept {
    this_thread().run_next = task;
  }

  /// The executor whose worker is calling, or nullptr on any other thread.
  [[nodiscard]] static executor* current() noexcept { return this_thread().here; }

  /// Told of those that must have ended before the executor is destroyed: fibers, whose
  /// stacks would be lost with it.  The guest's end is seen by whoever destroys the
  /// executor, through joining the guest or the workers.
  virtual void admit_guest() noexcept {}
  virtual void dismiss_guest() noexcept {}

 protected:
  executor() = default;
  ~executor() = default;
};

}  // namespace hotseat
