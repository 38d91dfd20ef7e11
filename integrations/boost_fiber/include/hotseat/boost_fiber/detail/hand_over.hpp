// hotseat/boost_fiber/detail/hand_over.hpp — how fibers suspend, exchange and are
// dispatched. Read next: lock_core.hpp (who is next?).
#pragma once

#include <hotseat/boost_fiber/detail/boost.hpp>
#include <hotseat/boost_fiber/detail/this_thread.hpp>
#include <hotseat/boost_fiber/detail/waiter.hpp>

#include <boost/fiber/type.hpp>

#include <cstdint>
#include <exception>
#include <mutex>

namespace hotseat::boost_fiber::detail {

/// Where the calling fiber runs.
struct here {
  explicit here(context& fiber) noexcept
      : self{&fiber},
        thread{fiber.get_scheduler()},
        order{algorithm_of(*thread).get()},
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

/// Before a waiter joins a line: says where it can go on.
///
/// A fiber may change threads if its algorithm shares it.  Boost moves ready fibers only; a
/// suspended one stays in a list of its thread, which no other may touch.  So it leaves
/// that list when it parks (`park`), and joins another one when it is taken (`bring`).  One
/// with a timeout is in the thread's tree of sleepers too, and stays.
inline void settle(waiter& one, bool has_timeout) noexcept {
  const here at{*one.fiber};
  const bool is_pinned = one.fiber->is_context(boost::fibers::type::pinned_context);
  if (has_timeout || is_pinned || at.kind == kind_of_algorithm::keeps) {
    one.home = at.thread;
    return;
  }
  one.home = nullptr;
  one.origin = at.order;
  (void)one.parked.try_lock();
}

/// A fiber that is made ready from another thread may run at once, there or elsewhere, end,
/// and let the thread that joins it end too: with it go the scheduler and the algorithm
/// that the waker has yet to notify.  So the fiber goes on only when its waker is done.
///   T  acquire  not being woken  ⟵ D   the waker has touched them for the last time
inline void await_waker(const waiter& one) noexcept {
  for (spin_wait wait; one.is_being_woken.load(std::memory_order_acquire);) wait();  // T
}

/// Suspends the calling fiber, which is in a line.  `successor` runs next, if there is one.
/// Somebody may take it out of the line before it has suspended: if it has a home, only
/// that thread can run it, and will when it is suspended; if not, `await_parked` waits.
[[gnu::noinline]] inline void park(waiter& one, context* successor = nullptr) noexcept {
  context& self = *one.fiber;
  if (one.home != nullptr) {
    successor != nullptr ? successor->resume() : self.suspend();
  } else {
    self.worker_unlink();
    boost_spin_guard& guard = this_parking_guard();
    guard = boost_spin_guard{one.parked, std::adopt_lock};
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

/// Makes a waiter that suits this thread a fiber of it.
inline void bring(const here& at, waiter& one) noexcept {
  context& fiber = *one.fiber;
  if (one.home != nullptr) {
    if (fiber.sleep_is_linked()) fiber.sleep_unlink();
    return;
  }
  await_parked(one);
  scheduler_of(fiber) = nullptr;
  at.self->attach(&fiber);
}

/// Lets a waiter run some time, and goes on.  The waiter may be gone afterwards.
///   D  release  not being woken  ⟶ T   the last touch of the waiter, and of where it runs
inline void dispatch(const here& at, waiter& one) noexcept {
  context& fiber = *one.fiber;
  if (at.suits(one)) {
    bring(at, one);
    return at.thread->schedule(&fiber);
  }
  one.is_being_woken.store(true, std::memory_order_relaxed);  // Boost's queues publish it.
  if (one.home != nullptr) {
    one.home->schedule_from_remote(&fiber);
  } else {
    // For algorithms that share, to make ready is to put into a guarded queue.
    bring(at, one);
    one.origin->awakened(&fiber);
    one.origin->notify();
  }
  one.is_being_woken.store(false, std::memory_order_release);  // D
}

/// Lets the heir run here, now; self is made ready when its registers are saved.
/// REQUIRES: the heir suits this thread.
inline void exchange(const here& at, waiter& heir) noexcept {
  context& next = *heir.fiber;
  bring(at, heir);
  next.resume(at.self);
}

/// In a chain nobody takes from this thread's queue.  A fiber that is bound to the thread,
/// such as Boost's dispatcher, keeps thieves from those behind it: let it go last.
inline void let_thieves_in(const here& at) noexcept {
  if (at.kind != kind_of_algorithm::steals || !at.order->has_ready_fibers()) return;
  if (context* const first = at.order->pick_next()) at.order->awakened(first);
}

/// Exceptions that are thrown or handled belong to the thread, as Boost switches: a fiber
/// that suspends now would leave them to another one.
inline bool has_exceptions() noexcept {
  return std::uncaught_exceptions() != 0 || std::current_exception() != nullptr;
}

}  // namespace hotseat::boost_fiber::detail
