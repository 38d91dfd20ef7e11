// hotseat/sync/latch.hpp — opens, once, when enough has been counted down.
// Layer: sync.  Read next: detail/gate.hpp (waiting), detail/broadcast_state.hpp (who is
// let out?).
#pragma once

#include <hotseat/core/assert.hpp>
#include <hotseat/core/waiter_queue.hpp>
#include <hotseat/sched/blocking.hpp>
#include <hotseat/sched/handoff.hpp>
#include <hotseat/sched/limits.hpp>
#include <hotseat/sched/release_operation.hpp>
#include <hotseat/sched/wait_operation.hpp>
#include <hotseat/sync/detail/broadcast_state.hpp>
#include <hotseat/sync/detail/gate.hpp>
#include <hotseat/sync/detail/keep_seat.hpp>

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <utility>

namespace hotseat {

/// std::latch for tasks.
///
///     latch parts{3};
///     co_await parts.count_down();     // three times; may continue on another thread
///     co_await parts.wait();           // goes on when it has been done
///
/// The `count_down` that reaches zero suspends if somebody waits: the first of them
/// continues here, at once; the others are scheduled in one batch, and so is the caller.
/// What happened before a `count_down` is seen by whoever is let out.
///
/// The waits are `wait()`, `wait(stop_token)`, `wait_for`, `wait_until` and
/// `wait_blocking`, and the same for `arrive_and_wait`.  Counting below zero stops the
/// program, and so does destroying a latch while somebody waits.  Nothing allocates, except
/// that the first deadline on a pool starts its clock (sched/limits.hpp).
template <handoff_policy Handoff = handoff::exchange>
class basic_latch : public detail::gate {
 public:
  class [[nodiscard("co_await it")]] count_down_operation;
  template <class Limits>
  class [[nodiscard("co_await it")]] arrive_operation;
  using arrive_and_wait_operation = arrive_operation<detail::unlimited>;
  using limited_arrive_operation = arrive_operation<detail::limited>;

  constexpr explicit basic_latch(std::uint64_t count) noexcept : gate{count} {}
  ~basic_latch() {
    require(!state_.is_waited(), "latch", this,
            "it must not be destroyed while somebody waits");
  }

  /// Awaitable.  REQUIRES: n is not more than what is left to be counted down.
  count_down_operation count_down(std::uint64_t n = 1) noexcept {
    return count_down_operation{state_, n};
  }

  /// Awaitable: counts down and waits.  The last to arrive goes on at once.
  /// REQUIRES: as for count_down.
  arrive_and_wait_operation arrive_and_wait(std::uint64_t n = 1) noexcept {
    return arrive_and_wait_operation{state_, n};
  }

  /// Awaitable; gives whether it is open.  It is not if the caller was told to stop, or the
  /// time was over, before; then it is out of the line, but has counted down.
  limited_arrive_operation arrive_and_wait(std::uint64_t n, std::stop_token stop) noexcept {
    return limited_arrive_operation{state_, n, wait_limits{std::nullopt, std::move(stop)}};
  }
  limited_arrive_operation arrive_and_wait(std::stop_token stop) noexcept {
    return arrive_and_wait(1, std::move(stop));
  }
  template <class Rep, class Period>
  limited_arrive_operation arrive_and_wait_for(std::chrono::duration<Rep, Period> time,
                                               std::uint64_t n = 1,
                                               std::stop_token stop = {}) noexcept {
    return limited_arrive_operation{state_, n,
                                    wait_limits{deadline_after(time), std::move(stop)}};
  }
  template <class Clock, class Duration>
  limited_arrive_operation arrive_and_wait_until(
      std::chrono::time_point<Clock, Duration> due, std::uint64_t n = 1,
      std::stop_token stop = {}) noexcept {
    return limited_arrive_operation{state_, n,
                                    wait_limits{deadline_at(due), std::move(stop)}};
  }

  /// For threads that are no workers: blocks the calling thread.
  void arrive_and_wait_blocking(std::uint64_t n = 1) noexcept {
    block_on(arrive_and_wait(n));
  }

  /// Whether it is open.
  [[nodiscard]] bool try_wait() const noexcept { return state_.is_open(); }

  /// How much is left to be counted down, at a glance.
  [[nodiscard]] std::uint64_t remaining() const noexcept { return state_.missing(); }

  /// Counts down without suspending, for destructors, callbacks and non-worker threads: the
  /// waiters that it lets out are dispatched.  Returns how many those are.
  /// REQUIRES: as for count_down.
  std::size_t count_down_dispatch(std::uint64_t n = 1) noexcept {
    waiter_queue heirs = state_.subtract(n, "latch");
    return handoff::dispatch::hand_over_all(heirs);
  }
};

template <handoff_policy Handoff>
class basic_latch<Handoff>::count_down_operation
    : public release_operation<count_down_operation, Handoff> {
 public:
  void await_resume() const noexcept {}

 private:
  friend basic_latch;
  friend release_operation<count_down_operation, Handoff>;
  count_down_operation(detail::broadcast_state& state, std::uint64_t n) noexcept
      : state_{state}, count_{n} {}
  waiter_queue release() noexcept { return state_.subtract(count_, "latch"); }

  detail::broadcast_state& state_;
  std::uint64_t count_;
};

template <handoff_policy Handoff>
template <class Limits>
class basic_latch<Handoff>::arrive_operation
    : public Limits::template wait<arrive_operation<Limits>> {
  using base = typename Limits::template wait<arrive_operation>;

 public:
  ~arrive_operation() { this->abandon(); }
  bool await_ready() noexcept { return state_.try_subtract_and_pass(count_); }
  void await_resume() noexcept
    requires std::same_as<Limits, detail::unlimited>
  {
    this->end();
  }
  [[nodiscard("it may still be closed")]] bool await_resume() noexcept
    requires std::same_as<Limits, detail::limited>
  {
    return this->end();
  }

 private:
  friend basic_latch;
  friend base;
  friend hotseat::wait_operation<arrive_operation>;
  template <class... Until>
  arrive_operation(detail::broadcast_state& state, std::uint64_t n,
                   Until&&... until) noexcept
      : base{std::forward<Until>(until)...}, state_{state}, count_{n} {}
  bool join() noexcept {
    waiter_queue others;
    if (!state_.subtract_and_pass_or_enqueue(count_, "latch", *this, others)) return false;
    detail::keep_seat<Handoff>(others);
    return true;
  }
  bool leave() noexcept { return state_.leave(*this); }

  detail::broadcast_state& state_;
  std::uint64_t count_;
};

using latch = basic_latch<>;

}  // namespace hotseat
