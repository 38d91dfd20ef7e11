// hotseat/sync/latch.hpp — opens, once, when enough has been counted down.
// Layer: sync.  Read next: detail/gate.hpp (waiting), detail/broadcast_state.hpp (who is
// let out?).
#pragma once

#include <hotseat/core/assert.hpp>
#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/sched/acquire_operation.hpp>
#include <hotseat/sched/block_on.hpp>
#include <hotseat/sched/handoff.hpp>
#include <hotseat/sched/release_operation.hpp>
#include <hotseat/sched/wait_limits.hpp>
#include <hotseat/sync/detail/broadcast_state.hpp>
#include <hotseat/sync/detail/gate.hpp>

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <utility>

namespace hotseat {

/// std::latch for tasks.
///
///     latch parts{3};
///     co_await parts.count_down();     // three times; may continue on another thread
///     co_await parts.wait();           // goes on when the count is zero
///
/// The `count_down` that reaches zero suspends if tasks wait: the first of them continues
/// here, at once; the others are scheduled in one batch, and so is the caller.  What
/// happened before a `count_down` is seen by the tasks let out.
///
/// Counting below zero stops the program, and so does destroying a latch while a task
/// waits. Only a deadline may throw or allocate (sched/wait_limits.hpp).
class latch : public detail::gate {
  struct door {
    detail::broadcast_state& state;
    std::uint64_t count;
    waiter_queue release() noexcept { return state.subtract(count, "latch"); }
  };
  struct arrival {
    using waiter = line_waiter;
    detail::broadcast_state& state;
    std::uint64_t count;
    bool try_acquire(line_waiter&) noexcept { return state.try_subtract_and_pass(count); }
    bool acquire_or_enqueue(line_waiter& w) noexcept {
      waiter_queue others;
      if (!state.subtract_and_pass_or_enqueue(count, "latch", w, others)) return false;
      // The caller keeps its seat: it is already running, with a warm cache.
      handoff::dispatch::hand_over_all(others);
      return true;
    }
    bool leave(line_waiter& w) noexcept { return state.leave(w); }
  };

 public:
  using count_down_operation = detail::release_operation<door>;
  using arrive_and_wait_operation = detail::acquire_operation<arrival>;
  using limited_arrive_operation = detail::acquire_operation<arrival, detail::limited>;

  constexpr explicit latch(std::uint64_t count) noexcept : gate{count} {}
  ~latch() {
    require(!state_.is_waited(), "latch", this,
            "it must not be destroyed while a task waits");
  }

  /// Awaitable.  REQUIRES: n <= the remaining count.
  count_down_operation count_down(std::uint64_t n = 1) noexcept {
    return count_down_operation{{state_, n}};
  }

  /// Awaitable: counts down and waits.  The last to arrive goes on at once, and the others
  /// are scheduled in one batch.  REQUIRES: as for count_down.
  arrive_and_wait_operation arrive_and_wait(std::uint64_t n = 1) noexcept {
    return arrive_and_wait_operation{{state_, n}};
  }

  /// Awaitable.  Yields true if it is open; false on timeout or stop, no longer queued, but
  /// counted down.
  limited_arrive_operation arrive_and_wait(std::uint64_t n, wait_limits limits) noexcept {
    return limited_arrive_operation{{state_, n}, std::move(limits)};
  }
  limited_arrive_operation arrive_and_wait(wait_limits limits) noexcept {
    return arrive_and_wait(1, std::move(limits));
  }
  auto arrive_and_wait_for(detail::any_duration auto time, std::uint64_t n = 1,
                           std::stop_token stop = {}) noexcept {
    return arrive_and_wait(n, {time, std::move(stop)});
  }
  auto arrive_and_wait_until(detail::any_time auto due, std::uint64_t n = 1,
                             std::stop_token stop = {}) noexcept {
    return arrive_and_wait(n, {due, std::move(stop)});
  }

  /// For non-worker threads: blocks the calling thread.
  void arrive_and_wait_blocking(std::uint64_t n = 1) noexcept {
    block_on(arrive_and_wait(n));
  }

  /// Whether it is open.
  [[nodiscard]] bool try_wait() const noexcept { return state_.is_open(); }

  /// The remaining count.  A glance.
  [[nodiscard]] std::uint64_t remaining() const noexcept { return state_.missing(); }

  /// Counts down without suspending, for destructors, callbacks and non-worker threads.
  /// Returns how many waiters it let out.  REQUIRES: as for count_down.
  std::size_t count_down_dispatch(std::uint64_t n = 1) noexcept {
    return detail::release_and_dispatch(door{state_, n});
  }
};

}  // namespace hotseat
