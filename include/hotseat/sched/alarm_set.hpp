// hotseat/sched/alarm_set.hpp — alarms, and ringing those that are due.  Layer: sched.
// Read next: sched/timer_queue.hpp, which has a thread that does so.
#pragma once

#include <hotseat/core/pinned.hpp>
#include <hotseat/core/spin_lock.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sched/current.hpp>
#include <hotseat/sched/detail/timer_heap.hpp>
#include <hotseat/sched/executor.hpp>

#include <cstdint>

namespace hotseat::detail {

/// What an `alarm_clock` has besides a thread that waits for the next alarm.
///
/// Invariants
///   T1  An alarm is taken out of the heap once, under the lock; the thread that takes it
///       out, and no other, rings it.
///   T2  While an alarm rings, ringing_ points to it: one rings at a time.
class alarm_set : pinned<alarm_set> {
 public:
  using alarm = alarm_clock::alarm;
  using time_point = platform::clock::time_point;

  /// What `next_due` and `ring_due` return if no alarm is set.
  static constexpr time_point never = time_point::max();

  enum class addition : std::uint8_t { refused, first, later };

  /// Refuses it if the set is closed.  Otherwise it may be ringing already, and `a` be
  /// gone, when this returns whether it is the first to be due.
  [[nodiscard]] addition add(alarm& a) noexcept;

  /// Afterwards the alarm neither rings nor is being rung, except by the calling thread.
  void withdraw(alarm& a) noexcept;

  /// Rings all alarms that are due, unless another thread is about it.  Returns when the
  /// next one is due.
  time_point ring_due() noexcept;

  [[nodiscard]] time_point next_due() noexcept;
  /// The same without the lock: it may be late by what other threads are just doing.
  [[nodiscard]] time_point glance() const noexcept {
    return time_point{time_point::duration{next_.load(std::memory_order_relaxed)}};
  }

  /// Refuses all further alarms.
  void close() noexcept;
  [[nodiscard]] bool is_closed() noexcept;

  /// Rings all alarms before their time.  REQUIRES: it is closed.
  void ring_all_early() noexcept;

 private:
  void remove(alarm& a) noexcept;
  void begin_ringing(alarm& a) noexcept;
  void ring(alarm& a) noexcept;

  spin_lock lock_;
  timer_heap heap_;                       // under lock_
  bool is_closed_ = false;                // under lock_
  alarm* ringing_ = nullptr;              // under lock_
  const thread_state* ringer_ = nullptr;  // under lock_
  platform::atomic<time_point::rep> next_{never.time_since_epoch().count()};
};

}  // namespace hotseat::detail
