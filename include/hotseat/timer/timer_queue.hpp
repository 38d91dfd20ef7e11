// hotseat/timer/timer_queue.hpp — rings at given times; costs nothing while unused.
// Layer: timer.  Read next: sleep.hpp.
#pragma once

#include <hotseat/core/pinned.hpp>
#include <hotseat/core/spin_lock.hpp>
#include <hotseat/platform/parker.hpp>
#include <hotseat/platform/thread.hpp>
#include <hotseat/sched/alarm_clock.hpp>
#include <hotseat/sched/this_thread.hpp>
#include <hotseat/timer/detail/timer_heap.hpp>

namespace hotseat::detail {

/// One thread, started by the first task that waits until a time, which sleeps itself until
/// the earliest alarm is due and then rings it.
///
/// Invariants
///   T1  An alarm is taken out of the heap once, under the lock; whoever takes it out, and
///       nobody else, rings it.
///   T2  While an alarm rings, ringing_ points to it.
class timer_queue final : public alarm_clock, pinned<timer_queue> {
 public:
  timer_queue() = default;
  ~timer_queue() { close(); }

  void start() override;
  [[nodiscard]] bool set(alarm& a) noexcept override;
  void withdraw(alarm& a) noexcept override;

  /// Rings all alarms early, and refuses those that come later.  Idempotent.
  void close() noexcept;

 private:
  void run() noexcept;
  void ring(alarm& a) noexcept;

  spin_lock lock_;
  timer_heap heap_;                               // under lock_
  bool is_closed_ = false;                        // under lock_
  bool is_started_ = false;                       // under lock_
  alarm* ringing_ = nullptr;                      // under lock_
  const detail::thread_state* ringer_ = nullptr;  // under lock_
  platform::parker bed_;
  platform::thread thread_;
};

}  // namespace hotseat::detail
