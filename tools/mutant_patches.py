"""What mutants.py takes away from the sources, and what it need not find."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Patch:
    name: str
    file: str
    old: str  # stands there exactly once
    new: str
    models: tuple


LOCK_STATE = "include/hotseat/sync/detail/lock_state.hpp"
SPIN_STATE = "include/hotseat/sync/detail/spin_lock_state.hpp"
OWNER_GUARD = "include/hotseat/core/owner_guard.hpp"
GUARDED_WORD = "include/hotseat/sync/detail/guarded_word.hpp"
PERMITS = "include/hotseat/sync/detail/permit_state.hpp"
SHARED = "include/hotseat/sync/detail/shared_state.hpp"
BROADCAST = "include/hotseat/sync/detail/broadcast_state.hpp"
CONDITION = "include/hotseat/sync/detail/condition_state.hpp"
LIMITS = "include/hotseat/sched/limits.hpp"
EXCHANGE = "include/hotseat/sched/exchange.hpp"
BLOCK = "include/hotseat/runtime/detail/bwos_block.hpp"
QUEUE = "src/runtime/bwos_queue.cpp"
SEARCH = "src/runtime/worker_search.cpp"
SLEEPERS = "src/runtime/sleepers.cpp"
PARKER = "src/platform/parker.cpp"
POOL = "src/runtime/pool_core.cpp"
TIMERS = "src/timer/timer_queue.cpp"
JOIN = "include/hotseat/task/detail/join_counter.hpp"
FIBER = "src/fiber/fiber_control.cpp"
FIBER_JOIN = "include/hotseat/fiber/detail/join_state.hpp"

PATCHES = (
    Patch(
        "a waiter that leaves stays linked",
        LOCK_STATE,
        "    if (is_in_line) remove(w);\n",
        "",
        ("mutex_state_model",),
    ),
    Patch(
        "a waiter leaves beside the owner",
        LOCK_STATE,
        "    guard_.visit();\n",
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
        "whoever is last is taken out before the next one is tied",
        LOCK_STATE,
        "      next = &await_tie(w.younger);  // I4\n",
        "      return nullptr;\n",
        ("mutex_state_model", "mutex_model"),
    ),
    Patch(
        "the place of the next tie is not empty",
        LOCK_STATE,
        "      place.store(nullptr, std::memory_order_relaxed);\n",
        "",
        ("mutex_state_model", "mutex_model"),
    ),
    Patch(
        "who finds the lock free forgets who came after it",
        LOCK_STATE,
        "    oldest_.store(&await_tie(w.younger), std::memory_order_release);  // T\n",
        "",
        ("mutex_state_model",),
    ),
    Patch(
        "the owner does not look for visitors",
        OWNER_GUARD,
        "if (platform::load_after_stores(visitors_) != 0) [[unlikely]] {",
        "if (is_inside_.newest() && false) {",
        ("mutex_state_model",),
    ),
    Patch(
        "a visitor does not wait for the owner",
        OWNER_GUARD,
        "for (int turns = 0; is_inside_.load(std::memory_order_acquire); ++turns)",
        "for (int turns = 0; is_inside_.load(std::memory_order_acquire) && turns < 0; ++turns)",
        ("mutex_state_model",),
    ),
    Patch(
        "whoever leaves forgets that others wait",
        SPIN_STATE,
        "word_.store(is_last ? owned : seen,",
        "word_.store(is_last ? owned : seen & owned,",
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
        "the end of the guard forgets that somebody waits",
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
        "whoever gives up keeps back those behind it",
        PERMITS,
        "    heirs = grant(free);\n",
        "    heirs = {};\n    word_.unguard(free, !line_.empty());\n",
        ("semaphore_model",),
    ),
    Patch(
        "a permit is taken past the line",
        PERMITS,
        "    if (line_.empty() && free >= w.wants) {\n",
        "    if (free >= w.wants) {\n",
        ("semaphore_model",),
    ),
    Patch(
        "a waiter that leaves a semaphore stays linked",
        PERMITS,
        "    if (is_in_line) line_.remove(w);\n",
        "",
        ("semaphore_model",),
    ),
    Patch(
        "a writer that gives up keeps back the readers behind it",
        SHARED,
        "    heirs = grant(inside);\n",
        "    heirs = {};\n    word_.unguard(inside, !line_.empty());\n",
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
        "an opening lets out one",
        BROADCAST,
        "    while (!line_.empty()) heirs.push_back(line_.pop_front());  // B2\n",
        "    if (!line_.empty()) heirs.push_back(line_.pop_front());  // B2\n",
        ("event_model",),
    ),
    Patch(
        "a waiter that leaves a gate stays linked",
        BROADCAST,
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
        "a timeout resumes also who has been granted",
        LIMITS,
        "if (leave_(who_) && who_.settle(outcome::left))",
        "if (static_cast<void>(leave_(who_)), who_.settle(outcome::left))",
        ("mutex_model",),
    ),
    Patch(
        "the alarm of a wait that is over is not withdrawn",
        LIMITS,
        "    if (clock_ != nullptr) std::exchange(clock_, nullptr)->withdraw(*this);\n",
        "    clock_ = nullptr;\n",
        ("mutex_model", "timer_model"),
    ),
    Patch(
        "self is scheduled before the heir has its seat",
        EXCHANGE,
        "  here.run_next = heir.task;\n",
        "  here.here->schedule(self);\n  here.run_next = heir.task;\n  return true;\n",
        ("mutex_model",),
    ),
    Patch(
        "a grant keeps the version",
        BLOCK,
        "pack(++version_, tail_, head_)",
        "pack(version_, tail_, head_)",
        ("bwos_queue_model",),
    ),
    Patch(
        "a reclaim keeps the version",
        BLOCK,
        "    ++version_;\n    const std::uint64_t word =",
        "    const std::uint64_t word =",
        ("bwos_queue_model",),
    ),
    Patch(
        "a reset keeps the version",
        BLOCK,
        "pack(++version_, 0, 0)",
        "pack(version_, 0, 0)",
        ("bwos_queue_model",),
    ),
    Patch(
        "a block is used again while a thief reads",
        BLOCK,
        "return finished_.load(std::memory_order_acquire) == claimed_;",
        "return finished_.load(std::memory_order_acquire) <= claimed_;",
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
        SEARCH,
        "    if (pool_.is_over() || (must_look && pool_.shows_work())) {\n",
        "    if (pool_.is_over()) {\n",
        ("parking_model", "pool_model"),
    ),
    Patch(
        "a worker does not look whether the pool is over before it sleeps",
        SEARCH,
        "    if (pool_.is_over() || (must_look && pool_.shows_work())) {\n",
        "    if (must_look && pool_.shows_work()) {\n",
        ("parking_model", "pool_model"),
    ),
    Patch(
        "the last searcher does not pass the search on",
        SEARCH,
        "  if (pool_.shows_work()) wake_if_needed();\n",
        "",
        ("parking_model", "pool_model"),
    ),
    Patch(
        "whoever is woken twice counts twice",
        SLEEPERS,
        "  if ((before & asleep_bit(worker)) == 0) return false;\n",
        "  static_cast<void>(before);\n",
        ("parking_model",),
    ),
    Patch(
        "a sleeper gets up before it is counted",
        SLEEPERS,
        "  word_.fetch_add(one_searching - one_asleep, std::memory_order_relaxed);\n"
        "  bits(worker).fetch_and(~taken_bit(worker), std::memory_order_release);  // F\n",
        "  bits(worker).fetch_and(~taken_bit(worker), std::memory_order_release);  // F\n"
        "  word_.fetch_add(one_searching - one_asleep, std::memory_order_relaxed);\n",
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
        "  while (still_here_.load(std::memory_order_acquire) != 0) {",
        "  while (still_here_.load(std::memory_order_acquire) > size_) {",
        ("pool_model",),
    ),
    Patch(
        "nobody waits for an alarm that is ringing",
        TIMERS,
        "      if (ringing_ != &a || ringer_ == &this_thread()) return;\n",
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
        "a fiber that has ended does not look who waits",
        FIBER_JOIN,
        "word_.exchange(ended, std::memory_order_acq_rel);",
        "word_.load(std::memory_order_acquire);\n"
        "    word_.store(ended, std::memory_order_release);",
        ("fiber_model",),
    ),
)

# (file, line of the order, part): why nothing can notice.
EQUIVALENT: dict[tuple, str] = {}
