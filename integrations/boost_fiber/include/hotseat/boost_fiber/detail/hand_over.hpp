// hotseat/boost_fiber/detail/hand_over.hpp — how fibers suspend, exchange and are
// dispatched. Read next: lock_core.hpp (who is next?).
#pragma once

#include <hotseat/boost_fiber/detail/boost.hpp>
#include <hotseat/boost_fiber/detail/tether.hpp>
#include <hotseat/boost_fiber/detail/this_thread.hpp>
#include <hotseat/boost_fiber/detail/waiter.hpp>

#include <exception>

namespace hotseat::boost_fiber::detail {

/// Where the calling fiber runs.
struct here {
  explicit here(context& fiber) noexcept
      : self{&fiber},
        thread{fiber.get_scheduler()},
        order{&algorithm_of(*thread)},
        kind{kind_of(*order)} {}

  /// Whether `one` can go on here, at once.
  [[nodiscard]] bool suits(const waiter& one) const noexcept {
    return one.home == thread || (one.home == nullptr && kind != kind_of_algorithm::keeps);
  }

  context* self;
  scheduler* thread;
  algorithm* order;
  kind_of_algorithm kind;
};

/// Says where a waiter can go on, before it joins a line.
///
/// A fiber may change threads if its algorithm shares it.  Boost moves only ready fibers; a
/// suspended one stays in a list of its thread, which no other thread may touch.  So it
/// leaves that list when it parks (`park`), and joins another thread's when it is taken
/// (`bring`).  A fiber with a timeout stays: it is in the thread's tree of sleepers too.
inline void settle(waiter& one, bool has_timeout) noexcept {
  const here at{*one.fiber};
  const bool is_pinned = one.fiber->is_context(boost::fibers::type::pinned_context);
  const bool may_move = !has_timeout && !is_pinned && at.kind != kind_of_algorithm::keeps;
  one.host = may_move ? tether::of(*at.thread) : nullptr;
  one.home = one.host == nullptr ? at.thread : nullptr;
  if (one.home == nullptr) (void)one.parked.try_lock();
}

/// A fiber that another thread makes ready at home may run at once and end, and so may its
/// thread.  The scheduler and the algorithm go with the thread, and the waker has yet to
/// notify them.  So the fiber goes on only when its waker is done.
///   T  acquire  not being woken  ⟵ D   the waker has touched them for the last time
inline void await_waker(const waiter& one) noexcept {
  for (spin_wait wait; one.is_being_woken.load(std::memory_order_acquire);) wait();  // T
}

/// Suspends the calling fiber, which is in a line.  `successor` runs next, if there is one.
/// Another thread may take the fiber out of the line before it has suspended.  If it has a
/// home, only that thread can run it, once it is suspended; if not, `await_parked` waits.
[[gnu::noinline]] inline void park(waiter& one, context* successor = nullptr) noexcept {
  context& self = *one.fiber;
  if (one.home != nullptr) {
    successor != nullptr ? successor->resume() : self.suspend();
  } else {
    one.host->tie();
    self.worker_unlink();
    boost_spin_guard& guard = parking_guard(one.parked);
    successor != nullptr ? successor->resume(guard) : self.suspend(guard);
  }
  await_waker(one);
}

/// The same with a timeout; `claim` is armed.  Such a waiter has a home.
inline void park_until(waiter& one, timed_claim& claim, time_point due) noexcept {
  context& self = *one.fiber;
  boost_spin_lock nobody_waits;
  boost_spin_guard guard{nobody_waits};
  claim.wait(self, due, guard);
  claim.disarm(self);
  await_waker(one);
}

inline void await_parked(waiter& one) noexcept {
  spin_wait wait;
  while (!one.parked.try_lock()) wait();
}

/// Makes a waiter without a home a fiber of this thread.
inline void adopt(const here& at, waiter& one) noexcept {
  await_parked(one);
  leave_scheduler(*one.fiber);
  at.self->attach(one.fiber);
}

/// Prepares a waiter that suits this thread to be resumed or made ready here.
inline void bring(const here& at, waiter& one) noexcept {
  if (one.home != nullptr) {
    if (one.fiber->sleep_is_linked()) one.fiber->sleep_unlink();
    return;
  }
  adopt(at, one);
  one.host->untie(*at.thread);
}

/// Schedules a waiter, and goes on.  The waiter may be gone afterwards.
///   D  release  not being woken  ⟶ T   the last touch of the waiter, and of where it runs
inline void dispatch(const here& at, waiter& one) noexcept {
  context& fiber = *one.fiber;
  if (at.suits(one)) {
    bring(at, one);
    return at.thread->schedule(&fiber);
  }
  if (one.home != nullptr) {
    one.is_being_woken.store(true,
                             std::memory_order_relaxed);  // Boost's queue publishes it.
    one.home->schedule_from_remote(&fiber);
    one.is_being_woken.store(false, std::memory_order_release);  // D
    return;
  }
  tether& host = *one.host;
  algorithm& order = algorithm_of(host.thread());
  adopt(at, one);
  // For algorithms that share, making a fiber ready pushes it into a guarded queue.
  order.awakened(&fiber);
  order.notify();
  host.untie(*at.thread);
}

/// Runs the heir here, now; self becomes ready when its registers are saved.
/// REQUIRES: the heir suits this thread.
inline void exchange(const here& at, waiter& heir) noexcept {
  context& next = *heir.fiber;
  bring(at, heir);
  next.resume(at.self);
}

/// During a chain this thread does not pick from its queue.  A fiber that is bound to the
/// thread, such as Boost's dispatcher, keeps thieves from those behind it: move it back.
inline void let_thieves_in(const here& at) noexcept {
  if (at.kind != kind_of_algorithm::steals || !at.order->has_ready_fibers()) return;
  if (context* const first = at.order->pick_next()) at.order->awakened(first);
}

/// Boost's switches leave exceptions that are being thrown or handled to the thread: a
/// fiber that suspends now would leave them to another one.
inline bool has_exceptions() noexcept {
  return std::uncaught_exceptions() != 0 || std::current_exception() != nullptr;
}

}  // namespace hotseat::boost_fiber::detail
