// hotseat/runtime/detail/pool_events.hpp — the events and the time of a pool with an
// event_source.  Layer: runtime/detail.  Why: docs/design/events.md.
#pragma once

#include <hotseat/core/pinned.hpp>
#include <hotseat/core/spin_lock.hpp>
#include <hotseat/platform/config.hpp>
#include <hotseat/platform/parker.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/runtime/detail/costs.hpp>
#include <hotseat/runtime/detail/sleepers.hpp>
#include <hotseat/runtime/event_source.hpp>
#include <hotseat/sched/alarm_set.hpp>
#include <hotseat/sched/executor.hpp>

#include <cstdint>
#include <memory>

namespace hotseat::detail {

/// Polls and waits for the workers, keeps the time in the same wait, and looks after the
/// events of a worker that runs a long task.
///
/// Alarms.  Of the workers that wait, one keeps the time: it waits until the next alarm and
/// no longer.  A worker that is awake rings what is due when it polls.
///
/// The watch is a thread that looks, every few milliseconds, for workers that have not
/// polled since the last time, and polls for them.  It also rings alarms that are late.
/// While all workers sleep it sleeps, too, so an idle pool uses no CPU.
///
/// Invariants
///   E1  poll and wait of the source run under the worker's `in_use`.
///   E2  If an alarm is set, then a worker is awake, or one waits no longer than until the
///       next alarm.  (The thread that sets an alarm is an awake worker, and reads the next
///       alarm before it waits.)
///   E3  If a worker is awake, the watch is awake, or that worker is about to wake it.
///   E4  An interrupt ends the next wait, even if another thread polls in between, which
///       may use it up.  (The watch interrupts again before it leaves `in_use`.  The worker
///       itself does not poll between falling asleep and its wait.)
///
/// Memory order
///   D  acquire  asleep_ 0 → 1    ⟷ platform::load_after_stores of a worker that got up:
///               it is counted as awake, then looks at asleep_; the watch sets asleep_,
///               then looks at the count.  One of them sees the other.  (⇒ E3)
class pool_events final : public alarm_clock, pinned<pool_events> {
 public:
  /// Opens the source.  `pool` is the executor whose tasks set alarms.
  pool_events(event_source& source, sleepers& workers, const executor& pool);
  ~pool_events() { stop(); }

  /// Starts the watch; throws std::system_error if there is no thread to be had.
  void start_watch();
  /// Ends the watch.  Idempotent.
  void stop() noexcept;

  // --- On the worker's thread.

  /// Completes what is ready, and rings what is due.
  void poll(unsigned worker) noexcept;
  /// The same, but waits until there is something, or until the worker is woken.
  void wait(unsigned worker) noexcept;
  /// The same, until `end` at the latest.
  void wait_until(unsigned worker, platform::clock::time_point end) noexcept;
  /// After a sleep (E3).
  void note_awake() noexcept;

  // --- alarm_clock

  void start() override {}
  [[nodiscard]] bool set(alarm& a) noexcept override;
  void withdraw(alarm& a) noexcept override { alarms_.withdraw(a); }
  /// Rings all alarms early, and refuses later ones.
  void close() noexcept;

 private:
  using time_point = platform::clock::time_point;

  struct alignas(cache_line_pair) part {
    spin_lock in_use;                          // E1
    platform::atomic<std::uint32_t> looks{0};  // by the worker
    std::uint32_t seen = 0;                    // by the watch
  };

  [[nodiscard]] time_point keep_time(unsigned worker) noexcept;
  void leave_time(unsigned worker) noexcept;
  bool ring_if_due() noexcept;

  void watch() noexcept;
  void look_after_others() noexcept;
  void sleep_until_needed() noexcept;
  [[nodiscard]] bool do_all_sleep() const noexcept;

  event_source& source_;
  sleepers& workers_;
  const executor& pool_;
  std::unique_ptr<part[]> parts_;

  alarm_set alarms_;
  spin_lock keeper_lock_;
  unsigned keeper_ = 0;  // under keeper_lock_; meaningless without a time
  time_point kept_until_ = alarm_set::never;  // under keeper_lock_

  platform::atomic<std::uint32_t> asleep_{0};  // the watch
  platform::atomic<bool> is_over_{false};
  platform::parker parker_;
  platform::thread watch_;
};

}  // namespace hotseat::detail
