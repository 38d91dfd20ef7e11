// hotseat/sync/mutex.hpp — mutual exclusion that exchanges tasks at unlock.
// Layer: sync.  Read next: detail/lock_state.hpp (who is next?), then sched/exchange.hpp
// (how do we get there?).
#pragma once

#include <hotseat/core/assert.hpp>
#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/pinned.hpp>
#include <hotseat/sched/blocking.hpp>
#include <hotseat/sched/combine.hpp>
#include <hotseat/sched/handoff.hpp>
#include <hotseat/sched/this_thread.hpp>
#include <hotseat/sched/wait_operation.hpp>
#include <hotseat/sync/detail/lock_state.hpp>
#include <hotseat/sync/detail/spin_lock_state.hpp>
#include <hotseat/sync/scoped_lock.hpp>
#include <hotseat/sync/section_operation.hpp>
#include <hotseat/trace/trace.hpp>

#include <chrono>
#include <concepts>
#include <coroutine>
#include <optional>
#include <stop_token>
#include <utility>

namespace hotseat {

/// The two states of the paper: a lock-free word, and a queue behind a spin lock.
namespace lock_state {
using lock_free = detail::lock_state;
using spin_locked = detail::spin_lock_state;
}  // namespace lock_state

/// Suspends tasks instead of blocking threads, and keeps a contended section on one worker.
///
///     co_await m.lock();
///     map.insert(key, value);
///     co_await m.unlock();      // may continue on another thread
///
/// Both ends may suspend.  `lock` suspends while another task owns the mutex.  `unlock`
/// suspends if somebody waits: the waiter continues here, at once, with the protected data
/// still in this core's cache, and the caller is scheduled.  Uncontended, neither suspends
/// and each costs one atomic operation.
///
/// For a scope: `auto held = co_await m.scoped_lock()`, `scoped_lock(stop_token)`,
/// `scoped_lock_for`, `scoped_lock_until` (sync/scoped_lock.hpp).
///
/// Fair: ownership passes in order of arrival and cannot be overtaken.
/// Ownership belongs to a task, not a thread; it may be held across `co_await`.
/// Not recursive.  Destroying an owned mutex, or unlocking one that nobody owns, stops the
/// program.  Nothing throws or allocates, except in two cases: the first deadline on a pool
/// starts its clock (sched/limits.hpp), and what a section throws reaches its task.
template <handoff_policy Handoff = handoff::exchange, class State = lock_state::lock_free>
class basic_mutex : pinned<basic_mutex<Handoff, State>>,
                    public detail::lock_scopes<basic_mutex<Handoff, State>> {
 public:
  using state_type = State;

  class [[nodiscard("co_await it")]] lock_operation;
  class [[nodiscard("co_await it")]] try_lock_operation;
  class [[nodiscard("co_await it")]] unlock_operation;

  constexpr basic_mutex() = default;
  ~basic_mutex() {
    require(state_.is_free(), "mutex", this, "it must not be destroyed while it is owned");
  }

  /// Becomes the owner without waiting.  Returns whether it did; never while others wait.
  [[nodiscard]] bool try_lock() noexcept {
    const bool is_owner = state_.try_acquire();
    if (is_owner) detail::note_entered(&state_, trace::entry_free);
    return is_owner;
  }

  /// Awaitable.  The caller owns the mutex when `co_await` returns.
  lock_operation lock() noexcept { return lock_operation{state_}; }

  /// Awaitable; gives whether the caller owns the mutex.  It does not if it was told to
  /// stop, or the time was over, before its turn came; then it is out of the line.
  try_lock_operation lock(std::stop_token stop) noexcept {
    return lock(wait_limits{std::nullopt, std::move(stop)});
  }
  try_lock_operation lock(wait_limits what) noexcept {
    return try_lock_operation{state_, std::move(what)};
  }
  template <class Rep, class Period>
  try_lock_operation try_lock_for(std::chrono::duration<Rep, Period> time,
                                  std::stop_token stop = {}) noexcept {
    return try_lock_operation{state_, {deadline_after(time), std::move(stop)}};
  }
  template <class Clock, class Duration>
  try_lock_operation try_lock_until(std::chrono::time_point<Clock, Duration> due,
                                    std::stop_token stop = {}) noexcept {
    return try_lock_operation{state_, {deadline_at(due), std::move(stop)}};
  }

  /// Awaitable.  REQUIRES: the caller owns the mutex.
  unlock_operation unlock() noexcept { return unlock_operation{state_}; }

  /// Awaitable; owns the mutex for one call of `section` and gives its result.  If others
  /// are before us, the worker that has the mutex makes the call: it must not depend on
  /// the thread it runs on.  `with_lock` is the same, and more.
  template <std::invocable Section>
  section_operation<Handoff, State, Section> run(Section section) {
    return {state_, std::move(section)};
  }

  /// The same with limits; gives a std::optional of the result, or a bool.
  template <std::invocable Section>
  limited_section_operation<Handoff, State, Section> run(Section section,
                                                         wait_limits what) {
    return {state_, std::move(section), std::move(what)};
  }

  /// For threads that are no workers: blocks the calling thread until it owns the mutex.
  /// The limited forms block with `block_on`.
  void lock_blocking() noexcept { block_on(lock()); }

  /// Gives up ownership without suspending, for destructors, callbacks and threads that are
  /// no workers: the heir is dispatched, so the section may leave this core.
  /// REQUIRES: the caller owns the mutex.
  void unlock_dispatch() noexcept {
    detail::note_left(&state_);
    if (line_waiter* const heir = state_.release()) {
      detail::pass_on<handoff::dispatch>(heir, releasing(state_));
    }
  }

 private:
  template <handoff_policy, class, class>
  friend class condition_operation;
  State& state() noexcept { return state_; }

  static auto releasing(State& state) noexcept {
    return [&state]() noexcept { return state.release(); };
  }

  State state_;
};

template <handoff_policy Handoff, class State>
class basic_mutex<Handoff, State>::lock_operation : public wait_operation<lock_operation> {
 public:
  ~lock_operation() { this->abandon(); }
  bool await_ready() noexcept { return state_.try_acquire(); }
  void await_resume() noexcept {
    this->note_entry(&state_);
    this->end();
    ++this_thread().locks_held;
  }

 private:
  friend basic_mutex;
  friend wait_operation<lock_operation>;
  explicit lock_operation(State& state) noexcept : state_{state} {}
  bool join() noexcept {
    if (!state_.acquire_or_enqueue(*this)) return false;  // `this` may be gone.
    this->task = nullptr;                                 // It has not waited.
    return true;
  }
  bool leave() noexcept { return state_.leave(*this); }

  State& state_;
};

template <handoff_policy Handoff, class State>
class basic_mutex<Handoff, State>::try_lock_operation
    : public limited_operation<try_lock_operation> {
 public:
  ~try_lock_operation() { this->abandon(); }
  bool await_ready() noexcept { return state_.try_acquire(); }
  [[nodiscard("it may not own the mutex")]] bool await_resume() noexcept {
    const trace::entry how = this->how_entered();
    const bool is_owner = this->end();
    if (is_owner) detail::note_entered(&state_, how);
    return is_owner;
  }

 private:
  friend basic_mutex;
  friend wait_operation<try_lock_operation>;
  friend limited_operation<try_lock_operation>;
  try_lock_operation(State& state, wait_limits limits) noexcept
      : limited_operation<try_lock_operation>{std::move(limits)}, state_{state} {}
  bool join() noexcept { return state_.acquire_or_enqueue(*this); }
  bool leave() noexcept { return state_.leave(*this); }

  State& state_;
};

template <handoff_policy Handoff, class State>
class basic_mutex<Handoff, State>::unlock_operation : pinned<unlock_operation> {
 public:
  bool await_ready() noexcept {
    detail::note_left(&state_);
    heir_ = state_.release();  // The last touch of the mutex: the heir may destroy it.
    if (heir_ == nullptr) return true;
    if constexpr (!Handoff::may_suspend) {
      detail::pass_on<Handoff, Handoff>(heir_, releasing(state_));
    }
    return !Handoff::may_suspend;
  }

  bool await_suspend(std::coroutine_handle<> self) noexcept {
    if constexpr (Handoff::may_suspend) {
      self_.set(self, executor::current());
      // Suspended: `this` may be gone.
      return detail::exchange_or_combine<Handoff>(self_, heir_, releasing(state_));
    }
    return false;
  }

  void await_resume() const noexcept {}

 private:
  friend basic_mutex;
  explicit unlock_operation(State& state) noexcept : state_{state} {}

  State& state_;
  line_waiter* heir_;
  waiter self_{set_later{}};
};

using mutex = basic_mutex<handoff::exchange>;

}  // namespace hotseat
