// hotseat/sync/condition_variable.hpp — waiting for something that a mutex protects.
// Layer: sync.  Read next: condition_operation.hpp (the wait), detail/condition_state.hpp.
#pragma once

#include <hotseat/core/assert.hpp>
#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/pinned.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/sched/block_on.hpp>
#include <hotseat/sched/combine.hpp>
#include <hotseat/sched/handoff.hpp>
#include <hotseat/sched/release_operation.hpp>
#include <hotseat/sched/wait_limits.hpp>
#include <hotseat/sync/condition_operation.hpp>
#include <hotseat/sync/detail/condition_state.hpp>
#include <hotseat/sync/mutex.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <utility>

namespace hotseat {

/// Lets a task that owns a mutex wait until another task reports a change.
///
///     co_await m.lock();
///     co_await changed.wait(m, [&] { return !queue.empty(); });
///     ...                                   // owns m, and the queue is not empty
///     co_await m.unlock();
///
/// `wait` releases the mutex and takes it back before it returns.  `notify_one` moves the
/// oldest waiter into the line of its mutex without resuming it; `notify_all` moves them
/// all; no herd wakes up.  If the mutex is free, the notified task owns it and runs here,
/// at once, while the notifier is scheduled.
///
/// The worker that passes the mutex on calls the predicate on behalf of the waiting task,
/// and resumes the task only if it holds.  So the predicate must not depend on the thread
/// it runs on.  Without a predicate, `wait` returns after each notification.
///
/// Works with every basic_mutex, and hands over as the mutex does: one that never exchanges
/// does not exchange here either.  Destroying a condition while a task waits for it stops
/// the program; a task that has been notified does not wait for it.  Only a deadline may
/// throw or allocate (sched/wait_limits.hpp).
class condition_variable : pinned<condition_variable> {
  struct door {
    detail::condition_state& state;
    std::size_t most;
    std::size_t count = 0;  ///< How many were notified.

    /// Moves waiters to their mutexes.  Returns the first that already owns its mutex, if
    /// that mutex exchanges; other such owners are dispatched.
    line_waiter* release() noexcept {
      line_waiter* heir = nullptr;
      waiter_queue notified = state.notify(most);  // The last touch of the condition.
      for (; !notified.empty(); ++count) {
        auto& w = static_cast<detail::condition_waiter&>(notified.pop_front());
        if (!w.go_to_mutex()) continue;
        if (heir == nullptr && w.mutex.verbs->exchanges) {
          heir = &w;
        } else {
          dispatch(&w);
        }
      }
      return heir;
    }
    static detail::any_mutex lock_of(const line_waiter* heir) noexcept {
      return static_cast<const detail::condition_waiter*>(heir)->mutex;
    }
    static void dispatch(line_waiter* owner) noexcept {
      detail::pass_on<handoff::dispatch>(owner, lock_of(owner));
    }
  };

 public:
  using notify_operation = detail::release_operation<door>;

  condition_variable() = default;
  ~condition_variable() {
    require(!state_.is_waited(), "condition_variable", this,
            "it must not be destroyed while a task waits");
  }

  /// Awaitable.  REQUIRES, for all forms: the caller owns `m`.
  template <class Mutex>
  auto wait(Mutex& m) noexcept {
    return wait_for_notification<void>(m, {});
  }
  /// Awaitable.  The predicate holds when `co_await` returns; if it throws, the exception
  /// arrives here.
  template <class Mutex, std::predicate Predicate>
  auto wait(Mutex& m, Predicate holds) {
    return wait_for_predicate<void>(m, {}, std::move(holds));
  }

  /// Awaitable.  Yields true if notified; false on timeout or stop.  Either way the caller
  /// owns the mutex.
  template <class Mutex>
  auto wait(Mutex& m, wait_limits limits) noexcept {
    return wait_for_notification<bool>(m, std::move(limits));
  }
  template <class Mutex>
  auto wait_for(Mutex& m, detail::any_duration auto time,
                std::stop_token stop = {}) noexcept {
    return wait(m, {time, std::move(stop)});
  }
  template <class Mutex>
  auto wait_until(Mutex& m, detail::any_time auto due, std::stop_token stop = {}) noexcept {
    return wait(m, {due, std::move(stop)});
  }

  /// Awaitable.  Yields whether the predicate holds.
  template <class Mutex, std::predicate Predicate>
  auto wait(Mutex& m, wait_limits limits, Predicate holds) {
    return wait_for_predicate<bool>(m, std::move(limits), std::move(holds));
  }
  template <class Mutex, std::predicate Predicate>
  auto wait_for(Mutex& m, detail::any_duration auto time, Predicate holds,
                std::stop_token stop = {}) {
    return wait(m, {time, std::move(stop)}, std::move(holds));
  }
  template <class Mutex, std::predicate Predicate>
  auto wait_until(Mutex& m, detail::any_time auto due, Predicate holds,
                  std::stop_token stop = {}) {
    return wait(m, {due, std::move(stop)}, std::move(holds));
  }

  /// Awaitable.  The caller may own the mutex, and preferably does.
  notify_operation notify_one() noexcept { return notify_operation{{state_, 1}}; }
  notify_operation notify_all() noexcept { return notify_operation{{state_, SIZE_MAX}}; }

  /// The same without suspending, for destructors, callbacks and non-worker threads.
  /// Returns how many were notified.
  std::size_t notify_one_dispatch() noexcept { return notify_dispatch(1); }
  std::size_t notify_all_dispatch() noexcept { return notify_dispatch(SIZE_MAX); }

  /// For non-worker threads: blocks the calling thread.
  template <class Mutex>
  void wait_blocking(Mutex& m) {
    block_on(wait(m));
  }
  template <class Mutex, std::predicate Predicate>
  void wait_blocking(Mutex& m, Predicate holds) {
    block_on(wait(m, std::move(holds)));
  }

 private:
  template <class Result, class Mutex>
  auto wait_for_notification(Mutex& m, wait_limits limits) noexcept {
    using any = detail::no_predicate<Result>;
    return detail::condition_operation<Mutex, any>{state_, m, any{}, std::move(limits)};
  }
  template <class Result, class Mutex, class Predicate>
  auto wait_for_predicate(Mutex& m, wait_limits limits, Predicate holds) {
    using until = detail::until<Predicate, Result>;
    return detail::condition_operation<Mutex, until>{state_, m, until{std::move(holds)},
                                                     std::move(limits)};
  }

  std::size_t notify_dispatch(std::size_t most) noexcept {
    door all{state_, most};
    if (line_waiter* const heir = all.release()) door::dispatch(heir);
    return all.count;
  }

  detail::condition_state state_;
};

}  // namespace hotseat
