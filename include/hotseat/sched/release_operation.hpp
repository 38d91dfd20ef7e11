// hotseat/sched/release_operation.hpp — letting others in, for primitives that let in
// several at once. Layer: sched.
#pragma once

#include <hotseat/core/pinned.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/core/waiter_queue.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/sched/handoff.hpp>

#include <coroutine>

namespace hotseat {

/// Base of an operation that makes waiters run.  `Derived` has
///
///     waiter_queue release()   whom to let in.  The last touch of the primitive: whoever
///                              is let in may destroy it.
///
/// With `handoff::exchange` the first of them continues here, the rest are scheduled in one
/// batch, and so is the caller; if there is nobody, the caller goes on.
template <class Derived, handoff_policy Handoff>
class release_operation : pinned<release_operation<Derived, Handoff>> {
 public:
  bool await_ready() noexcept {
    heirs_ = static_cast<Derived&>(*this).release();
    if (heirs_.empty()) return true;
    if constexpr (!Handoff::may_suspend) Handoff::hand_over_all(heirs_);
    return !Handoff::may_suspend;
  }

  bool await_suspend(std::coroutine_handle<> self) noexcept {
    if constexpr (Handoff::may_suspend) {
      self_.set(self, executor::current());
      return Handoff::hand_over_all(self_, heirs_);  // Suspended: `this` may be gone.
    }
    return false;
  }

 protected:
  release_operation() = default;
  ~release_operation() = default;

 private:
  waiter_queue heirs_;
  waiter self_{set_later{}};
};

}  // namespace hotseat
