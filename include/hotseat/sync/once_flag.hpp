// hotseat/sync/once_flag.hpp — whether something has been done once, and whose turn it is.
// Layer: sync.  Read next: task/call_once.hpp (how to use it), detail/once_state.hpp.
#pragma once

#include <hotseat/core/assert.hpp>
#include <hotseat/core/pinned.hpp>
#include <hotseat/core/waiter_queue.hpp>
#include <hotseat/sched/handoff.hpp>
#include <hotseat/sched/limits.hpp>
#include <hotseat/sched/release_operation.hpp>
#include <hotseat/sched/wait_operation.hpp>
#include <hotseat/sync/detail/once_state.hpp>

#include <chrono>
#include <concepts>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <utility>

namespace hotseat {

/// What somebody who entered with limits has found.
enum class once_status : std::uint8_t {
  done,  ///< It has been done.
  ours,  ///< It is the caller's turn.
  left,  ///< The time was over, or it was told to stop, while somebody else was at it.
};

/// What `call_once` is made of.
///
///     if (co_await flag.enter()) {
///       ...                              // on success:  co_await flag.succeed();
///     }                                  // otherwise:   co_await flag.fail();
///
/// `succeed` and `fail` suspend if they let somebody in: the first of them continues here,
/// the others are scheduled in one batch, and so is the caller.  What happened before
/// `succeed` is seen by everybody who finds it done.
///
/// Destroying a flag between `enter` and the end stops the program.  Nothing allocates,
/// except that the first deadline on a pool starts its clock (sched/limits.hpp).
template <handoff_policy Handoff = handoff::exchange>
class basic_once_flag : pinned<basic_once_flag<Handoff>> {
 public:
  template <class Limits>
  class [[nodiscard("co_await it")]] basic_enter_operation;
  using enter_operation = basic_enter_operation<detail::unlimited>;
  using limited_enter_operation = basic_enter_operation<detail::limited>;
  class [[nodiscard("co_await it")]] succeed_operation;
  class [[nodiscard("co_await it")]] fail_operation;

  constexpr basic_once_flag() noexcept = default;
  ~basic_once_flag() {
    require(!state_.is_running(), "once_flag", this,
            "it must not be destroyed while somebody runs what is to be done once");
  }

  [[nodiscard]] bool is_done() const noexcept { return state_.is_done(); }

  /// Awaitable; gives whether it is the caller's turn.  If not, it has been done.
  enter_operation enter() noexcept { return enter_operation{state_}; }

  /// Awaitable; gives a once_status.  On `left` the caller is out of the line.
  limited_enter_operation enter(std::stop_token stop) noexcept {
    return enter(wait_limits{std::nullopt, std::move(stop)});
  }
  limited_enter_operation enter(wait_limits what) noexcept {
    return limited_enter_operation{state_, std::move(what)};
  }
  template <class Rep, class Period>
  limited_enter_operation enter_for(std::chrono::duration<Rep, Period> time,
                                    std::stop_token stop = {}) noexcept {
    return enter(wait_limits{deadline_after(time), std::move(stop)});
  }
  template <class Clock, class Duration>
  limited_enter_operation enter_until(std::chrono::time_point<Clock, Duration> due,
                                      std::stop_token stop = {}) noexcept {
    return enter(wait_limits{deadline_at(due), std::move(stop)});
  }

  /// Awaitable: it has been done.  REQUIRES: it is the caller's turn.
  succeed_operation succeed() noexcept { return succeed_operation{state_}; }

  /// Awaitable: it is the next one's turn.  REQUIRES: it is the caller's turn.
  fail_operation fail() noexcept { return fail_operation{state_}; }

  /// The same without suspending: whoever is let in is dispatched.
  void succeed_dispatch() noexcept { dispatch(state_.succeed()); }
  void fail_dispatch() noexcept { dispatch(state_.fail()); }

 private:
  static void dispatch(waiter_queue heirs) noexcept {
    handoff::dispatch::hand_over_all(heirs);
  }

  detail::once_state state_;
};

template <handoff_policy Handoff>
template <class Limits>
class basic_once_flag<Handoff>::basic_enter_operation
    : public Limits::template wait<basic_enter_operation<Limits>, detail::once_waiter> {
  using base = typename Limits::template wait<basic_enter_operation, detail::once_waiter>;

 public:
  ~basic_enter_operation() { this->abandon(); }
  bool await_ready() noexcept {
    if (state_.is_done()) return true;
    if (!state_.try_enter()) return false;
    this->found = detail::once_turn::ours;
    return true;
  }
  [[nodiscard("it may be the caller's turn")]] auto await_resume() noexcept {
    if constexpr (std::same_as<Limits, detail::unlimited>) {
      this->end();
      return this->found == detail::once_turn::ours;
    } else {
      if (!this->end()) return once_status::left;
      return this->found == detail::once_turn::ours ? once_status::ours : once_status::done;
    }
  }

 private:
  friend basic_once_flag;
  friend base;
  friend wait_operation<basic_enter_operation, detail::once_waiter>;
  template <class... Until>
  explicit basic_enter_operation(detail::once_state& state, Until&&... until) noexcept
      : base{std::forward<Until>(until)...}, state_{state} {}
  bool join() noexcept {
    const detail::once_turn turn = state_.enter_or_enqueue(*this);
    if (turn == detail::once_turn::wait) return false;  // `this` may be gone.
    this->found = turn;
    return true;
  }
  bool leave() noexcept { return state_.leave(*this); }

  detail::once_state& state_;
};

template <handoff_policy Handoff>
class basic_once_flag<Handoff>::succeed_operation
    : public release_operation<succeed_operation, Handoff> {
 public:
  void await_resume() const noexcept {}

 private:
  friend basic_once_flag;
  friend release_operation<succeed_operation, Handoff>;
  explicit succeed_operation(detail::once_state& state) noexcept : state_{state} {}
  waiter_queue release() noexcept { return state_.succeed(); }

  detail::once_state& state_;
};

template <handoff_policy Handoff>
class basic_once_flag<Handoff>::fail_operation
    : public release_operation<fail_operation, Handoff> {
 public:
  void await_resume() const noexcept {}

 private:
  friend basic_once_flag;
  friend release_operation<fail_operation, Handoff>;
  explicit fail_operation(detail::once_state& state) noexcept : state_{state} {}
  waiter_queue release() noexcept { return state_.fail(); }

  detail::once_state& state_;
};

using once_flag = basic_once_flag<>;

}  // namespace hotseat
