// hotseat/sync/once_flag.hpp — whether something has been done once, and whose turn it is.
// Layer: sync.  Read next: task/call_once.hpp (how to use it), detail/once_state.hpp.
#pragma once

#include <hotseat/core/assert.hpp>
#include <hotseat/core/pinned.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/sched/acquire_operation.hpp>
#include <hotseat/sched/release_operation.hpp>
#include <hotseat/sched/wait_limits.hpp>
#include <hotseat/sync/detail/once_state.hpp>

#include <cstdint>
#include <utility>

namespace hotseat {

/// What a task that entered with limits found.
enum class once_status : std::uint8_t {
  done,  ///< It has been done.
  ours,  ///< It is the caller's turn.
  left,  ///< Timeout or stop while another task ran it.
};

/// The building block of `call_once`.
///
///     if (co_await flag.enter()) {
///       ...                              // on success:  co_await flag.succeed();
///     }                                  // otherwise:   co_await flag.fail();
///
/// `succeed` and `fail` suspend if they let waiters in: the first of them continues here,
/// the others are scheduled in one batch, and so is the caller.  What happened before
/// `succeed` is seen by all that find it done.
///
/// Destroying a flag between `enter` and the end stops the program.  Only a deadline may
/// throw or allocate (sched/wait_limits.hpp).
class once_flag : pinned<once_flag> {
  struct line {
    using waiter = detail::once_waiter;
    detail::once_state& state;
    bool try_acquire(waiter& w) noexcept {
      if (state.is_done()) return true;
      if (!state.try_enter()) return false;
      w.found = detail::once_turn::ours;
      return true;
    }
    bool acquire_or_enqueue(waiter& w) noexcept {
      const detail::once_turn turn = state.enter_or_enqueue(w);
      if (turn == detail::once_turn::wait) return false;  // `w` may be gone.
      w.found = turn;
      return true;
    }
    bool leave(waiter& w) noexcept { return state.leave(w); }
    static bool result(const waiter& w) noexcept {
      return w.found == detail::once_turn::ours;
    }
    static once_status result(const waiter& w, bool is_granted) noexcept {
      if (!is_granted) return once_status::left;
      return result(w) ? once_status::ours : once_status::done;
    }
  };
  struct success {
    detail::once_state& state;
    waiter_queue release() noexcept { return state.succeed(); }
  };
  struct failure {
    detail::once_state& state;
    waiter_queue release() noexcept { return state.fail(); }
  };

 public:
  using enter_operation = detail::acquire_operation<line>;
  using limited_enter_operation = detail::acquire_operation<line, detail::limited>;
  using succeed_operation = detail::release_operation<success>;
  using fail_operation = detail::release_operation<failure>;

  constexpr once_flag() noexcept = default;
  ~once_flag() {
    require(!state_.is_running(), "once_flag", this,
            "it must not be destroyed while a task runs what is to be done once");
  }

  [[nodiscard]] bool is_done() const noexcept { return state_.is_done(); }

  /// Awaitable.  Yields true if it is the caller's turn; false if it has been done.
  enter_operation enter() noexcept { return enter_operation{{state_}}; }

  /// Awaitable.  Yields a once_status.  On `left` the caller is no longer queued.
  limited_enter_operation enter(wait_limits limits) noexcept {
    return limited_enter_operation{{state_}, std::move(limits)};
  }

  /// Awaitable.  Marks it as done.  REQUIRES: it is the caller's turn.
  succeed_operation succeed() noexcept { return succeed_operation{{state_}}; }

  /// Awaitable.  Passes the turn to the next waiter.  REQUIRES: it is the caller's turn.
  fail_operation fail() noexcept { return fail_operation{{state_}}; }

  /// The same without suspending.
  void succeed_dispatch() noexcept { detail::release_and_dispatch(success{state_}); }
  void fail_dispatch() noexcept { detail::release_and_dispatch(failure{state_}); }

 private:
  detail::once_state state_;
};

}  // namespace hotseat
