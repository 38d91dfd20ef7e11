// hotseat/sync/event.hpp — something that has happened, until it is reset.
// Layer: sync.  Read next: detail/gate.hpp (waiting), detail/broadcast_state.hpp (who is
// let out?).
#pragma once

#include <hotseat/core/assert.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/sched/release_operation.hpp>
#include <hotseat/sync/detail/broadcast_state.hpp>
#include <hotseat/sync/detail/gate.hpp>

#include <cstddef>

namespace hotseat {

namespace detail {
template <class T>
class shared_body;
}

/// Lets all tasks through once it is set, until it is reset.
///
///     co_await is_loaded.wait();       // goes on if it is set
///     co_await is_loaded.set();        // may continue on another thread
///
/// `set` suspends if tasks wait: the first of them continues here, at once, with what the
/// caller has just written still in this core's cache; the others are scheduled in one
/// batch, and so is the caller.  What happened before `set` is seen by all it lets out.
///
/// A task that `set` has let out goes on even if `reset` comes before it runs.  Destroying
/// an event while a task waits stops the program.  Only a deadline may throw or allocate
/// (sched/wait_limits.hpp).
class event : public detail::gate {
  struct door {
    detail::broadcast_state& state;
    waiter_queue release() noexcept { return state.open(); }
  };

 public:
  using set_operation = detail::release_operation<door>;

  constexpr explicit event(bool is_set = false) noexcept : gate{is_set ? 0U : 1U} {}
  ~event() {
    require(!state_.is_waited(), "event", this,
            "it must not be destroyed while a task waits");
  }

  /// Awaitable.
  set_operation set() noexcept { return set_operation{{state_}}; }

  /// Sets it without suspending, for destructors, callbacks and non-worker threads. Returns
  /// how many waiters it let out.
  std::size_t set_dispatch() noexcept { return detail::release_and_dispatch(door{state_}); }

  void reset() noexcept { state_.close(); }

  [[nodiscard]] bool is_set() const noexcept { return state_.is_open(); }

 private:
  template <class T>
  friend class detail::shared_body;
};

}  // namespace hotseat
