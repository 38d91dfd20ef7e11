// hotseat/sched/blocking.hpp — a plain thread in the line of a primitive.
// Layer: sched.
#pragma once

#include <hotseat/core/pinned.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/platform/parker.hpp>
#include <hotseat/sched/executor.hpp>

namespace hotseat {

/// A waiter whose task is the calling thread itself.  Its home is an executor of its own,
/// whose `schedule` wakes the thread; so a primitive dispatches it like any other task.
class blocked_thread final : public waiter, private executor, pinned<blocked_thread> {
 public:
  blocked_thread() noexcept { home = this; }

  /// Blocks until the waiter is scheduled.
  void wait() noexcept { parker_.park(); }

 private:
  // The thread may return from `wait` and destroy us before unpark returns: see parker.
  void schedule(waiter&) noexcept override { parker_.unpark(); }

  platform::parker parker_;
};

}  // namespace hotseat
