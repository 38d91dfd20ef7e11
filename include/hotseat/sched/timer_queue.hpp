// hotseat/sched/timer_queue.hpp — rings alarms at given times; costs nothing while unused.
// Layer: sched.  Read next: task/sleep.hpp.
#pragma once

#include <hotseat/core/pinned.hpp>
#include <hotseat/core/spin_lock.hpp>
#include <hotseat/platform/parker.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sched/alarm_set.hpp>
#include <hotseat/sched/executor.hpp>

#include <cstdint>

namespace hotseat {

/// The clock of an executor: what its `timers()` may return.
///
/// One thread, started by the first task that waits with a deadline, sleeps until the
/// earliest alarm is due and then rings it.
///
///     none ──start──► starting ──► running ──close──► none
///      ▲                 │
///      └──no thread──────┘
///
/// The caller that makes it `starting` creates the thread, without holding the lock: that
/// allocates and takes a system call.  Other callers of `start` wait for the outcome, since
/// without a thread their alarms would not ring.  `close` does not wait.  No alarm is set
/// before a start has ended, so the new thread then finds the queue closed and empty, and
/// rings nothing; the next `close` joins it, at the latest that of the destructor.
///
/// Invariants: T1 and T2 of alarm_set.hpp, and
///   T3  After a start that did not throw, there is a thread or the queue is closed.  After
///       one that threw, the next start tries again.
class timer_queue final : public alarm_clock, pinned<timer_queue> {
 public:
  timer_queue() = default;
  ~timer_queue() { close(); }

  /// Starts the thread if there is none.  Throws std::system_error or std::bad_alloc if
  /// none can be created.
  void start() override;
  [[nodiscard]] bool set(alarm& a) noexcept override;
  void withdraw(alarm& a) noexcept override;

  /// Rings all alarms early, and refuses later ones.  Idempotent.
  void close() noexcept;

 private:
  enum class stage : std::uint8_t { none, starting, running };

  [[nodiscard]] bool claim_start() noexcept;
  void end_start(stage result, platform::thread created) noexcept;
  void run() noexcept;

  detail::alarm_set alarms_;
  spin_lock lock_;
  stage stage_ = stage::none;  // under lock_
  platform::parker parker_;
  platform::thread thread_;  // for the caller that claimed to start or join it
};

}  // namespace hotseat
