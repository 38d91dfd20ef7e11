// hotseat/timer/timer_queue.hpp — wakes sleeping tasks; costs nothing while nobody sleeps.
// Layer: timer.  Read next: sleep.hpp.
#pragma once

#include <hotseat/core/pinned.hpp>
#include <hotseat/core/spin_lock.hpp>
#include <hotseat/platform/parker.hpp>
#include <hotseat/platform/thread.hpp>
#include <hotseat/timer/detail/timer_heap.hpp>

namespace hotseat::detail {

/// One thread, started by the first task that sleeps, which sleeps itself until the
/// earliest timer is due and then schedules its task at home.
///
/// Invariants
///   T1  A timer leaves `sleeping` once, under the lock; whoever takes it out of it, and
///       nobody else, makes its task run.
class timer_queue : pinned<timer_queue> {
 public:
  timer_queue() = default;
  ~timer_queue() { close(); }

  /// Returns false if the timer was cancelled before, or the queue is closed: the task
  /// must not suspend.  On true it may be running already.
  /// Throws std::system_error if the first timer cannot start the thread.
  [[nodiscard]] bool add(timer& t);

  /// Takes a sleeping timer out and schedules its task; keeps one out that was not added
  /// yet; does nothing to one that has rung.
  void cancel(timer& t) noexcept;

  /// Wakes all sleepers as if cancelled, and those that come later at once.  Idempotent.
  void close() noexcept;

 private:
  void run() noexcept;
  timer* take_due(platform::clock::time_point now) noexcept;

  spin_lock lock_;
  timer_heap heap_;          // under lock_
  bool is_closed_ = false;   // under lock_
  bool is_started_ = false;  // under lock_
  platform::parker bed_;
  platform::thread thread_;
};

}  // namespace hotseat::detail
