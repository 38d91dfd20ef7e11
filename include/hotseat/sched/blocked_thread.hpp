// hotseat/sched/blocked_thread.hpp — lets a plain thread wait like a task.
// Layer: sched.
#pragma once

#include <hotseat/core/pinned.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/platform/parker.hpp>
#include <hotseat/sched/executor.hpp>

namespace hotseat {

/// Acts as the executor of one waiter whose task is the calling thread itself: `schedule`
/// wakes the thread.  So a primitive dispatches it like any other task, and its alarm rings
/// on the waiting thread.
class blocked_thread final : private executor, private alarm_clock, pinned<blocked_thread> {
 public:
  blocked_thread() = default;

  /// To be used as the waiter's home.
  [[nodiscard]] executor& home() noexcept { return *this; }

  /// Blocks until `wake` is called, or returns at once if it has been.
  void wait() noexcept;

  // The thread may return from `wait` and destroy us before unpark returns: see parker.
  void wake() noexcept { parker_.unpark(); }

 private:
  void schedule(waiter&) noexcept override { wake(); }
  [[nodiscard]] alarm_clock* timers() noexcept override { return this; }
  void start() override {}
  [[nodiscard]] bool set(alarm& a) noexcept override {
    alarm_ = &a;
    return true;
  }
  void withdraw(alarm&) noexcept override { alarm_ = nullptr; }

  alarm* alarm_ = nullptr;  // Touched only by the waiting thread.
  platform::parker parker_;
};

}  // namespace hotseat
