// hotseat/sync/semaphore.hpp — a number of permits; whoever finds too few waits.
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
#include <hotseat/sync/scoped_permits.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <utility>

namespace hotseat {

/// Lets a limited number of tasks in.
///
///     co_await connections.acquire();
///     co_await query(...);
///     co_await connections.release();      // may continue on another thread
///
/// For a scope: `auto held = co_await connections.scoped_acquire()`, and the same with `n`,
/// a stop token, a duration or a time (sync/scoped_permits.hpp).
///
/// `acquire(n)` suspends until `n` permits are there.  `release(n)` suspends if it lets
/// somebody in: the first of them continues here, at once; the others are scheduled in one
/// batch, and so is the caller.
///
/// Fair: permits are granted in order of arrival, so a large request is not overtaken by
/// small ones.  Permits belong to nobody: whoever likes may release.  Destroying a
/// semaphore while somebody waits stops the program.  Nothing throws or allocates, except
/// that the first deadline on a pool starts its clock (sched/limits.hpp).
template <handoff_policy Handoff = handoff::exchange>
class basic_semaphore : pinned<basic_semaphore<Handoff>>,
                        public detail::permit_scopes<basic_semaphore<Handoff>> {
 public:
  class [[nodiscard("co_await it")]] acquire_operation;
  class [[nodiscard("co_await it")]] try_acquire_operation;
  class [[nodiscard("co_await it")]] release_operation;

  constexpr explicit basic_semaphore(std::uint64_t permits) noexcept : state_{permits} {}
  ~basic_semaphore() {
    require(!state_.is_waited(), "semaphore", this,
            "it must not be destroyed while somebody waits");
  }

  /// Takes `n` permits without waiting.  Returns whether it did; never while others wait.
  [[nodiscard]] bool try_acquire(std::uint64_t n = 1) noexcept {
    return state_.try_acquire(n);
  }

  /// Awaitable.  The caller has `n` permits when `co_await` returns.
  acquire_operation acquire(std::uint64_t n = 1) noexcept {
    return acquire_operation{state_, n};
  }

  /// Awaitable; gives whether the caller has the permits.  It does not if it was told to
  /// stop, or the time was over, before its turn came; then it is out of the line.
  try_acquire_operation acquire(std::uint64_t n, std::stop_token stop) noexcept {
    return acquire(n, wait_limits{std::nullopt, std::move(stop)});
  }
  try_acquire_operation acquire(std::uint64_t n, wait_limits what) noexcept {
    return try_acquire_operation{state_, n, std::move(what)};
  }
  try_acquire_operation acquire(std::stop_token stop) noexcept {
    return acquire(1, std::move(stop));
  }
  template <class Rep, class Period>
  try_acquire_operation try_acquire_for(std::chrono::duration<Rep, Period> time,
                                        std::uint64_t n = 1,
                                        std::stop_token stop = {}) noexcept {
    return try_acquire_operation{state_, n, {deadline_after(time), std::move(stop)}};
  }
  template <class Clock, class Duration>
  try_acquire_operation try_acquire_until(std::chrono::time_point<Clock, Duration> due,
                                          std::uint64_t n = 1,
                                          std::stop_token stop = {}) noexcept {
    return try_acquire_operation{state_, n, {deadline_at(due), std::move(stop)}};
  }

  /// Awaitable.
  release_operation release(std::uint64_t n = 1) noexcept {
    return release_operation{state_, n};
  }

  /// For threads that are no workers: blocks the calling thread.
  /// The limited forms block with `block_on`.
  void acquire_blocking(std::uint64_t n = 1) noexcept { block_on(acquire(n)); }

  /// Releases without suspending, for destructors, callbacks and non-worker threads: the
  /// waiters that it lets in are dispatched.  Returns how many those are.
  std::size_t release_dispatch(std::uint64_t n = 1) noexcept {
    waiter_queue heirs = state_.release(n);
    return handoff::dispatch::hand_over_all(heirs);
  }

  /// How many permits there are, at a glance.
  [[nodiscard]] std::uint64_t available() const noexcept { return state_.available(); }

 private:
  static bool leave(detail::permit_state& state, detail::permit_waiter& who) noexcept {
    waiter_queue heirs;
    const bool was_in_line = state.leave(who, heirs);
    handoff::dispatch::hand_over_all(heirs);
    return was_in_line;
  }

  detail::permit_state state_;
};

template <handoff_policy Handoff>
class basic_semaphore<Handoff>::acquire_operation
    : public wait_operation<acquire_operation, detail::permit_waiter> {
 public:
  ~acquire_operation() { this->abandon(); }
  bool await_ready() noexcept { return state_.try_acquire(this->wants); }
  void await_resume() noexcept { this->end(); }

 private:
  friend basic_semaphore;
  friend wait_operation<acquire_operation, detail::permit_waiter>;
  acquire_operation(detail::permit_state& state, std::uint64_t n) noexcept : state_{state} {
    this->wants = n;
  }
  bool join() noexcept { return state_.acquire_or_enqueue(*this); }
  bool leave() noexcept { return basic_semaphore::leave(state_, *this); }

  detail::permit_state& state_;
};

template <handoff_policy Handoff>
class basic_semaphore<Handoff>::try_acquire_operation
    : public limited_operation<try_acquire_operation, detail::permit_waiter> {
  using base = limited_operation<try_acquire_operation, detail::permit_waiter>;

 public:
  ~try_acquire_operation() { this->abandon(); }
  bool await_ready() noexcept { return state_.try_acquire(this->wants); }
  [[nodiscard("it may have no permits")]] bool await_resume() noexcept {
    return this->end();
  }

 private:
  friend basic_semaphore;
  friend base;
  friend wait_operation<try_acquire_operation, detail::permit_waiter>;
  try_acquire_operation(detail::permit_state& state, std::uint64_t n,
                        wait_limits limits) noexcept
      : base{std::move(limits)}, state_{state} {
    this->wants = n;
  }
  bool join() noexcept { return state_.acquire_or_enqueue(*this); }
  bool leave() noexcept { return basic_semaphore::leave(state_, *this); }

  detail::permit_state& state_;
};

template <handoff_policy Handoff>
class basic_semaphore<Handoff>::release_operation
    : public hotseat::release_operation<release_operation, Handoff> {
 public:
  void await_resume() const noexcept {}

 private:
  friend basic_semaphore;
  friend hotseat::release_operation<release_operation, Handoff>;
  release_operation(detail::permit_state& state, std::uint64_t n) noexcept
      : state_{state}, permits_{n} {}
  waiter_queue release() noexcept { return state_.release(permits_); }

  detail::permit_state& state_;
  std::uint64_t permits_;
};

using semaphore = basic_semaphore<>;

}  // namespace hotseat
