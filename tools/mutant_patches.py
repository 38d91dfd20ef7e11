"""What mutants.py breaks in the sources, and what the models need not notice."""

import mutant_patches_boost_fiber
from mutant_patch import Patch

# Which tests are likely to notice, by words in the mutant's name: they run first.
LIKELY = (
    ("leaves", "*leave*:*late*:*told_to_stop*:*destroyed*"),
    ("leave a", "*leave*:*late*:*told_to_stop*:*destroyed*"),
    ("gives up", "*leave*:*gives_up*:*destroyed*:*late*"),
    ("drops out", "*drops*"),
    ("from outside", "*from_outside*"),
    ("the pool", "*pool*:*shutdown*:*fence*"),
    ("failure", "*failure*:*exception*"),
    ("alarm", "*late*:*withdraw*:*alarm*:*clos*"),
    ("settle", "*late*"),
    ("told to stop", "*told_to_stop*"),
    ("too late", "*late*"),
    ("a timeout resumes", "*late*"),
    ("is destroyed", "*destroyed*"),
    ("latch", "*Latch*:*arrive*"),
    ("wait group", "*Group*:*group*"),
    ("close", "*close*:*clos*"),
    ("urgent", "UrgentTasks*"),
)


def likely_tests(patch: "Patch") -> str:
    """A filter for gtest; all tests if none is likely."""
    return next((tests for word, tests in LIKELY if word in patch.name), "*")


LOCK_STATE = "src/sync/lock_free_state.cpp"
SPIN_STATE = "include/hotseat/sync/detail/spin_locked_state.hpp"
OWNER_GUARD = "include/hotseat/core/owner_guard.hpp"
OWNER_GUARD_MEETING = "src/core/owner_guard.cpp"
GUARDED_WORD = "include/hotseat/sync/detail/guarded_word.hpp"
GUARDED_LINE = "include/hotseat/sync/detail/guarded_line.hpp"
PERMITS = "include/hotseat/sync/detail/permit_state.hpp"
SHARED = "include/hotseat/sync/detail/shared_state.hpp"
BROADCAST = "include/hotseat/sync/detail/broadcast_state.hpp"
CONDITION = "include/hotseat/sync/detail/condition_state.hpp"
LIMITS = "include/hotseat/sched/wait_limits.hpp"
EXCHANGE = "include/hotseat/sched/exchange.hpp"
BLOCK = "include/hotseat/runtime/detail/bwos_block.hpp"
QUEUE = "src/runtime/bwos_queue.cpp"
WORKER = "src/runtime/worker.cpp"
SLEEPERS = "src/runtime/sleepers.cpp"
BEDS = "include/hotseat/runtime/detail/sleepers.hpp"
PARKER = "src/platform/parker.cpp"
POOL = "src/runtime/pool_core.cpp"
TIMERS = "src/sched/timer_queue.cpp"
ALARMS = "src/sched/alarm_set.cpp"
EVENTS = "src/runtime/pool_events.cpp"
LINK = "include/hotseat/sync/detail/link_state.hpp"
JOIN = "include/hotseat/task/detail/join_counter.hpp"
FIBER = "src/fiber/fiber_control.cpp"
FIBER_JOIN = "include/hotseat/fiber/detail/join_state.hpp"
GROUP = "include/hotseat/task/task_group.hpp"
SHARED_LIFE = "include/hotseat/task/detail/shared_life.hpp"
SHARED_BODY = "include/hotseat/task/detail/shared_body.hpp"
SYNC_WAIT = "include/hotseat/task/sync_wait.hpp"
WAIT = "include/hotseat/sched/acquire_operation.hpp"
BLOCKING = "src/sched/blocked_thread.cpp"
SPECIAL = "include/hotseat/core/line_waiter.hpp"
PHASE = "include/hotseat/sync/detail/phase_state.hpp"
ONCE = "include/hotseat/sync/detail/once_state.hpp"
CHANNEL = "include/hotseat/sync/detail/channel_state.hpp"
CONDITION_WAIT = "include/hotseat/sync/condition_operation.hpp"
COMBINE = "include/hotseat/sched/combine.hpp"
SECTION = "include/hotseat/sync/section_operation.hpp"
URGENT = "include/hotseat/runtime/detail/urgent_tasks.hpp"

PRIMITIVES = (
    "mutex",
    "semaphore",
    "shared_mutex",
    "event",
    "condition",
    "channel",
    "once",
    "barrier",
    "section",
)


def for_each_primitive(name: str, file: str, old: str, new: str) -> list[Patch]:
    """What all of them share, and the model of each must notice."""
    return [Patch(f"{each}: {name}", file, old, new, (f"{each}_model",)) for each in PRIMITIVES]


PATCHES = (
    Patch(
        "a waiter that leaves stays linked",
        LOCK_STATE,
        "  if (is_in_line) remove(w);\n",
        "",
        ("mutex_state_model",),
    ),
    Patch(
        "a waiter leaves beside the owner",
        LOCK_STATE,
        "  guard_.visit();\n",
        "",
        ("mutex_state_model",),
    ),
    Patch(
        "an empty line does not become held",
        LOCK_STATE,
        "older == nullptr ? held : to_word(*older)",
        "older == nullptr ? seen : to_word(*older)",
        ("mutex_state_model",),
    ),
    Patch(
        "the last in line is taken out before the next one is linked",
        LOCK_STATE,
        "    next = &await_link(w.younger);  // I4\n",
        "    return nullptr;\n",
        ("mutex_state_model", "mutex_model"),
    ),
    Patch(
        "the place of the next link is not empty",
        LOCK_STATE,
        "    place.store(nullptr, std::memory_order_relaxed);\n",
        "",
        ("mutex_state_model", "mutex_model"),
    ),
    Patch(
        "an owner after all forgets the next arrival",
        LOCK_STATE,
        "  oldest_.store(&await_link(w.younger), std::memory_order_relaxed);\n",
        "",
        ("mutex_state_model",),
    ),
    Patch(
        "the owner does not look for visitors",
        OWNER_GUARD,
        "    if (platform::load_after_stores(visitors_) != 0) [[unlikely]] {  // N\n",
        "    if (false) {\n",
        ("mutex_state_model",),
    ),
    Patch(
        "a visitor does not wait for the owner",
        OWNER_GUARD_MEETING,
        "is_inside_.load(std::memory_order_acquire)",
        "is_inside_.load(std::memory_order_acquire) && false",
        ("mutex_state_model",),
    ),
    Patch(
        "a waiter that leaves forgets that others wait",
        SPIN_STATE,
        "is_last ? owned : seen",
        "is_last ? owned : seen & owned",
        ("mutex_state_model",),
    ),
    Patch(
        "a waiter that leaves the spin-locked line stays linked",
        SPIN_STATE,
        "    if (is_in_line) line_.remove(w);\n",
        "",
        ("mutex_state_model",),
    ),
    Patch(
        "releasing the guard forgets that a waiter is there",
        GUARDED_WORD,
        "(is_waited ? waited : 0)",
        "(is_waited ? 0 : 0)",
        ("semaphore_model",),
    ),
    Patch(
        "a change does not respect the guard",
        GUARDED_WORD,
        "        if ((seen & guarded) != 0) return false;\n",
        "",
        ("semaphore_model", "event_model"),
    ),
    Patch(
        "a waiter that gives up holds back those behind it",
        PERMITS,
        "    heirs = grant(free);\n",
        "    heirs = {};\n    line_.unguard(free);\n",
        ("semaphore_model",),
    ),
    Patch(
        "a permit is taken past the line",
        PERMITS,
        "    if (line_.is_empty() && free >= w.wants) {\n",
        "    if (free >= w.wants) {\n",
        ("semaphore_model",),
    ),
    Patch(
        "a waiter that leaves a semaphore stays linked",
        GUARDED_LINE,
        "    if (is_in_line) line_.remove(w);\n",
        "",
        ("semaphore_model",),
    ),
    Patch(
        "a writer that gives up holds back the readers behind it",
        SHARED,
        "    heirs = grant(inside);\n",
        "    heirs = {};\n    line_.unguard(inside);\n",
        ("shared_mutex_model",),
    ),
    Patch(
        "the last of several readers is not the last",
        SHARED,
        "    return inside > 1 && inside != written;\n",
        "    return inside > 0 && inside != written;\n",
        ("shared_mutex_model",),
    ),
    Patch(
        "an opening releases only one waiter",
        BROADCAST,
        "    waiter_queue heirs = line_.pop_all();  // B2\n",
        "    waiter_queue heirs;\n"
        "    if (!line_.is_empty()) heirs.push_back(line_.pop_front());\n",
        ("event_model",),
    ),
    Patch(
        "a waiter that leaves a gate stays linked",
        GUARDED_LINE,
        "    if (is_in_line) line_.remove(w);\n",
        "",
        ("event_model",),
    ),
    Patch(
        "a waiter that leaves a condition stays linked",
        CONDITION,
        "      line_.remove(w);\n",
        "",
        ("condition_model",),
    ),
    Patch(
        "a notified waiter still counts as waiting",
        CONDITION,
        "      w.is_in_condition = false;  // C2\n",
        "",
        ("condition_model",),
    ),
    Patch(
        "the alarm of a wait that has ended is not withdrawn",
        LIMITS,
        "    if (clock_ != nullptr) std::exchange(clock_, nullptr)->withdraw(*this);\n",
        "    clock_ = nullptr;\n",
        ("mutex_model", "timer_model"),
    ),
    Patch(
        "self is touched after it was scheduled",
        EXCHANGE,
        "  here.worker->schedule_left(self, is_followed);\n  return true;\n",
        "  here.worker->schedule_left(self, is_followed);\n  return self.home != nullptr;\n",
        ("mutex_model",),
    ),
    Patch(
        "a block is used again while a thief reads",
        BLOCK,
        "finished_.load(std::memory_order_acquire) == claimed_",
        "finished_.load(std::memory_order_acquire) <= claimed_",
        ("bwos_queue_model",),
    ),
    Patch(
        "a reclaim takes back what thieves have",
        BLOCK,
        "head_ = index_of(word);  // B1",
        "head_ = granted_from_;  // B1",
        ("bwos_queue_model",),
    ),
    Patch(
        "the ring runs into its own front",
        QUEUE,
        "  if (back_ - front_ == mask_) return false;  // Q1\n",
        "",
        ("bwos_queue_model",),
    ),
    Patch(
        "a thief has finished before it reads",
        QUEUE,
        "    for (std::uint32_t i = 0; i < mine.count; ++i) taken[i] = here.read(mine.first + i);\n"
        "    here.finish(mine);\n",
        "    here.finish(mine);\n"
        "    for (std::uint32_t i = 0; i < mine.count; ++i) taken[i] = here.read(mine.first + i);\n",
        ("bwos_queue_model",),
    ),
    Patch(
        "a worker does not look for work again before it sleeps",
        BEDS,
        "    if (place.is_over() || (must_look && place.shows_work())) {\n",
        "    if (place.is_over()) {\n",
        ("parking_model", "pool_model"),
    ),
    Patch(
        "a worker does not check whether the pool has ended before it sleeps",
        BEDS,
        "    if (place.is_over() || (must_look && place.shows_work())) {\n",
        "    if (must_look && place.shows_work()) {\n",
        ("parking_model", "pool_model"),
    ),
    Patch(
        "the last searcher does not pass the search on",
        BEDS,
        "    return place.shows_work() && wake_if_needed(worker);\n",
        "    return false;\n",
        ("parking_model", "pool_model"),
    ),
    Patch(
        "a worker that is woken twice counts twice",
        SLEEPERS,
        "  if ((before & asleep_bit(worker)) == 0) return false;\n",
        "  static_cast<void>(before);\n",
        ("parking_model",),
    ),
    Patch(
        "a sleeper gets up before it is counted",
        SLEEPERS,
        "  word_.fetch_add(begin_in_group(worker) - one_asleep, std::memory_order_relaxed);\n"
        "  bits(worker).fetch_and(~taken_bit(worker), std::memory_order_release);  // F\n",
        "  bits(worker).fetch_and(~taken_bit(worker), std::memory_order_release);  // F\n"
        "  word_.fetch_add(begin_in_group(worker) - one_asleep, std::memory_order_relaxed);\n",
        ("parking_model", "pool_model"),
    ),
    Patch(
        "a sleeper lies down on its token",
        PARKER,
        "  if (word_.compare_exchange_strong(seen, asleep, std::memory_order_relaxed)) return false;\n",
        "  word_.store(asleep, std::memory_order_relaxed);\n  if (seen == empty) return false;\n",
        ("parking_model",),
    ),
    Patch(
        "the last worker does not say that the pool is idle",
        POOL,
        "  if (phase_.load(std::memory_order_relaxed) == phase::draining) owner_.unpark();\n",
        "",
        ("pool_model",),
    ),
    Patch(
        "workers go while others may look at them",
        POOL,
        "  while (still_here_.load(std::memory_order_acquire) != 0) {                   // H\n",
        "  while (still_here_.load(std::memory_order_acquire) > size_) {\n",
        ("pool_model",),
    ),
    Patch(
        "a withdrawal does not wait for an alarm that is ringing",
        ALARMS,
        "      if (ringing_ != &a || ringer_ == &detail::current()) return;\n",
        "      return;\n",
        ("timer_model", "mutex_model"),
    ),
    Patch(
        "an arrival at a join is lost",
        JOIN,
        "left_.fetch_sub(1, std::memory_order_acq_rel) != 1",
        "(left_.store(left_.load(std::memory_order_acquire) - 1, std::memory_order_release),"
        " left_.load(std::memory_order_acquire) != 0)",
        ("tasks_model",),
    ),
    Patch(
        "a fiber joins a line before it is parked",
        FIBER,
        "  waits_for_ = &what;\n",
        "  if (!what.suspend(what, std::coroutine_handle<fiber_control>::from_promise(*this))) {\n"
        "    return;\n"
        "  }\n"
        "  static fiber_wait nothing{\n"
        "      [](fiber_wait&, std::coroutine_handle<fiber_control>) noexcept { return true; }};\n"
        "  waits_for_ = &nothing;\n",
        ("fiber_model",),
    ),
    Patch(
        "a fiber that has ended does not look for waiters",
        FIBER_JOIN,
        "word_.exchange(ended, std::memory_order_acq_rel);",
        "word_.load(std::memory_order_acquire);\n"
        "    word_.store(ended, std::memory_order_release);",
        ("fiber_model",),
    ),
    # --- Mutexes.
    Patch(
        "the owner goes without a last look for arrivals",
        LOCK_STATE,
        "  } while (!try_free());\n",
        "  } while (static_cast<void>(newest_.exchange(free, std::memory_order_release)), false);\n",
        ("mutex_state_model",),
    ),
    Patch(
        "an arrival at a free spin-locked lock waits",
        SPIN_STATE,
        "    if (guard() == free) {\n",
        "    if (guard() == free && w.task == nullptr) {\n",
        ("mutex_model",),
    ),
    Patch(
        "a waiter joins the spin-locked line after the guard",
        SPIN_STATE,
        "    line_.push_back(w);\n"
        "    word_.store(owned | waited, std::memory_order_release);  // O\n",
        "    word_.store(owned | waited, std::memory_order_release);  // O\n"
        "    line_.push_back(w);\n",
        ("mutex_state_model",),
    ),
    # --- Semaphores.
    Patch(
        "an arrival at a semaphore does not look once more before it waits",
        PERMITS,
        "    if (line_.is_empty() && free >= w.wants) {\n",
        "    if (line_.is_empty() && free >= w.wants && w.task == nullptr) {\n",
        ("semaphore_model",),
    ),
    Patch(
        "a waiter joins the line of a semaphore after the guard",
        PERMITS,
        "    line_.push_back(w);\n    line_.unguard(free);\n",
        "    line_.guarded_word::unguard(free, true);\n    line_.push_back(w);\n",
        ("semaphore_model",),
    ),
    # --- Shared mutexes.
    Patch(
        "a waiter that leaves a shared mutex stays linked",
        GUARDED_LINE,
        "    if (is_in_line) line_.remove(w);\n",
        "",
        ("shared_mutex_model",),
    ),
    Patch(
        "an arrival at a shared mutex does not look once more before it waits",
        SHARED,
        "    if (line_.is_empty() && fits(inside, w.wants)) {\n",
        "    if (line_.is_empty() && fits(inside, w.wants) && w.task == nullptr) {\n",
        ("shared_mutex_model",),
    ),
    Patch(
        "a reader overtakes waiters",
        SHARED,
        "    if (line_.is_empty() && fits(inside, w.wants)) {\n",
        "    if (fits(inside, w.wants)) {\n",
        ("shared_mutex_model",),
    ),
    Patch(
        "a waiter joins the line of a shared mutex after the guard",
        SHARED,
        "    line_.push_back(w);\n    line_.unguard(inside);\n",
        "    line_.guarded_word::unguard(inside, true);\n    line_.push_back(w);\n",
        ("shared_mutex_model",),
    ),
    # --- Events, latches, wait groups.
    Patch(
        "an arrival at a gate does not look once more before it waits",
        BROADCAST,
        "    if (missing == 0) {\n",
        "    if (missing == 0 && w.task == nullptr) {\n",
        ("event_model",),
    ),
    Patch(
        "a waiter joins the line of a gate after the guard",
        BROADCAST,
        "    line_.push_back(w);\n    line_.unguard(missing);\n",
        "    line_.guarded_word::unguard(missing, true);\n    line_.push_back(w);\n",
        ("event_model",),
    ),
    Patch(
        "an arrival at a latch joins the line after it has counted down",
        BROADCAST,
        "    line_.push_back(w);\n    line_.unguard(missing - n);\n",
        "    line_.guarded_word::unguard(missing - n, true);\n    line_.push_back(w);\n",
        ("event_model",),
    ),
    Patch(
        "the last to arrive at a latch waits as well",
        BROADCAST,
        "    if (missing == n) {\n",
        "    if (missing == n && w.task == nullptr) {\n",
        ("event_model",),
    ),
    Patch(
        "a latch is opened beside its line",
        BROADCAST,
        "return missing > n;",
        "return missing >= n;",
        ("event_model",),
    ),
    Patch(
        "what is added to a wait group beside its line is lost",
        BROADCAST,
        "return missing + n;",
        "return missing;",
        ("event_model",),
    ),
    # --- Barriers.
    Patch(
        "a waiter that leaves a barrier stays linked",
        GUARDED_LINE,
        "    if (is_in_line) line_.remove(w);\n",
        "",
        ("barrier_model",),
    ),
    Patch(
        "the last to arrive at a barrier waits as well",
        PHASE,
        "    if (missing == 1) return begin_completion();\n    line_.push_back(w);\n",
        "    line_.push_back(w);\n",
        ("barrier_model",),
    ),
    Patch(
        "a waiter joins the line of a barrier after the guard",
        PHASE,
        "    line_.push_back(w);\n    line_.unguard(missing - 1);\n",
        "    line_.guarded_word::unguard(missing - 1, true);\n    line_.push_back(w);\n",
        ("barrier_model",),
    ),
    Patch(
        "the next phase starts before the waiters of the last are released",
        PHASE,
        "    waiter_queue heirs = line_.pop_all();  // H3\n"
        "    line_.unguard(expected_);              // The last touch: the heirs may destroy us.\n",
        "    line_.guarded_word::unguard(expected_, false);\n"
        "    waiter_queue heirs = line_.pop_all();\n",
        ("barrier_model",),
    ),
    Patch(
        "a task that drops out of a barrier is expected again",
        PHASE,
        "    expected_ = expected_ - 1;\n",
        "",
        ("barrier_model",),
    ),
    # --- Once.
    Patch(
        "a waiter that leaves a once flag stays linked",
        GUARDED_LINE,
        "    if (is_in_line) line_.remove(w);\n",
        "",
        ("once_model",),
    ),
    Patch(
        "an arrival at a once flag does not look once more before it waits",
        ONCE,
        "    if (now == running) {\n",
        "    if (now != open) {\n",
        ("once_model",),
    ),
    Patch(
        "a waiter joins the line of a once flag after the guard",
        ONCE,
        "      line_.push_back(w);\n      line_.unguard(running);\n",
        "      line_.guarded_word::unguard(running, true);\n      line_.push_back(w);\n",
        ("once_model",),
    ),
    Patch(
        "after a failure two tasks have their turn",
        ONCE,
        "    line_.unguard(heir.empty() ? open : running);\n",
        "    line_.unguard(open);\n",
        ("once_model",),
    ),
    Patch(
        "a once flag is done before its waiters are out of the line",
        ONCE,
        "    while (!line_.is_empty()) heirs.push_back(pop(once_turn::done));\n"
        "    line_.unguard(done);  // O2\n",
        "    line_.guarded_word::unguard(done, false);  // O2\n"
        "    while (!line_.is_empty()) heirs.push_back(pop(once_turn::done));\n",
        ("once_model",),
    ),
    # --- Channels.
    Patch(
        "a waiter that leaves a channel stays linked",
        CHANNEL,
        "    const bool was_in_line = line_.remove(w);\n",
        "    const bool was_in_line = w.is_in_line;\n",
        ("channel_model",),
    ),
    Patch(
        "the last to leave a channel takes no sign down",
        CHANNEL,
        "    if (was_in_line) forget_empty_line(bits);\n",
        "",
        ("channel_model",),
    ),
    Patch(
        "a sender does not look once more before it waits",
        CHANNEL,
        "put(bits, *w.value)",
        "transfer_result{transfer::waiting}",
        ("channel_model",),
    ),
    Patch(
        "a receiver does not look once more before it waits",
        CHANNEL,
        "    const transfer_result result =\n"
        "        take(bits, [&](T& value) { w.value.emplace(std::move(value)); });\n",
        "    const transfer_result result{transfer::waiting};\n",
        ("channel_model",),
    ),
    Patch(
        "a receiver joins the line after the guard",
        CHANNEL,
        "      line_.push_back(w);\n      bits |= receivers_wait;\n",
        "      unguard(bits | receivers_wait);\n      line_.push_back(w);\n      return result;\n",
        ("channel_model",),
    ),
    Patch(
        "the value of a sender in line is lost",
        CHANNEL,
        "      if (sender != nullptr) buffer_.push_back(std::move(*sender->value));  // C2\n",
        "",
        ("channel_model",),
    ),
    Patch(
        "a close takes what is buffered out beside the guard",
        CHANNEL,
        "    static_cast<void>(line_.guard());\n    discarded.emplace(buffer_, take_over_t{});\n",
        "    discarded.emplace(buffer_, take_over_t{});\n    static_cast<void>(line_.guard());\n",
        ("channel_model",),
    ),
    Patch(
        "a close releases only one waiter",
        CHANNEL,
        "    waiter_queue heirs = line_.pop_all();\n    unguard(closed);\n",
        "    waiter_queue heirs;\n"
        "    if (!line_.is_empty()) heirs.push_back(line_.pop_front());\n    unguard(closed);\n",
        ("channel_model",),
    ),
    # --- Conditions.
    Patch(
        "the mutex is released before the waiter is in line",
        CONDITION_WAIT,
        "    condition_.join(*this);\n"
        "    early_end_.watch();\n"
        "    // Until may_suspend(), we stay, even if we have been notified and own the mutex again.\n"
        "    line_waiter* heir = mine.release();\n",
        "    line_waiter* heir = mine.release();\n"
        "    condition_.join(*this);\n"
        "    early_end_.watch();\n",
        ("condition_model",),
    ),
    Patch(
        "a waiter joins the line of a condition after the guard",
        CONDITION,
        "    line_.push_back(w);\n    line_.unguard(0);\n",
        "    line_.guarded_word::unguard(0, true);\n    line_.push_back(w);\n",
        ("condition_model",),
    ),
    Patch(
        "a notified waiter goes on without the mutex",
        CONDITION,
        "  [[nodiscard]] bool go_to_mutex() noexcept { return mutex.acquire_or_enqueue(*this); }\n",
        "  [[nodiscard]] bool go_to_mutex() noexcept { return true; }\n",
        ("condition_model",),
    ),
    Patch(
        "an end that came too early for the condition is forgotten",
        CONDITION_WAIT,
        "self.early_end_.was_attempted() && self.condition_.leave(self)",
        "false",
        ("condition_model",),
    ),
    # --- Sections.
    Patch(
        "a task whose section has ended runs before the lock is passed on",
        COMBINE,
        "    heirs = lock.release();\n"
        "    if (end == turn::moved) continue;\n"
        "    // Not before the release: once it runs, the task may destroy the lock.\n"
        "    if (!who->settle(outcome::granted)) continue;\n",
        "    if (end != turn::moved && who->settle(outcome::granted)) dispatch_task(*who);\n"
        "    heirs = lock.release();\n"
        "    continue;\n",
        ("section_model",),
    ),
    Patch(
        "a waiter that has gone back to its condition runs anyway",
        COMBINE,
        "    if (end == turn::moved) continue;\n",
        "",
        ("condition_model",),
    ),
    Patch(
        "a section that was run is run again",
        SECTION,
        "    is_done_ = true;\n",
        "",
        ("section_model",),
    ),
    Patch(
        "a task that runs its own section does not pass the lock on",
        SECTION,
        "      pass_on<Handoff>(line_.release(), line_);\n",
        "",
        ("section_model",),
    ),
    # --- Limits: once for each primitive.
    *for_each_primitive(
        "a timeout resumes a waiter that has been granted",
        LIMITS,
        "leave_(who_) && who_.settle(outcome::left)",
        "static_cast<void>(leave_(who_)), who_.settle(outcome::left)",
    ),
    *for_each_primitive(
        "a waiter that is told to stop goes on waiting",
        LIMITS,
        "which->end()",
        "static_cast<void>(which)",
    ),
    *for_each_primitive(
        "a waiter that is too late goes on waiting",
        LIMITS,
        "static_cast<early_end&>(a).end()",
        "static_cast<void>(a)",
    ),
    *for_each_primitive(
        "a task that is destroyed while it waits stays in line",
        WAIT,
        "require_waiting(derived().leave())",
        "static_cast<void>(0)",
    ),
    Patch(
        "a thread that settles a wait resumes a task that has not suspended",
        SPECIAL,
        "    return phase_.exchange(phase::settled, std::memory_order_acq_rel) ==  // S\n"
        "           phase::armed;\n",
        "    return phase_.exchange(phase::settled, std::memory_order_acq_rel) !=  // S\n"
        "           phase::settled;\n",
        ("mutex_model",),
    ),
    Patch(
        "a task that is granted while it arms itself suspends anyway",
        LIMITS,
        "    return special_.may_suspend();\n",
        "    return static_cast<void>(special_.may_suspend()), true;\n",
        ("mutex_model",),
    ),
    Patch(
        "a thread that waits for a task does not look at the time",
        BLOCKING,
        "    if (parker_.park_until(alarm_->due)) return;\n",
        "    parker_.park();\n    return;\n",
        ("mutex_model",),
    ),
    # --- Tasks.
    Patch(
        "a task of a group is counted after it was started",
        GROUP,
        "    left_.fetch_add(one_task, std::memory_order_relaxed);\n"
        "    detail::start(coroutine, where_, &token_);\n",
        "    detail::start(coroutine, where_, &token_);\n"
        "    left_.fetch_add(one_task, std::memory_order_relaxed);\n",
        ("tasks_model",),
    ),
    Patch(
        "a joiner names itself after it has arrived",
        GROUP,
        "    group_.joiner_ = &place_;\n    return !group_.count_down(not_joined);",
        "    const bool is_last = group_.count_down(not_joined);\n"
        "    group_.joiner_ = &place_;\n    return !is_last;",
        ("tasks_model",),
    ),
    Patch(
        "the caller of sync_wait is woken before the result is there",
        SYNC_WAIT,
        "  try {\n    auto&& operation",
        "  state.caller.wake();\n  try {\n    auto&& operation",
        ("tasks_model",),
    ),
    Patch(
        "two awaiters start a shared task",
        SHARED_LIFE,
        "(word_.fetch_or(started, std::memory_order_relaxed) & started) == 0;\n",
        "(word_.fetch_or(started, std::memory_order_relaxed) | started) != 0;\n",
        ("shared_task_model",),
    ),
    Patch(
        "the last handle of a shared task that runs destroys it",
        SHARED_LIFE,
        "    return seen == one_handle || seen == (one_handle | started | ended);\n",
        "    return (seen & ~(started | ended)) == one_handle;\n",
        ("shared_task_model",),
    ),
    Patch(
        "the end of a shared task forgets that no handle is left",
        SHARED_LIFE,
        "    return word_.fetch_or(ended, std::memory_order_acq_rel) == started;  // H\n",
        "    static_cast<void>(word_.fetch_or(ended, std::memory_order_acq_rel));  // H\n"
        "    return false;\n",
        ("shared_task_model",),
    ),
    Patch(
        "the last handle of a shared task is not recognised",
        SHARED_LIFE,
        "      if (seen == (one_handle | started)) abandon();\n    } while",
        "    } while",
        ("shared_task_model",),
    ),
    Patch(
        "a shared task releases itself before its awaiters",
        SHARED_BODY,
        "    let_out_at_end(of.done_.state_.open());\n"
        "    if (of.life_.end()) delete &of;\n",
        "    const bool is_last = of.life_.end();\n"
        "    let_out_at_end(of.done_.state_.open());\n"
        "    if (is_last) delete &of;\n",
        ("shared_task_model",),
    ),
    Patch(
        "an awaiter that does not suspend starts no shared task",
        SHARED_BODY,
        "    dispatch_task(*std::exchange(driver_, nullptr));\n",
        "    driver_ = nullptr;\n",
        ("shared_task_model",),
    ),
    # --- Timers.
    Patch(
        "an alarm that is earlier than all others wakes no thread",
        TIMERS,
        "  if (place == detail::alarm_set::addition::first) parker_.unpark();\n",
        "",
        ("timer_model",),
    ),
    Patch(
        "an alarm is set although the clock is closed",
        ALARMS,
        "  if (is_closed_) return addition::refused;\n",
        "",
        ("timer_model",),
    ),
    Patch(
        "an alarm that has been withdrawn rings",
        ALARMS,
        "      if (a.back != nullptr) return remove(a);  // T1: it will not ring.\n",
        "      if (a.back != nullptr) return;\n",
        ("timer_model",),
    ),
    Patch(
        "two that start the clock at once start two threads",
        TIMERS,
        "        stage_ = stage::starting;\n",
        "",
        ("timer_model",),
    ),
    Patch(
        "a clock that could not be started is not started again",
        TIMERS,
        "    end_start(stage::none, {});\n",
        "",
        ("timer_model",),
    ),
    # --- Events.
    Patch(
        "the watch uses up an interrupt",
        EVENTS,
        "    source_.interrupt(i);  // E4\n",
        "",
        ("events_model",),
    ),
    Patch(
        "a worker does not wake the watch",
        EVENTS,
        "  if (platform::load_after_stores(asleep_) != 0) [[unlikely]]\n    parker_.unpark();\n",
        "",
        ("events_model",),
    ),
    Patch(
        "the watch does not look for workers that are awake before it sleeps",
        EVENTS,
        "  while (do_all_sleep() && !is_over_.load(std::memory_order_relaxed)) parker_.park();\n",
        "  parker_.park();\n",
        ("events_model",),
    ),
    Patch(
        "the watch does not look after others",
        EVENTS,
        "    look_after_others();\n",
        "",
        ("events_model",),
    ),
    Patch(
        "the watch polls beside the worker",
        EVENTS,
        "    if (has_looked || !each.in_use.try_lock()) continue;\n    source_.poll(i);\n    source_.interrupt(i);  // E4\n"
        "    each.in_use.unlock();\n",
        "    if (has_looked) continue;\n    source_.poll(i);\n    source_.interrupt(i);\n",
        ("events_model",),
    ),
    Patch(
        "no worker keeps the time",
        EVENTS,
        "  return kept_until_ = next;\n",
        "  return alarm_set::never;\n",
        ("events_model",),
    ),
    Patch(
        "a worker that has kept the time is thought to keep it still",
        EVENTS,
        "  if (keeper_ == worker) kept_until_ = alarm_set::never;\n",
        "",
        ("events_model",),
    ),
    Patch(
        "a worker with events of its own does not get up",
        BEDS,
        "      if (doze_off() && get_up(worker)) return;\n",
        "      static_cast<void>(doze_off());\n",
        ("events_model",),
    ),
    # --- Two sides that may part.
    Patch(
        "both ends insist",
        LINK,
        "      if (role_ == role::leading) {\n",
        "      if (true) {\n",
        ("one_shot_model",),
    ),
    Patch(
        "an end that yields does not let go",
        LINK,
        "      word_.store(seen, std::memory_order_release);  // L: we have touched the peer.\n",
        "",
        ("one_shot_model",),
    ),
    Patch(
        "an end that moves is not found",
        LINK,
        "    peer.word_.store(to_word(successor), std::memory_order_release);  // L\n",
        "    peer.word_.store(to_word(*this), std::memory_order_release);  // L\n",
        ("one_shot_model",),
    ),
    Patch(
        "a completer does not part",
        "include/hotseat/sync/one_shot.hpp",
        "      if (completer != nullptr) completer->part(shot.end_);\n",
        "",
        ("one_shot_model",),
    ),
    # --- The pool.
    Patch(
        "a caller with a task from outside counts as gone before it looks at the sleepers",
        POOL,
        "  sleepers_->wake_if_needed(0);\n"
        "  callers_.fetch_sub(1, std::memory_order_release);  // K: `this` may be gone.\n",
        "  callers_.fetch_sub(1, std::memory_order_release);  // K: `this` may be gone.\n"
        "  sleepers_->wake_if_needed(0);\n",
        ("pool_model",),
    ),
    Patch(
        "a caller with a task from outside is counted only when the task is visible",
        POOL,
        "  injectors_[next_node()].push_all(ready);\n",
        "  callers_.fetch_sub(1, std::memory_order_relaxed);\n"
        "  injectors_[next_node()].push_all(ready);\n"
        "  callers_.fetch_add(1, std::memory_order_relaxed);\n",
        ("pool_model",),
    ),
    Patch(
        "forks that have all been offered wake no worker",
        WORKER,
        "  if (pushes_ > 1) show_all();\n  wake_if_needed();",
        "  if (pushes_ > 1 ? show_all() : true) wake_if_needed();",
        ("pool_model",),
    ),
    Patch(
        "the pool does not wait for its callers",
        POOL,
        "  await_callers();\n",
        "",
        ("pool_model",),
    ),
    Patch(
        "the thread that ends the pool looks at the sleepers as a submitter does",
        BEDS,
        "    if (count().asleep == 0) return;\n",
        "    if (look().asleep == 0) return;\n",
        ("parking_model",),
    ),
    Patch(
        "a worker that stays up does not wait for its waker",
        BEDS,
        "    if (!get_up(worker)) sleep(worker, doze_off);\n",
        "    static_cast<void>(get_up(worker));\n",
        ("parking_model", "pool_model"),
    ),
    Patch(
        "a worker that falls asleep leaves its group before it is counted as asleep",
        SLEEPERS,
        "  const std::uint64_t before = word_.fetch_add(one_asleep, std::memory_order_acq_rel);  // W\n"
        "  if (!was_searching) return unpack(before).searching != 0;\n"
        "  if (end_in_group(worker) == 0) return true;\n",
        "  const std::uint64_t ended = was_searching ? end_in_group(worker) : 0;\n"
        "  const std::uint64_t before = word_.fetch_add(one_asleep, std::memory_order_acq_rel);  // W\n"
        "  if (!was_searching) return unpack(before).searching != 0;\n"
        "  if (ended == 0) return true;\n",
        ("parking_model",),
    ),
    Patch(
        "each searcher that ends takes its group from the word",
        SLEEPERS,
        "  return before == 1 ? one_searching : 0;\n",
        "  return before != 0 ? one_searching : 0;\n",
        ("parking_model",),
    ),
    Patch(
        "a woken worker does not count in its group",
        SLEEPERS,
        "  word_.fetch_add(begin_in_group(worker) - one_asleep, std::memory_order_relaxed);\n",
        "  word_.fetch_add(one_searching - one_asleep, std::memory_order_relaxed);\n",
        ("parking_model",),
    ),
    Patch(
        "the last searcher of a group does not take it from the word",
        SLEEPERS,
        "  return before == 1 ? one_searching : 0;\n",
        "  static_cast<void>(before);\n  return 0;\n",
        ("parking_model",),
    ),
    Patch(
        "an urgent task can be taken before it knows the one behind it",
        URGENT,
        "    do {\n"
        "      ready.next = seen;\n"
        "    } while (!newest_.compare_exchange_weak(seen, &ready, std::memory_order_release,  // I\n"
        "                                            std::memory_order_relaxed));\n",
        "    while (!newest_.compare_exchange_weak(seen, &ready, std::memory_order_release,  // I\n"
        "                                          std::memory_order_relaxed)) {\n"
        "    }\n"
        "    ready.next = seen;\n",
        ("pool_model",),
    ),
    Patch(
        "a waker does not wake the thread",
        PARKER,
        "  if (word_.exchange(token, std::memory_order_release) == asleep) futex_wake(word_);  // U\n",
        "  word_.store(token, std::memory_order_release);\n",
        ("parking_model",),
    ),
    Patch(
        "a sleeper that is woken for no reason gets up",
        BEDS,
        "      if (doze_off() && get_up(worker)) return;\n",
        "      static_cast<void>(doze_off());\n      return;\n",
        ("parking_model", "pool_model"),
    ),
    *mutant_patches_boost_fiber.PATCHES,
)

# (file, line of the order, part): why nothing can notice.
EQUIVALENT: dict[tuple, str] = {
    (
        "runtime/pool_events.cpp",
        "if (platform::load_after_stores(asleep_) != 0) [[unlikely]]",
        "acquire",
    ): "the worker wakes the watch, and reads nothing that the watch has written",
} | {
    (
        "runtime/sleepers.cpp",
        "group_of(worker).searching.fetch_sub(1, std::memory_order_acq_rel);  // G",
        half,
    ): "keeps two read-modify-writes of one thread, on two words, in their order for others; the "
    "explorer never shows them in another one, nor does x86"
    for half in ("acquire", "release")
}
