"""What mutants.py breaks in the drop-in for Boost.Fiber."""

from mutant_patch import Patch

DETAIL = "integrations/boost_fiber/include/hotseat/boost_fiber/detail/"
BOOST = DETAIL + "boost.hpp"
CONDITION = DETAIL + "condition_line.hpp"
HAND_OVER = DETAIL + "hand_over.hpp"
PASSING = DETAIL + "lock_passing.hpp"
TETHER = DETAIL + "tether.hpp"
WAITING = DETAIL + "lock_waiting.hpp"

MUTEX_MODELS = ("boost_fiber_mutex_model", "boost_fiber_timed_model")
CONDITION_MODEL = ("boost_fiber_condition_model",)
ALL_MODELS = MUTEX_MODELS + CONDITION_MODEL

PATCHES = (
    Patch(
        "boost_fiber: a fiber that is woken does not wait for its waker",
        HAND_OVER,
        "    successor != nullptr ? successor->resume(guard) : self.suspend(guard);\n"
        "  }\n"
        "  await_waker(one);\n",
        "    successor != nullptr ? successor->resume(guard) : self.suspend(guard);\n"
        "  }\n",
        ALL_MODELS,
    ),
    Patch(
        "boost_fiber: a fiber with a limit does not wait for its waker",
        HAND_OVER,
        "  claim.disarm(self);\n"
        "  await_waker(one);\n",
        "  claim.disarm(self);\n",
        ALL_MODELS,
    ),
    Patch(
        "boost_fiber: a fiber is taken over before its registers are saved",
        HAND_OVER,
        "  await_parked(one);\n",
        "",
        MUTEX_MODELS,
    ),
    Patch(
        "boost_fiber: a fiber that may move does not say that its registers are not saved",
        HAND_OVER,
        "  if (one.home == nullptr) (void)one.parked.try_lock();\n",
        "",
        MUTEX_MODELS,
    ),
    Patch(
        "boost_fiber: a fiber that is exchanged goes on sleeping",
        HAND_OVER,
        "    if (one.fiber->sleep_is_linked()) one.fiber->sleep_unlink();\n",
        "",
        ALL_MODELS,
    ),
    Patch(
        "boost_fiber: a fiber with a limit may move",
        HAND_OVER,
        "!has_timeout && !is_pinned",
        "!is_pinned",
        ALL_MODELS,
    ),
    Patch(
        "boost_fiber: a main fiber may move",
        HAND_OVER,
        "!has_timeout && !is_pinned",
        "!has_timeout",
        ALL_MODELS,
    ),
    Patch(
        "boost_fiber: the guard of a switch is in the frame",
        HAND_OVER,
        "    boost_spin_guard& guard = parking_guard(one.parked);\n",
        "    boost_spin_guard guard{one.parked, std::adopt_lock};\n",
        MUTEX_MODELS,
    ),
    Patch(
        "boost_fiber: a thread is untied before it is notified",
        HAND_OVER,
        "  order.notify();\n"
        "  host.untie(*at.thread);\n",
        "  host.untie(*at.thread);\n"
        "  order.notify();\n",
        MUTEX_MODELS,
    ),
    Patch(
        "boost_fiber: a thread is not notified of a guest",
        HAND_OVER,
        "  order.notify();\n",
        "",
        MUTEX_MODELS,
    ),
    Patch(
        "boost_fiber: a thread stays tied by a guest that was exchanged",
        HAND_OVER,
        "  one.host->untie(*at.thread);\n",
        "",
        MUTEX_MODELS,
    ),
    Patch(
        "boost_fiber: a guest does not tie its thread",
        HAND_OVER,
        "    one.host->tie();\n",
        "",
        MUTEX_MODELS,
    ),
    Patch(
        "boost_fiber: a thread that is shut down has guests",
        TETHER,
        "    if (own.is_ending_ || is_shut_down(here)) return nullptr;\n",
        "    if (own.is_ending_) return nullptr;\n",
        ALL_MODELS,
    ),
    Patch(
        "boost_fiber: a thread that is about to end has guests",
        TETHER,
        "    if (own.is_ending_ || is_shut_down(here)) return nullptr;\n",
        "    if (is_shut_down(here)) return nullptr;\n",
        ALL_MODELS,
    ),
    Patch(
        "boost_fiber: a thread does not wait for its guests",
        TETHER,
        "    main_->suspend();\n",
        "    return;\n",
        ALL_MODELS,
    ),
    Patch(
        "boost_fiber: the last guest does not wake the thread",
        TETHER,
        "      wake_main(here);\n",
        "",
        ALL_MODELS,
    ),
    Patch(
        "boost_fiber: an offer stays on its way for ever",
        WAITING,
        "  if (was_offered) is_offered_ = false;\n",
        "",
        ALL_MODELS,
    ),
    Patch(
        "boost_fiber: a fiber that came too late is in no line",
        WAITING,
        "      arrived_ = nullptr;\n"
        "      line_.push_front(one);\n",
        "      arrived_ = nullptr;\n",
        ALL_MODELS,
    ),
    Patch(
        "boost_fiber: a fiber that came too late spins unseen",
        WAITING,
        "    arrived_ = &one;\n"
        "    how = entry::has_arrived;\n",
        "    how = entry::has_arrived;\n",
        ALL_MODELS,
    ),
    Patch(
        "boost_fiber: a fiber whose time is over stays in the line",
        WAITING,
        "    if (result == waiter::outcome::none) line_.remove(one);\n",
        "",
        MUTEX_MODELS,
    ),
    Patch(
        "boost_fiber: a claim is not made again after an offer",
        WAITING,
        "    claim.arm(self);\n"
        "    if (enter(one)) break;\n",
        "    if (one.result.load(std::memory_order_relaxed) == waiter::outcome::none)\n"
        "      claim.arm(self);\n"
        "    if (enter(one)) break;\n",
        MUTEX_MODELS,
    ),
    Patch(
        "boost_fiber: a fiber with a limit that was told to come waits where it was",
        WAITING,
        "    settle(one, true);  // Each time: it may have woken on another thread.\n",
        "    if (one.result.load(std::memory_order_relaxed) == waiter::outcome::none)\n"
        "      settle(one, true);\n",
        MUTEX_MODELS,
    ),
    Patch(
        "boost_fiber: a fiber that was told to come waits where it was",
        WAITING,
        "    settle(one, false);  // Each time: it may have woken on another thread.\n",
        "    if (one.result.load(std::memory_order_relaxed) == waiter::outcome::none)\n"
        "      settle(one, false);\n",
        ALL_MODELS,
    ),
    Patch(
        "boost_fiber: a fiber that joins does not say so",
        WAITING,
        "  leave_guard(seen | contended);\n"
        "  return how;\n",
        "  leave_guard(seen);\n"
        "  return how;\n",
        MUTEX_MODELS,
    ),
    Patch(
        "boost_fiber: a spinning fiber is told before the lock is",
        PASSING,
        "    leave_guard(word_of(*heir->fiber) | rest_of_line());\n"
        "    heir->result.store(waiter::outcome::granted, std::memory_order_release);  // G\n",
        "    heir->result.store(waiter::outcome::granted, std::memory_order_release);\n"
        "    leave_guard(word_of(*heir->fiber) | rest_of_line());\n",
        MUTEX_MODELS,
    ),
    Patch(
        "boost_fiber: an heir whose time is over is exchanged",
        PASSING,
        "    if (near->claim != nullptr && !near->claim->claim(*near->fiber)) continue;\n",
        "",
        MUTEX_MODELS,
    ),
    Patch(
        "boost_fiber: a fiber whose time is over is told to come",
        PASSING,
        "  if (one.claim != nullptr && !one.claim->claim(*one.fiber)) return false;\n",
        "",
        MUTEX_MODELS,
    ),
    Patch(
        "boost_fiber: a lock that is passed on forgets its line",
        PASSING,
        "    leave_guard(word_of(*what.heir->fiber) | rest_of_line());\n",
        "    leave_guard(word_of(*what.heir->fiber));\n",
        MUTEX_MODELS,
    ),
    Patch(
        "boost_fiber: a lock that becomes free forgets its line",
        PASSING,
        "    leave_guard(rest_of_line());  // Also R.\n",
        "    leave_guard(free);\n",
        MUTEX_MODELS,
    ),
    Patch(
        "boost_fiber: an heir that is exchanged is not told that it owns",
        PASSING,
        "    what.heir->result.store(waiter::outcome::granted, std::memory_order_relaxed);\n",
        "",
        MUTEX_MODELS,
    ),
    Patch(
        "boost_fiber: a notified fiber joins a line that no fiber sees",
        PASSING,
        "  leave_guard(may_try ? seen : seen | contended);\n",
        "  leave_guard(seen);\n",
        CONDITION_MODEL,
    ),
    Patch(
        "boost_fiber: the guest of a long chain is forgotten",
        PASSING,
        "  if (what.guest != nullptr) dispatch(at, *what.guest);\n  if (what.is_for_thieves)",
        "  if (what.is_for_thieves)",
        MUTEX_MODELS,
    ),
    Patch(
        "boost_fiber: N1: a fiber waits after it has unlocked",
        CONDITION,
        "    push(one);  // N1\n"
        "    lock.unlock();\n"
        "    if (falls_asleep(one)) park(one);\n",
        "    lock.unlock();\n"
        "    push(one);\n"
        "    if (falls_asleep(one)) park(one);\n",
        CONDITION_MODEL,
    ),
    Patch(
        "boost_fiber: a notified fiber falls asleep",
        CONDITION,
        "    if (one.result.load(std::memory_order_relaxed) == waiter::outcome::offered)\n"
        "      return false;\n",
        "",
        CONDITION_MODEL,
    ),
    Patch(
        "boost_fiber: a fiber is woken before it sleeps",
        CONDITION,
        "    return is_asleep;\n",
        "    return true;\n",
        CONDITION_MODEL,
    ),
    Patch(
        "boost_fiber: a fiber whose time is over stays in the condition's line",
        CONDITION,
        "    remove(one);\n"
        "    one.claim = nullptr;\n"
        "    return false;\n",
        "    one.claim = nullptr;\n"
        "    return false;\n",
        CONDITION_MODEL,
    ),
    Patch(
        "boost_fiber: a fiber whose time is over does not lock again",
        CONDITION,
        "    lock.acquire(*one.fiber);\n",
        "",
        CONDITION_MODEL,
    ),
    Patch(
        "boost_fiber: a notification is given to a fiber whose time is over",
        CONDITION,
        "    if (!one.claim->claim(*one.fiber)) return false;\n"
        "    one.claim = nullptr;\n",
        "    one.claim = nullptr;\n",
        CONDITION_MODEL,
    ),
    Patch(
        "boost_fiber: a claim is left behind",
        BOOST,
        "    self.twstatus.store(0, std::memory_order_relaxed);\n",
        "",
        MUTEX_MODELS,
    ),
)
