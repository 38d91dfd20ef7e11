// hotseat/sync/shared_mutex.hpp — many readers or one writer.
// Layer: sync.  Read next: detail/shared_state.hpp (who is next?), then sched/handoff.hpp
// (how do we get there?).
#pragma once

#include <hotseat/core/assert.hpp>
#include <hotseat/core/pinned.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/sched/acquire_operation.hpp>
#include <hotseat/sched/block_on.hpp>
#include <hotseat/sched/current.hpp>
#include <hotseat/sched/handoff.hpp>
#include <hotseat/sched/release_operation.hpp>
#include <hotseat/sched/wait_limits.hpp>
#include <hotseat/sync/detail/shared_state.hpp>
#include <hotseat/sync/unique_lock.hpp>
#include <hotseat/trace/trace.hpp>

#include <utility>

namespace hotseat {

/// Lets many readers in together, or one writer alone.
///
///     co_await m.lock_shared();            co_await m.lock();
///     use(map.at(key));                    map.insert(key, value);
///     co_await m.unlock_shared();          co_await m.unlock();
///
/// Each end may suspend.  `unlock_shared` goes on unless the caller was the last reader and
/// a writer waits: then the writer continues here, at once, and the caller is scheduled.
/// `unlock` does the same for the next writer; if readers are next, one of them continues
/// here and the rest of them, up to the next writer, are scheduled in one batch.
/// Uncontended, nothing suspends and each costs one atomic operation.
///
/// Fair: waiters enter in order of arrival.  Readers that arrive while a writer waits stand
/// behind it, so a reader must not wait for a later reader.  Ownership belongs to a task,
/// not to a thread, and may be held across `co_await`.  Not recursive.  Destroying a mutex
/// that a task is inside, or unlocking one that is not owned in that way, stops the
/// program.  Only a deadline may throw or allocate (sched/wait_limits.hpp).
///
/// Use a mutex instead where sections are short: readers write the lock's word, too, so
/// short reads gain nothing from sharing.
template <handoff_policy Handoff = handoff::exchange>
class basic_shared_mutex : pinned<basic_shared_mutex<Handoff>>,
                           public detail::lock_names<basic_shared_mutex<Handoff>>,
                           public detail::shared_lock_names<basic_shared_mutex<Handoff>> {
  using access = detail::access;

  /// What the operations of writers, or of readers, do with the state.
  template <access Wanted>
  struct line_of {
    using waiter = detail::shared_waiter;
    detail::shared_state& state;
    bool try_acquire(waiter&) noexcept { return state.try_acquire(Wanted); }
    bool acquire_or_enqueue(waiter& w) noexcept {
      w.wants = Wanted;
      return state.acquire_or_enqueue(w);
    }
    /// May let in waiters behind the one that leaves, if it alone held them up.
    bool leave(waiter& w) noexcept {
      waiter_queue heirs;
      const bool was_in_line = state.leave(w, heirs);
      handoff::dispatch::hand_over_all(heirs);
      return was_in_line;
    }
    waiter_queue release() noexcept { return state.release(Wanted); }
    /// Only writers delegate: readers run their own sections.
    line_of<access::exclusive> lock_of(const waiter_queue&) const noexcept {
      return {state};
    }
    const void* section() const noexcept { return &state; }
  };
  using line = line_of<access::exclusive>;
  using shared_line = line_of<access::shared>;

 public:
  using handoff_type = Handoff;
  using lock_operation = detail::acquire_operation<line>;
  using lock_shared_operation = detail::acquire_operation<shared_line>;
  using limited_lock_operation = detail::acquire_operation<line, detail::limited>;
  using limited_lock_shared_operation =
      detail::acquire_operation<shared_line, detail::limited>;
  using unlock_operation = detail::release_operation<line, Handoff>;
  using unlock_shared_operation = detail::release_operation<shared_line, Handoff>;

  constexpr basic_shared_mutex() = default;
  ~basic_shared_mutex() {
    require(state_.is_free(), "shared_mutex", this,
            "it must not be destroyed while it is owned");
  }

  /// Enters without waiting.  Returns whether it did; never while others wait.
  [[nodiscard]] bool try_lock() noexcept { return try_acquire(access::exclusive); }
  [[nodiscard]] bool try_lock_shared() noexcept { return try_acquire(access::shared); }

  /// Awaitable.  The caller is inside when `co_await` returns.
  lock_operation lock() noexcept { return lock_operation{{state_}}; }
  lock_shared_operation lock_shared() noexcept { return lock_shared_operation{{state_}}; }

  /// Awaitable.  Yields true if acquired; false on timeout or stop, no longer queued.
  /// `try_lock_for` and its like are the same.
  limited_lock_operation lock(wait_limits limits) noexcept {
    return limited_lock_operation{{state_}, std::move(limits)};
  }
  limited_lock_shared_operation lock_shared(wait_limits limits) noexcept {
    return limited_lock_shared_operation{{state_}, std::move(limits)};
  }

  /// Awaitable.  REQUIRES: the caller is inside, as the writer or as a reader.
  unlock_operation unlock() noexcept { return unlock_operation{{state_}}; }
  unlock_shared_operation unlock_shared() noexcept {
    return unlock_shared_operation{{state_}};
  }

  /// For non-worker threads: blocks the calling thread until it is inside.
  void lock_blocking() noexcept { block_on(lock()); }
  void lock_shared_blocking() noexcept { block_on(lock_shared()); }

  /// Unlocks without suspending, for destructors, callbacks and non-worker threads: the
  /// heirs are dispatched, so the section may leave this core.
  /// REQUIRES: the caller is inside, as the writer or as a reader.
  void unlock_dispatch() noexcept { detail::release_and_dispatch(line{state_}); }
  void unlock_shared_dispatch() noexcept {
    detail::release_and_dispatch(shared_line{state_});
  }

 private:
  friend struct detail::lock_access;

  bool try_acquire(access wanted) noexcept {
    const bool is_inside = state_.try_acquire(wanted);
    if (is_inside) detail::note_entered(&state_, trace::entry_free);
    return is_inside;
  }

  detail::shared_state state_;
};

using shared_mutex = basic_shared_mutex<>;

}  // namespace hotseat
