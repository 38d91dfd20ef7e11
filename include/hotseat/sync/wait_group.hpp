// hotseat/sync/wait_group.hpp — waits until a changing number of things is done.
// Layer: sync.  Read next: detail/gate.hpp (waiting), detail/broadcast_state.hpp (who is
// let out?).
#pragma once

#include <hotseat/core/assert.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/sched/release_operation.hpp>
#include <hotseat/sync/detail/broadcast_state.hpp>
#include <hotseat/sync/detail/gate.hpp>

#include <cstddef>
#include <cstdint>

namespace hotseat {

/// Go's WaitGroup for tasks.
///
///     requests.add();                  // before it can be done
///     co_await requests.done();        // at the end; may continue on another thread
///     co_await requests.wait();        // goes on when as many are done as were added
///
/// The `done` that reaches zero suspends if tasks wait: the first of them continues here,
/// at once; the others are scheduled in one batch, and so is the caller.  What happened
/// before a `done` is seen by the tasks let out.
///
/// Can be used again: tasks that were let out at zero go on, whatever is added before they
/// run.  An `add` at zero must not race with `wait`, which may return before it.
///
/// More `done` than `add` stops the program, and so does destroying a wait_group while a
/// task waits.  Only a deadline may throw or allocate (sched/wait_limits.hpp).
class wait_group : public detail::gate {
  struct door {
    detail::broadcast_state& state;
    std::uint64_t count;
    waiter_queue release() noexcept { return state.subtract(count, "wait_group"); }
  };

 public:
  using done_operation = detail::release_operation<door>;

  constexpr explicit wait_group(std::uint64_t count = 0) noexcept : gate{count} {}
  ~wait_group() {
    require(!state_.is_waited(), "wait_group", this,
            "it must not be destroyed while a task waits");
  }

  void add(std::uint64_t n = 1) noexcept { state_.add(n, "wait_group"); }

  /// Awaitable.  REQUIRES: n <= remaining().
  done_operation done(std::uint64_t n = 1) noexcept { return done_operation{{state_, n}}; }

  /// Counts down without suspending, for destructors, callbacks and non-worker threads.
  /// Returns how many waiters it let out.  REQUIRES: as for done.
  std::size_t done_dispatch(std::uint64_t n = 1) noexcept {
    return detail::release_and_dispatch(door{state_, n});
  }

  /// How many are not done.  A glance.
  [[nodiscard]] std::uint64_t remaining() const noexcept { return state_.missing(); }
};

}  // namespace hotseat
