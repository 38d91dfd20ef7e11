// hotseat/sync/auto_reset_event.hpp — a signal that lets exactly one in.
// Layer: sync.  Read next: detail/permit_state.hpp (who is next?).
#pragma once

#include <hotseat/core/assert.hpp>
#include <hotseat/core/pinned.hpp>
#include <hotseat/core/waiter_queue.hpp>
#include <hotseat/sched/blocking.hpp>
#include <hotseat/sched/handoff.hpp>
#include <hotseat/sched/limits.hpp>
#include <hotseat/sched/release_operation.hpp>
#include <hotseat/sched/wait_operation.hpp>
#include <hotseat/sync/detail/permit_state.hpp>

#include <chrono>
#include <cstddef>
#include <optional>
#include <stop_token>
#include <utility>

namespace hotseat {

/// Each `set` lets one task in: the one that has waited longest, or, if nobody waits, the
/// next that comes.  To set it twice before somebody comes is to set it once.
///
///     co_await has_work.wait();
///     co_await has_work.set();         // may continue on another thread
///
/// `set` suspends if somebody waits: that task continues here, at once, and the caller is
/// scheduled.  What happened before `set` is seen by whoever it lets in.
///
/// Destroying it while somebody waits stops the program.  Nothing allocates, except that
/// the first deadline on a pool starts its clock (sched/limits.hpp).
template <handoff_policy Handoff = handoff::exchange>
class basic_auto_reset_event : pinned<basic_auto_reset_event<Handoff>> {
 public:
  class [[nodiscard("co_await it")]] wait_operation;
  class [[nodiscard("co_await it")]] limited_wait_operation;
  class [[nodiscard("co_await it")]] set_operation;

  constexpr explicit basic_auto_reset_event(bool is_set = false) noexcept
      : state_{is_set ? 1U : 0U} {}
  ~basic_auto_reset_event() {
    require(!state_.is_waited(), "auto_reset_event", this,
            "it must not be destroyed while somebody waits");
  }

  /// Takes the signal without waiting.  Returns whether there was one; never while others
  /// wait.
  [[nodiscard]] bool try_wait() noexcept { return state_.try_acquire(1); }

  /// Awaitable.  Takes the signal, or waits for one.
  wait_operation wait() noexcept { return wait_operation{state_}; }

  /// Awaitable; gives whether it took a signal.  It did not if the caller was told to stop,
  /// or the time was over, before its turn came; then it is out of the line.
  limited_wait_operation wait(std::stop_token stop) noexcept {
    return limited_wait_operation{state_, {std::nullopt, std::move(stop)}};
  }
  template <class Rep, class Period>
  limited_wait_operation wait_for(std::chrono::duration<Rep, Period> time,
                                  std::stop_token stop = {}) noexcept {
    return limited_wait_operation{state_, {deadline_after(time), std::move(stop)}};
  }
  template <class Clock, class Duration>
  limited_wait_operation wait_until(std::chrono::time_point<Clock, Duration> due,
                                    std::stop_token stop = {}) noexcept {
    return limited_wait_operation{state_, {deadline_at(due), std::move(stop)}};
  }

  /// For threads that are no workers: blocks the calling thread.
  /// The limited forms block with `block_on`.
  void wait_blocking() noexcept { block_on(wait()); }

  /// Awaitable.
  set_operation set() noexcept { return set_operation{state_}; }

  /// Sets it without suspending, for destructors, callbacks and non-worker threads: the
  /// waiter that it lets in is dispatched.  Returns how many it let in: one, or none.
  std::size_t set_dispatch() noexcept {
    waiter_queue heirs = state_.replace(1);
    return handoff::dispatch::hand_over_all(heirs);
  }

  /// Takes a signal back that nobody has taken.
  void reset() noexcept {
    static_cast<void>(state_.replace(0));  // No permit, no heir.
  }

  /// Whether there is a signal to take, at a glance.
  [[nodiscard]] bool is_set() const noexcept { return state_.available() != 0; }

 private:
  static bool leave(detail::permit_state& state, detail::permit_waiter& who) noexcept {
    waiter_queue heirs;  // Stays empty: everybody wants the same, so nobody was held up.
    return state.leave(who, heirs);
  }

  detail::permit_state state_;  // One permit or none.
};

template <handoff_policy Handoff>
class basic_auto_reset_event<Handoff>::wait_operation
    : public hotseat::wait_operation<wait_operation, detail::permit_waiter> {
 public:
  ~wait_operation() { this->abandon(); }
  bool await_ready() noexcept { return state_.try_acquire(1); }
  void await_resume() noexcept { this->end(); }

 private:
  friend basic_auto_reset_event;
  friend hotseat::wait_operation<wait_operation, detail::permit_waiter>;
  explicit wait_operation(detail::permit_state& state) noexcept : state_{state} {}
  bool join() noexcept { return state_.acquire_or_enqueue(*this); }
  bool leave() noexcept { return basic_auto_reset_event::leave(state_, *this); }

  detail::permit_state& state_;
};

template <handoff_policy Handoff>
class basic_auto_reset_event<Handoff>::limited_wait_operation
    : public limited_operation<limited_wait_operation, detail::permit_waiter> {
  using base = limited_operation<limited_wait_operation, detail::permit_waiter>;

 public:
  ~limited_wait_operation() { this->abandon(); }
  bool await_ready() noexcept { return state_.try_acquire(1); }
  [[nodiscard("it may have no signal")]] bool await_resume() noexcept {
    return this->end();
  }

 private:
  friend basic_auto_reset_event;
  friend base;
  friend hotseat::wait_operation<limited_wait_operation, detail::permit_waiter>;
  limited_wait_operation(detail::permit_state& state, wait_limits limits) noexcept
      : base{std::move(limits)}, state_{state} {}
  bool join() noexcept { return state_.acquire_or_enqueue(*this); }
  bool leave() noexcept { return basic_auto_reset_event::leave(state_, *this); }

  detail::permit_state& state_;
};

template <handoff_policy Handoff>
class basic_auto_reset_event<Handoff>::set_operation
    : public release_operation<set_operation, Handoff> {
 public:
  void await_resume() const noexcept {}

 private:
  friend basic_auto_reset_event;
  friend release_operation<set_operation, Handoff>;
  explicit set_operation(detail::permit_state& state) noexcept : state_{state} {}
  waiter_queue release() noexcept { return state_.replace(1); }

  detail::permit_state& state_;
};

using auto_reset_event = basic_auto_reset_event<>;

}  // namespace hotseat
