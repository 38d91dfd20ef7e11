// hotseat/sync/wait_group.hpp — waits until a changing number of things is done.
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
#include <cstdint>

namespace hotseat {

/// Go's WaitGroup for tasks.
///
///     requests.add();                  // before it can be done
///     co_await requests.done();        // in the end; may continue on another thread
///     co_await requests.wait();        // goes on when as many are done as were added
///
/// The `done` that reaches zero suspends if somebody waits: the first of them continues
/// here, at once; the others are scheduled in one batch, and so is the caller.  What
/// happened before a `done` is seen by whoever is let out.
///
/// Can be used again: those who were let out at zero go on whatever is added before they
/// run.  An `add` that may come while nothing is left must not race with `wait`: the wait
/// may be over before it.
///
/// The waits are `wait()`, `wait(stop_token)`, `wait_for`, `wait_until` and
/// `wait_blocking`.  More `done` than `add` stops the program, and so does destroying a
/// wait_group while somebody waits.  Nothing allocates, except that the first deadline on a
/// pool starts its clock (sched/limits.hpp).
template <handoff_policy Handoff = handoff::exchange>
class basic_wait_group : public detail::gate {
 public:
  class [[nodiscard("co_await it")]] done_operation;

  constexpr explicit basic_wait_group(std::uint64_t count = 0) noexcept : gate{count} {}
  ~basic_wait_group() {
    require(!state_.is_waited(), "wait_group", this,
            "it must not be destroyed while somebody waits");
  }

  void add(std::uint64_t n = 1) noexcept { state_.add(n, "wait_group"); }

  /// Awaitable.  REQUIRES: n is not more than what is left.
  done_operation done(std::uint64_t n = 1) noexcept { return done_operation{state_, n}; }

  /// Counts without suspending, for destructors, callbacks and non-worker threads: the
  /// waiters that it lets out are dispatched.  Returns how many those are.
  /// REQUIRES: as for done.
  std::size_t done_dispatch(std::uint64_t n = 1) noexcept {
    waiter_queue heirs = state_.subtract(n, "wait_group");
    return handoff::dispatch::hand_over_all(heirs);
  }

  /// How many are not done, at a glance.
  [[nodiscard]] std::uint64_t remaining() const noexcept { return state_.missing(); }
};

template <handoff_policy Handoff>
class basic_wait_group<Handoff>::done_operation
    : public release_operation<done_operation, Handoff> {
 public:
  void await_resume() const noexcept {}

 private:
  friend basic_wait_group;
  friend release_operation<done_operation, Handoff>;
  done_operation(detail::broadcast_state& state, std::uint64_t n) noexcept
      : state_{state}, count_{n} {}
  waiter_queue release() noexcept { return state_.subtract(count_, "wait_group"); }

  detail::broadcast_state& state_;
  std::uint64_t count_;
};

using wait_group = basic_wait_group<>;

}  // namespace hotseat
