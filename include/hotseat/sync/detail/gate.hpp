// hotseat/sync/detail/gate.hpp — waiting until something is open: what event, latch and
// wait_group share.  Layer: sync/detail.  Read next: detail/broadcast_state.hpp.
#pragma once

#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/pinned.hpp>
#include <hotseat/sched/blocking.hpp>
#include <hotseat/sched/limits.hpp>
#include <hotseat/sched/wait_operation.hpp>
#include <hotseat/sync/detail/broadcast_state.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <utility>

namespace hotseat::detail {

/// If it is open, waiting costs one load.  Whoever is let out may destroy it, unless others
/// wait with a limit, who may be leaving just now.
class gate : pinned<gate> {
 public:
  class [[nodiscard("co_await it")]] wait_operation;
  class [[nodiscard("co_await it")]] limited_wait_operation;

  /// Awaitable.  Goes on when it is open, or has been so while the caller waited.
  wait_operation wait() noexcept;

  /// Awaitable; gives whether it was open.  It was not if the caller was told to stop, or
  /// the time was over, before; then it is out of the line.
  limited_wait_operation wait(std::stop_token stop) noexcept;
  limited_wait_operation wait(wait_limits what) noexcept;
  template <class Rep, class Period>
  limited_wait_operation wait_for(std::chrono::duration<Rep, Period> time,
                                  std::stop_token stop = {}) noexcept;
  template <class Clock, class Duration>
  limited_wait_operation wait_until(std::chrono::time_point<Clock, Duration> due,
                                    std::stop_token stop = {}) noexcept;

  /// For threads that are no workers: blocks the calling thread.
  /// The limited forms block with `block_on`.
  void wait_blocking() noexcept;

 protected:
  constexpr explicit gate(std::uint64_t missing) noexcept : state_{missing} {}
  ~gate() = default;

  broadcast_state state_;
};

class gate::wait_operation : public hotseat::wait_operation<gate::wait_operation> {
 public:
  ~wait_operation() { this->abandon(); }
  bool await_ready() const noexcept { return state_.is_open(); }
  void await_resume() noexcept { this->end(); }

 private:
  friend gate;
  friend hotseat::wait_operation<gate::wait_operation>;
  explicit wait_operation(broadcast_state& state) noexcept : state_{state} {}
  bool join() noexcept { return state_.pass_or_enqueue(*this); }
  bool leave() noexcept { return state_.leave(*this); }

  broadcast_state& state_;
};

class gate::limited_wait_operation
    : public limited_operation<gate::limited_wait_operation> {
 public:
  ~limited_wait_operation() { this->abandon(); }
  bool await_ready() const noexcept { return state_.is_open(); }
  [[nodiscard("it may still be closed")]] bool await_resume() noexcept {
    return this->end();
  }

 private:
  friend gate;
  friend limited_operation<gate::limited_wait_operation>;
  friend hotseat::wait_operation<gate::limited_wait_operation>;
  limited_wait_operation(broadcast_state& state, wait_limits limits) noexcept
      : limited_operation<gate::limited_wait_operation>{std::move(limits)}, state_{state} {}
  bool join() noexcept { return state_.pass_or_enqueue(*this); }
  bool leave() noexcept { return state_.leave(*this); }

  broadcast_state& state_;
};

inline gate::wait_operation gate::wait() noexcept { return wait_operation{state_}; }

inline gate::limited_wait_operation gate::wait(std::stop_token stop) noexcept {
  return wait(wait_limits{std::nullopt, std::move(stop)});
}
inline gate::limited_wait_operation gate::wait(wait_limits what) noexcept {
  return limited_wait_operation{state_, std::move(what)};
}
template <class Rep, class Period>
gate::limited_wait_operation gate::wait_for(std::chrono::duration<Rep, Period> time,
                                            std::stop_token stop) noexcept {
  return limited_wait_operation{state_, {deadline_after(time), std::move(stop)}};
}
template <class Clock, class Duration>
gate::limited_wait_operation gate::wait_until(std::chrono::time_point<Clock, Duration> due,
                                              std::stop_token stop) noexcept {
  return limited_wait_operation{state_, {deadline_at(due), std::move(stop)}};
}

inline void gate::wait_blocking() noexcept { block_on(wait()); }

}  // namespace hotseat::detail
