// hotseat/sched/release_operation.hpp — letting waiters in: the one operation behind every
// unlock, release, set, count_down and notify.  Layer: sched.  Read next:
// sched/combine.hpp.
#pragma once

#include <hotseat/core/pinned.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/sched/combine.hpp>
#include <hotseat/sched/current.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/sched/handoff.hpp>

#include <coroutine>
#include <cstddef>

namespace hotseat::detail {

/// A lock: releasing it ends a section of the task.
template <class Door>
concept guards_section = requires(const Door& door) { door.section(); };

/// Its waiters may delegate their sections to the worker that lets them in.
template <class Door>
concept may_be_delegated_to = requires(Door& door) { door.lock_of(door.release()); };

/// Lets in the waiters whose turn it is.  `Door` is small, copied, and has
///
///     release()        returns the heirs, as a line_waiter* or a waiter_queue.  The last
///                      touch of the primitive: an heir may destroy it.
///     lock_of(heirs)   if sections can be delegated: the lock that the heirs own, with
///                      release()
///     section()        if it is a lock: its address, for recordings
///
/// With `handoff::exchange` the first heir continues here, at once; the others are
/// scheduled in one batch, and so is the caller.  Without an heir, the caller goes on.
template <class Door, handoff_policy Handoff = handoff::exchange>
class [[nodiscard("co_await it: it may suspend")]] release_operation
    : pinned<release_operation<Door, Handoff>> {
 public:
  explicit release_operation(Door door) noexcept : door_{door} {}

  bool await_ready() noexcept {
    if constexpr (guards_section<Door>) note_left(door_.section());
    heirs_ = door_.release();
    if (is_nobody(heirs_)) return true;
    if constexpr (!Handoff::may_suspend) pass_on();
    return !Handoff::may_suspend;
  }

  bool await_suspend(std::coroutine_handle<> self) noexcept {
    if constexpr (Handoff::may_suspend) {
      self_.set(self, executor::current());
      // Suspended: `this` may be gone.
      if constexpr (may_be_delegated_to<Door>) {
        return exchange_or_combine<Handoff>(self_, heirs_, door_.lock_of(heirs_));
      } else {
        return hand_over<Handoff>(heirs_, self_);
      }
    }
    return false;
  }

  void await_resume() const noexcept {}

 private:
  void pass_on() noexcept {
    if constexpr (may_be_delegated_to<Door>) {
      detail::pass_on<Handoff, Handoff>(heirs_, door_.lock_of(heirs_));
    } else {
      hand_over<Handoff>(heirs_);
    }
  }

  [[no_unique_address]] Door door_;
  decltype(door_.release()) heirs_;
  waiter self_{set_later{}};
};

/// The same without suspending, for destructors, callbacks and non-worker threads: the
/// heirs are dispatched.  Returns how many there were.
template <class Door>
std::size_t release_and_dispatch(Door door) noexcept {
  if constexpr (guards_section<Door>) note_left(door.section());
  waiter_queue heirs = door.release();
  return handoff::dispatch::hand_over_all(heirs);
}

}  // namespace hotseat::detail
