// hotseat/sync/mutex.hpp — mutual exclusion that exchanges tasks at unlock.
// Layer: sync.  Read next: detail/lock_free_state.hpp, then sched/exchange.hpp.
#pragma once

#include <hotseat/core/assert.hpp>
#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/pinned.hpp>
#include <hotseat/sched/acquire_operation.hpp>
#include <hotseat/sched/block_on.hpp>
#include <hotseat/sched/combine.hpp>
#include <hotseat/sched/handoff.hpp>
#include <hotseat/sched/release_operation.hpp>
#include <hotseat/sched/wait_limits.hpp>
#include <hotseat/sync/detail/lock_free_state.hpp>
#include <hotseat/sync/unique_lock.hpp>

#include <utility>

namespace hotseat {

/// Suspends tasks instead of blocking threads, and keeps a contended section on one worker.
///
///     co_await m.lock();
///     map.insert(key, value);
///     co_await m.unlock();      // may continue on another thread
///
/// `lock` tries to acquire, and if another task owns the mutex, joins the line and
/// suspends. `unlock` releases.  If a task waits, it continues here, at once, with the
/// protected data still in this core's cache, and the caller suspends and is scheduled.
/// Uncontended, neither suspends and each costs one atomic operation.
///
/// Fair: ownership passes in order of arrival and cannot be overtaken.  It belongs to a
/// task, not to a thread, and may be held across `co_await`.  Not recursive.  Destroying an
/// owned mutex, or unlocking one without an owner, stops the program.  Only a deadline may
/// throw or allocate (sched/wait_limits.hpp).
///
/// Prefer `with_lock(m, f)` (task/with_lock.hpp) for a section without `co_await`.  For a
/// scope: `auto held = co_await m.scoped_lock()` (sync/unique_lock.hpp).
///
/// When to use something else:
///     a number, a flag, a pointer                       std::atomic
///     short sections among threads that run no tasks    std::mutex
///     tasks that pass values on, or work in turn        channel, or a strand
///     many readers, few writers, long sections          shared_mutex
template <handoff_policy Handoff = handoff::exchange, class State = detail::lock_free_state>
class basic_mutex : pinned<basic_mutex<Handoff, State>>,
                    public detail::lock_names<basic_mutex<Handoff, State>> {
  /// What the operations do with the state.
  struct line {
    using waiter = line_waiter;
    State& state;
    bool try_acquire(line_waiter&) noexcept { return state.try_acquire(); }
    bool acquire_or_enqueue(line_waiter& w) noexcept { return state.acquire_or_enqueue(w); }
    bool leave(line_waiter& w) noexcept { return state.leave(w); }
    line_waiter* release() noexcept { return state.release(); }
    line lock_of(line_waiter*) const noexcept { return *this; }
    const void* section() const noexcept { return &state; }
  };

 public:
  using handoff_type = Handoff;
  using state_type = State;
  using lock_operation = detail::acquire_operation<line>;
  using limited_lock_operation = detail::acquire_operation<line, detail::limited>;
  using unlock_operation = detail::release_operation<line, Handoff>;

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
  lock_operation lock() noexcept { return lock_operation{{state_}}; }

  /// Awaitable.  Yields true if acquired; false on timeout or stop, no longer queued.
  /// `try_lock_for` and `try_lock_until` are the same.
  limited_lock_operation lock(wait_limits limits) noexcept {
    return limited_lock_operation{{state_}, std::move(limits)};
  }

  /// Awaitable.  REQUIRES: the caller owns the mutex.
  unlock_operation unlock() noexcept { return unlock_operation{{state_}}; }

  /// For non-worker threads: blocks the calling thread until it owns the mutex.
  void lock_blocking() noexcept { block_on(lock()); }

  /// Unlocks without suspending, for destructors, callbacks and non-worker threads: the
  /// next owner is dispatched, so the section may leave this core. REQUIRES: the caller
  /// owns the mutex.
  void unlock_dispatch() noexcept {
    detail::note_left(&state_);
    if (line_waiter* const heir = state_.release()) {
      detail::pass_on<handoff::dispatch>(heir, line{state_});
    }
  }

 private:
  friend struct detail::lock_access;
  State state_;
};

using mutex = basic_mutex<>;

}  // namespace hotseat
