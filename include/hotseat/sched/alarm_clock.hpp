// hotseat/sched/alarm_clock.hpp — what rings at a given time, and who makes it ring.
// Layer: sched.  Read next: sched/limits.hpp.
#pragma once

#include <hotseat/platform/seam.hpp>

namespace hotseat {

/// What `executor::timers` gives.
class alarm_clock {
 public:
  /// Lives in the operation that sets it.  Not a name of the namespace: <unistd.h> has a
  /// function of that name.
  struct alarm {
    platform::clock::time_point due;
    /// Called once, by the clock, unless the alarm is withdrawn before.  The alarm may be
    /// gone afterwards.
    void (*ring)(alarm& self) noexcept = nullptr;
    bool is_early = false;  ///< It rings before its time: the clock is being closed.

    // A place in the clock's heap: the first child, the next sibling, and whoever points to
    // us.
    alarm* child = nullptr;
    alarm* sibling = nullptr;
    alarm** back = nullptr;
  };

  alarm_clock(const alarm_clock&) = delete;
  alarm_clock& operator=(const alarm_clock&) = delete;

  /// To be called before `set`.  Throws std::system_error or std::bad_alloc if the clock
  /// cannot be started; the next call tries again.
  virtual void start() = 0;

  /// Returns false if the clock is closed: nothing will ring.  On true it may be ringing
  /// already.
  [[nodiscard]] virtual bool set(alarm& a) noexcept = 0;

  /// Afterwards the alarm neither rings nor is being rung, but by the calling thread.
  /// Does nothing to one that has rung, or was never set.
  virtual void withdraw(alarm& a) noexcept = 0;

 protected:
  alarm_clock() = default;
  ~alarm_clock() = default;
};

}  // namespace hotseat
