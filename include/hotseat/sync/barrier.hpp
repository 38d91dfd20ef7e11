// hotseat/sync/barrier.hpp — tasks that go on together, phase by phase.
// Layer: sync.  Read next: detail/phase_state.hpp (who is let out?).
#pragma once

#include <hotseat/core/assert.hpp>
#include <hotseat/core/pinned.hpp>
#include <hotseat/core/waiter_queue.hpp>
#include <hotseat/sched/blocking.hpp>
#include <hotseat/sched/handoff.hpp>
#include <hotseat/sched/limits.hpp>
#include <hotseat/sched/release_operation.hpp>
#include <hotseat/sched/wait_operation.hpp>
#include <hotseat/sync/detail/keep_seat.hpp>
#include <hotseat/sync/detail/phase_state.hpp>

#include <chrono>
#include <concepts>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <utility>

namespace hotseat {

/// What a barrier does between two phases if nothing else is said.
struct no_completion {
  void operator()() const noexcept {}
};

/// std::barrier for tasks.
///
///     barrier all{tasks, [&] { ++round; }};
///     co_await all.arrive_and_wait();      // once per phase and task
///
/// A phase ends when everybody who takes part has arrived.  The last to arrive runs the
/// completion, alone and before anybody is let out; then it goes on, and the others are
/// scheduled in one batch (detail/keep_seat.hpp says why not the other way round).  What
/// happened before an arrival is seen by the completion, and both by whoever is let out.
///
/// A completion that throws ends the program with std::terminate, as in std::barrier: there
/// is no task to which the exception would belong.  It must not use the barrier.
///
/// Who waits with a limit and leaves early, or is destroyed while it waits, has arrived all
/// the same: the phase ends without it, and in the next one it is expected again.  It must
/// not arrive again before somebody who was let out has told it so: in the same phase it
/// would count for somebody else, and while the completion runs it stops the program.
///
/// More arrivals than take part, as far as they can be told, stop the program, and so does
/// destroying a barrier while somebody waits.  Nothing allocates, except that the first
/// deadline on a pool starts its clock (sched/limits.hpp).
template <handoff_policy Handoff = handoff::exchange,
          std::invocable Completion = no_completion>
class basic_barrier : pinned<basic_barrier<Handoff, Completion>> {
 public:
  class [[nodiscard("co_await it")]] arrive_and_wait_operation;
  class [[nodiscard("co_await it")]] limited_arrive_operation;
  class [[nodiscard("co_await it")]] arrive_and_drop_operation;

  constexpr explicit basic_barrier(std::uint64_t expected,
                                   Completion on_completion = Completion())
      : state_{expected}, completion_{std::move(on_completion)} {}
  ~basic_barrier() {
    require(!state_.is_waited(), "barrier", this,
            "it must not be destroyed while somebody waits");
  }

  /// Awaitable.  Goes on when the phase is over.
  arrive_and_wait_operation arrive_and_wait() noexcept {
    return arrive_and_wait_operation{*this};
  }

  /// Awaitable; gives whether the phase is over.  It is not if the caller was told to stop,
  /// or the time was over, before; then it is out of the line, but has arrived.
  limited_arrive_operation arrive_and_wait(std::stop_token stop) noexcept {
    return limited_arrive_operation{*this, {std::nullopt, std::move(stop)}};
  }
  template <class Rep, class Period>
  limited_arrive_operation arrive_and_wait_for(std::chrono::duration<Rep, Period> time,
                                               std::stop_token stop = {}) noexcept {
    return limited_arrive_operation{*this, {deadline_after(time), std::move(stop)}};
  }
  template <class Clock, class Duration>
  limited_arrive_operation arrive_and_wait_until(
      std::chrono::time_point<Clock, Duration> due, std::stop_token stop = {}) noexcept {
    return limited_arrive_operation{*this, {deadline_at(due), std::move(stop)}};
  }

  /// Awaitable: arrives for this phase, and is not expected any more in those to come.
  /// Does not wait; but if it is the last, it runs the completion, the first who waits
  /// continues here, and the caller is scheduled with the others: it has left the barrier,
  /// and what the next phase works on is in this core's cache.
  arrive_and_drop_operation arrive_and_drop() noexcept {
    return arrive_and_drop_operation{*this};
  }

  /// The same without suspending, for destructors and callbacks: those who are let out are
  /// dispatched.
  void arrive_and_drop_dispatch() noexcept {
    if (!state_.arrive_and_drop()) return;
    waiter_queue heirs = complete();
    handoff::dispatch::hand_over_all(heirs);
  }

  /// For threads that are no workers: blocks the calling thread.
  /// The limited forms block with `block_on`.
  void arrive_and_wait_blocking() noexcept { block_on(arrive_and_wait()); }

 private:
  /// REQUIRES: the caller was the last.  The last touch of the barrier: whoever is let out
  /// may destroy it.
  [[nodiscard]] waiter_queue complete() noexcept {  // noexcept: a throw terminates.
    completion_();
    return state_.end_phase();
  }

  /// Returns whether the phase is over.  On false, `w` belongs to the line.
  [[nodiscard]] bool arrive(line_waiter& w) noexcept {
    if (!state_.arrive_or_enqueue(w)) return false;
    waiter_queue others = complete();
    detail::keep_seat<Handoff>(others);
    return true;
  }

  detail::phase_state state_;
  [[no_unique_address]] Completion completion_;
};

template <handoff_policy Handoff, std::invocable Completion>
class basic_barrier<Handoff, Completion>::arrive_and_wait_operation
    : public hotseat::wait_operation<arrive_and_wait_operation> {
 public:
  ~arrive_and_wait_operation() { this->abandon(); }
  static bool await_ready() noexcept { return false; }
  void await_resume() noexcept { this->end(); }

 private:
  friend basic_barrier;
  friend hotseat::wait_operation<arrive_and_wait_operation>;
  explicit arrive_and_wait_operation(basic_barrier& barrier) noexcept : barrier_{barrier} {}
  bool join() noexcept { return barrier_.arrive(*this); }
  bool leave() noexcept { return barrier_.state_.leave(*this); }

  basic_barrier& barrier_;
};

template <handoff_policy Handoff, std::invocable Completion>
class basic_barrier<Handoff, Completion>::limited_arrive_operation
    : public limited_operation<limited_arrive_operation> {
 public:
  ~limited_arrive_operation() { this->abandon(); }
  static bool await_ready() noexcept { return false; }
  [[nodiscard("the phase may not be over")]] bool await_resume() noexcept {
    return this->end();
  }

 private:
  friend basic_barrier;
  friend limited_operation<limited_arrive_operation>;
  friend hotseat::wait_operation<limited_arrive_operation>;
  limited_arrive_operation(basic_barrier& barrier, wait_limits limits) noexcept
      : limited_operation<limited_arrive_operation>{std::move(limits)}, barrier_{barrier} {}
  bool join() noexcept { return barrier_.arrive(*this); }
  bool leave() noexcept { return barrier_.state_.leave(*this); }

  basic_barrier& barrier_;
};

template <handoff_policy Handoff, std::invocable Completion>
class basic_barrier<Handoff, Completion>::arrive_and_drop_operation
    : public release_operation<arrive_and_drop_operation, Handoff> {
 public:
  void await_resume() const noexcept {}

 private:
  friend basic_barrier;
  friend release_operation<arrive_and_drop_operation, Handoff>;
  explicit arrive_and_drop_operation(basic_barrier& barrier) noexcept : barrier_{barrier} {}
  waiter_queue release() noexcept {
    if (!barrier_.state_.arrive_and_drop()) return {};
    return barrier_.complete();
  }

  basic_barrier& barrier_;
};

/// As std::barrier: `barrier b{3}`, `barrier b{3, f}`; a parameter is a `barrier<>&`.
template <std::invocable Completion = no_completion>
using barrier = basic_barrier<handoff::exchange, Completion>;

}  // namespace hotseat
