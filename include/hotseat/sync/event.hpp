// hotseat/sync/event.hpp — something that has happened, until it is reset.
// Layer: sync.  Read next: detail/gate.hpp (waiting), detail/broadcast_state.hpp (who is
// let out?).
#pragma once

#include <hotseat/core/assert.hpp>
#include <hotseat/core/waiter_queue.hpp>
#include <hotseat/sched/handoff.hpp>
#include <hotseat/sched/release_operation.hpp>
#include <hotseat/sync/detail/broadcast_state.hpp>
#include <hotseat/sync/detail/gate.hpp>

#include <cstddef>

namespace hotseat {

/// Lets everybody through once it is set, until it is reset.
///
///     co_await is_loaded.wait();       // goes on if it is set
///     co_await is_loaded.set();        // may continue on another thread
///
/// `set` suspends if somebody waits: the first of them continues here, at once, with what
/// the caller has just written still in this core's cache; the others are scheduled in one
/// batch, and so is the caller.  What happened before `set` is seen by whoever it lets out.
///
/// The waits are `wait()`, `wait(stop_token)`, `wait_for`, `wait_until` and
/// `wait_blocking`.  A task that `set` has let out goes on even if `reset` comes before it
/// runs.  Destroying an event while somebody waits stops the program.  Nothing allocates,
/// except that the first deadline on a pool starts its clock (sched/limits.hpp).
template <handoff_policy Handoff = handoff::exchange>
class basic_event : public detail::gate {
 public:
  class [[nodiscard("co_await it")]] set_operation;

  constexpr explicit basic_event(bool is_set = false) noexcept : gate{is_set ? 0U : 1U} {}
  ~basic_event() {
    require(!state_.is_waited(), "event", this,
            "it must not be destroyed while somebody waits");
  }

  /// Awaitable.
  set_operation set() noexcept { return set_operation{state_}; }

  /// Sets it without suspending, for destructors, callbacks and non-worker threads: the
  /// waiters are dispatched.  Returns how many there were.
  std::size_t set_dispatch() noexcept {
    waiter_queue heirs = state_.open();
    return handoff::dispatch::hand_over_all(heirs);
  }

  void reset() noexcept { state_.close(); }

  [[nodiscard]] bool is_set() const noexcept { return state_.is_open(); }
};

template <handoff_policy Handoff>
class basic_event<Handoff>::set_operation
    : public release_operation<set_operation, Handoff> {
 public:
  void await_resume() const noexcept {}

 private:
  friend basic_event;
  friend release_operation<set_operation, Handoff>;
  explicit set_operation(detail::broadcast_state& state) noexcept : state_{state} {}
  waiter_queue release() noexcept { return state_.open(); }

  detail::broadcast_state& state_;
};

using event = basic_event<>;

}  // namespace hotseat
