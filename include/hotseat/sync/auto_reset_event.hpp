// hotseat/sync/auto_reset_event.hpp — a signal that lets exactly one task in.
// Layer: sync.  Read next: detail/permit_state.hpp (who is next?).
#pragma once

#include <hotseat/core/assert.hpp>
#include <hotseat/core/pinned.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/sched/acquire_operation.hpp>
#include <hotseat/sched/block_on.hpp>
#include <hotseat/sched/release_operation.hpp>
#include <hotseat/sched/wait_limits.hpp>
#include <hotseat/sync/detail/gate.hpp>
#include <hotseat/sync/detail/permit_state.hpp>

#include <cstddef>
#include <utility>

namespace hotseat {

/// Each `set` lets one task in: the one that has waited longest, or, if none waits, the
/// next to arrive.  Two sets before a task arrives count as one.
///
///     co_await has_work.wait();
///     co_await has_work.set();         // may continue on another thread
///
/// `set` suspends if a task waits: that task continues here, at once, and the caller is
/// scheduled.  What happened before `set` is seen by the task it lets in.
///
/// Destroying it while a task waits stops the program.  Only a deadline may throw or
/// allocate (sched/wait_limits.hpp).
class auto_reset_event : pinned<auto_reset_event>,
                         public detail::wait_names<auto_reset_event> {
  struct line {
    using waiter = detail::permit_waiter;
    detail::permit_state& state;
    bool try_acquire(waiter&) noexcept { return state.try_acquire(1); }
    bool acquire_or_enqueue(waiter& w) noexcept { return state.acquire_or_enqueue(w); }
    bool leave(waiter& w) noexcept {
      waiter_queue heirs;  // Stays empty: all want one permit, so none was held up.
      return state.leave(w, heirs);
    }
    waiter_queue release() noexcept { return state.replace(1); }
  };

 public:
  using wait_operation = detail::acquire_operation<line>;
  using limited_wait_operation = detail::acquire_operation<line, detail::limited>;
  using set_operation = detail::release_operation<line>;

  constexpr explicit auto_reset_event(bool is_set = false) noexcept
      : state_{is_set ? 1U : 0U} {}
  ~auto_reset_event() {
    require(!state_.is_waited(), "auto_reset_event", this,
            "it must not be destroyed while a task waits");
  }

  /// Takes the signal without waiting.  Returns whether it did; never while others wait.
  [[nodiscard]] bool try_wait() noexcept { return state_.try_acquire(1); }

  /// Awaitable.  Takes the signal, or waits for one.
  wait_operation wait() noexcept { return wait_operation{{state_}}; }

  /// Awaitable.  Yields true if it took a signal; false on timeout or stop, no longer
  /// queued.  `wait_for` and `wait_until` are the same.
  limited_wait_operation wait(wait_limits limits) noexcept {
    return limited_wait_operation{{state_}, std::move(limits)};
  }

  /// For non-worker threads: blocks the calling thread.
  void wait_blocking() noexcept { block_on(wait()); }

  /// Awaitable.
  set_operation set() noexcept { return set_operation{{state_}}; }

  /// Sets it without suspending, for destructors, callbacks and non-worker threads. Returns
  /// how many waiters it let in: one, or none.
  std::size_t set_dispatch() noexcept { return detail::release_and_dispatch(line{state_}); }

  /// Takes back a signal that no task has taken.
  void reset() noexcept {
    static_cast<void>(state_.replace(0));  // No permit, no heir.
  }

  /// Whether there is a signal to take, at a glance.
  [[nodiscard]] bool is_set() const noexcept { return state_.available() != 0; }

 private:
  detail::permit_state state_;  // One permit or none.
};

}  // namespace hotseat
