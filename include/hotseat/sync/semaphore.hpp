// hotseat/sync/semaphore.hpp — a number of permits; a task that finds too few waits.
// Layer: sync.  Read next: detail/permit_state.hpp (who is next?).
#pragma once

#include <hotseat/core/assert.hpp>
#include <hotseat/core/pinned.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/sched/acquire_operation.hpp>
#include <hotseat/sched/block_on.hpp>
#include <hotseat/sched/handoff.hpp>
#include <hotseat/sched/release_operation.hpp>
#include <hotseat/sched/wait_limits.hpp>
#include <hotseat/sync/detail/permit_state.hpp>
#include <hotseat/sync/scoped_permits.hpp>

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <utility>

namespace hotseat {

/// Lets a limited number of tasks in.
///
///     co_await connections.acquire();
///     co_await query(...);
///     co_await connections.release();      // may continue on another thread
///
/// For a scope: `auto held = co_await connections.scoped_acquire()` (scoped_permits.hpp).
///
/// `acquire(n)` suspends until it has `n` permits.  `release(n)` suspends if it lets
/// waiters in: the first continues here, at once; the others are scheduled in one batch,
/// and so is the caller.
///
/// Fair: permits are granted in order of arrival, so a large request is not overtaken by
/// small ones.  Permits have no owner: any task may release.  Destroying a semaphore while
/// a task waits stops the program.  Only a deadline may throw or allocate
/// (sched/wait_limits.hpp).
template <handoff_policy Handoff = handoff::exchange>
class basic_semaphore : pinned<basic_semaphore<Handoff>>,
                        public detail::permit_names<basic_semaphore<Handoff>> {
  struct line {
    using waiter = detail::permit_waiter;
    detail::permit_state& state;
    std::uint64_t permits;
    bool try_acquire(waiter&) noexcept { return state.try_acquire(permits); }
    bool acquire_or_enqueue(waiter& w) noexcept {
      w.wants = permits;
      return state.acquire_or_enqueue(w);
    }
    bool leave(waiter& w) noexcept {
      waiter_queue heirs;
      const bool was_in_line = state.leave(w, heirs);
      handoff::dispatch::hand_over_all(heirs);
      return was_in_line;
    }
    waiter_queue release() noexcept { return state.release(permits); }
  };

 public:
  using acquire_operation = detail::acquire_operation<line>;
  using limited_acquire_operation = detail::acquire_operation<line, detail::limited>;
  using release_operation = detail::release_operation<line, Handoff>;

  constexpr explicit basic_semaphore(std::uint64_t permits) noexcept : state_{permits} {}
  ~basic_semaphore() {
    require(!state_.is_waited(), "semaphore", this,
            "it must not be destroyed while a task waits");
  }

  /// Takes `n` permits without waiting.  Returns whether it did; never while others wait.
  [[nodiscard]] bool try_acquire(std::uint64_t n = 1) noexcept {
    return state_.try_acquire(n);
  }

  /// Awaitable.  The caller has `n` permits when `co_await` returns.
  acquire_operation acquire(std::uint64_t n = 1) noexcept {
    return acquire_operation{{state_, n}};
  }

  /// Awaitable.  Yields true if acquired; false on timeout or stop, no longer queued.
  /// `try_acquire_for` and `try_acquire_until` are the same.
  limited_acquire_operation acquire(std::uint64_t n, wait_limits limits) noexcept {
    return limited_acquire_operation{{state_, n}, std::move(limits)};
  }
  limited_acquire_operation acquire(wait_limits limits) noexcept {
    return acquire(1, std::move(limits));
  }

  /// Awaitable.
  release_operation release(std::uint64_t n = 1) noexcept {
    return release_operation{{state_, n}};
  }

  /// For non-worker threads: blocks the calling thread.
  void acquire_blocking(std::uint64_t n = 1) noexcept { block_on(acquire(n)); }

  /// Releases without suspending, for destructors, callbacks and non-worker threads.
  /// Returns how many waiters it let in.
  std::size_t release_dispatch(std::uint64_t n = 1) noexcept {
    return detail::release_and_dispatch(line{state_, n});
  }

  /// How many permits are free.  A glance.
  [[nodiscard]] std::uint64_t available() const noexcept { return state_.available(); }

 private:
  detail::permit_state state_;
};

using semaphore = basic_semaphore<>;

}  // namespace hotseat
