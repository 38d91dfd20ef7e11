// hotseat/sched/executor.hpp — where tasks run, and the clock they wait by.
// Layer: sched.  Read next: sched/worker_scope.hpp (an executor of your own), then
// sched/exchange.hpp.
#pragma once

#include <hotseat/core/assert.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sched/current.hpp>

#include <coroutine>
#include <cstddef>

namespace hotseat {

/// Rings alarms at given times: the clock of an executor.
class alarm_clock {
 public:
  /// Lives in the operation that sets it.  Nested, since <unistd.h> has a function `alarm`.
  struct alarm {
    platform::clock::time_point due;
    /// Called once, by the clock, unless the alarm is withdrawn first.  The alarm may be
    /// gone afterwards.
    void (*ring)(alarm& self) noexcept = nullptr;
    bool is_early = false;  ///< It rings before its time: the clock is being closed.

    // A place in the clock's heap: first child, next sibling, and the pointer to us.
    alarm* child = nullptr;
    alarm* sibling = nullptr;
    alarm** back = nullptr;
  };

  alarm_clock(const alarm_clock&) = delete;
  alarm_clock& operator=(const alarm_clock&) = delete;

  /// Must be called before `set`.  Throws std::system_error or std::bad_alloc if the clock
  /// cannot be started; the next call tries again.
  virtual void start() = 0;

  /// Returns false if the clock is closed: the alarm will not ring.  On true it may be
  /// ringing already.
  [[nodiscard]] virtual bool set(alarm& a) noexcept = 0;

  /// On return the alarm will not ring, and no other thread is ringing it.  Does nothing if
  /// it has rung, or was never set.
  virtual void withdraw(alarm& a) noexcept = 0;

 protected:
  alarm_clock() = default;
  ~alarm_clock() = default;
};

/// A set of workers.  To write your own, implement `schedule`, and let each of its threads
/// run tasks in a `worker_scope`: examples/07_own_executor.cpp is one in 25 lines.
class executor {
 public:
  executor(const executor&) = delete;
  executor& operator=(const executor&) = delete;

  /// Makes a task ready: a worker resumes it, perhaps before this returns.  `ready` lives
  /// in the task's frame and may be gone by then.  Called on any thread.
  virtual void schedule(waiter& ready) noexcept = 0;

  /// `schedule` for several, in order.  Empties the queue.
  virtual void schedule_all(waiter_queue& ready) noexcept {
    while (!ready.empty()) schedule(ready.pop_front());
  }

  /// The clock for tasks of this executor that wait with a deadline, such as a
  /// `timer_queue`.  Null if it keeps no time: then such a wait stops the program.
  [[nodiscard]] virtual alarm_clock* timers() noexcept { return nullptr; }

  /// The executor whose worker is calling, or null on any other thread.
  [[nodiscard]] static executor* current() noexcept { return detail::current().here; }

  /// Makes `task` the very next thing the calling worker runs, once the running task has
  /// suspended.  REQUIRES: called on a worker, at most once per suspension.
  static void run_next(std::coroutine_handle<> task) noexcept {
    detail::current().run_next = task;
  }

  /// A guest, a fiber, must end before the executor is destroyed, or its stack is lost.
  void admit_guest() noexcept { guests_.fetch_add(1, std::memory_order_relaxed); }
  /// Relaxed: the thread that destroys the executor has joined the guest, or the workers.
  void dismiss_guest() noexcept { guests_.fetch_sub(1, std::memory_order_relaxed); }

 protected:
  executor() = default;
  ~executor() {
    require(guests_.load(std::memory_order_relaxed) == 0, "executor", this,
            "it must not be destroyed before its fibers have ended");
  }

 private:
  platform::atomic<std::size_t> guests_{0};
};

namespace detail {

/// Whether this thread is a worker of the task's executor.
[[nodiscard]] inline bool lives_here(const thread_state& here,
                                     const waiter& task) noexcept {
  return task.home == here.here && here.here != nullptr;
}

/// Runs a homeless task on this thread, and all homeless tasks that it makes ready.
void run_homeless(waiter& heir) noexcept;
/// Runs the homeless tasks that are ready on this thread.
void run_homeless() noexcept;

}  // namespace detail

/// Schedules the heir on its home.  A homeless heir runs on this thread, with whatever it
/// continues with, inside this call, or inside the outermost one if a homeless task calls
/// this.
inline void dispatch_task(waiter& heir) noexcept {
  if (heir.home != nullptr) [[likely]] {
    heir.home->schedule(heir);
  } else {
    detail::run_homeless(heir);
  }
}

/// Dispatches several, in order; neighbors with the same home are scheduled in one batch.
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

/// For completions, and for tasks that are about to end: makes `ready` the next task that
/// the calling thread runs, if it is a worker of that task's executor and has no next task
/// yet.  Otherwise dispatches it.
inline void continue_here(waiter& ready) noexcept {
  detail::thread_state& here = detail::current();
  if (!detail::lives_here(here, ready) || here.run_next) return dispatch_task(ready);
  here.run_next = ready.task;
}

}  // namespace hotseat
