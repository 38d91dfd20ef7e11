// hotseat/sync/condition_variable.hpp — waiting for something that a mutex protects.
// Layer: sync.  Read next: condition_operation.hpp (the wait), detail/condition_state.hpp.
#pragma once

#include <hotseat/core/assert.hpp>
#include <hotseat/core/pinned.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/core/waiter_queue.hpp>
#include <hotseat/sched/combine.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/sched/handoff.hpp>
#include <hotseat/sched/limits.hpp>
#include <hotseat/sync/condition_operation.hpp>
#include <hotseat/sync/detail/condition_state.hpp>
#include <hotseat/sync/mutex.hpp>

#include <chrono>
#include <concepts>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <utility>

namespace hotseat {

/// Tasks that own a mutex wait until others tell them that something has changed.
///
///     co_await m.lock();
///     co_await changed.wait(m, [&] { return !queue.empty(); });
///     ...                                   // owns m, and the queue is not empty
///     co_await m.unlock();
///
/// `wait` gives the mutex away and takes it back before it returns.  `notify_one` moves the
/// oldest waiter into the line of its mutex without resuming it; `notify_all` moves them
/// all: no herd wakes up.  If the mutex is free, the notified task owns it and runs here,
/// at once, while the notifier is scheduled.
///
/// A predicate is called by whoever passes the mutex on, on behalf of the waiting task,
/// which is resumed only when it holds: no task is resumed in vain.  So it must not depend
/// on the thread it runs on.  Without a predicate, `wait` returns after each notification.
///
/// Works with every basic_mutex.  Destroying a condition while somebody waits for it stops
/// the program; those who have been notified do not wait for it.  Nothing allocates, except
/// that the first deadline on a pool starts its clock (sched/limits.hpp).
template <handoff_policy Handoff = handoff::exchange>
class basic_condition_variable : pinned<basic_condition_variable<Handoff>> {
  template <class Mutex, class Predicate>
  using wait_operation = condition_operation<Handoff, Mutex, Predicate>;

 public:
  class [[nodiscard("co_await it")]] notify_operation;

  basic_condition_variable() = default;
  ~basic_condition_variable() {
    require(!state_.is_waited(), "condition_variable", this,
            "it must not be destroyed while somebody waits");
  }

  /// Awaitable.  REQUIRES, for all forms: the caller owns `m`.
  template <class Mutex>
  auto wait(Mutex& m) noexcept {
    return wait_operation<Mutex, detail::no_predicate<void>>{state_, m, {}, {}};
  }
  /// Awaitable.  The predicate holds when `co_await` returns; if it throws, the exception
  /// arrives here.
  template <class Mutex, std::predicate Predicate>
  auto wait(Mutex& m, Predicate holds) {
    return wait_operation<Mutex, detail::until<Predicate, void>>{
        state_, m, {std::move(holds)}, {}};
  }

  /// Awaitable; gives whether the caller was notified, and not late or told to stop.  It
  /// owns the mutex in any case.
  template <class Mutex>
  auto wait(Mutex& m, std::stop_token stop) noexcept {
    return limited(m, {std::nullopt, std::move(stop)});
  }
  template <class Mutex, class Rep, class Period>
  auto wait_for(Mutex& m, std::chrono::duration<Rep, Period> time,
                std::stop_token stop = {}) noexcept {
    return limited(m, {deadline_after(time), std::move(stop)});
  }
  template <class Mutex, class Clock, class Duration>
  auto wait_until(Mutex& m, std::chrono::time_point<Clock, Duration> due,
                  std::stop_token stop = {}) noexcept {
    return limited(m, {deadline_at(due), std::move(stop)});
  }

  /// Awaitable; gives whether the predicate holds.
  template <class Mutex, std::predicate Predicate>
  auto wait(Mutex& m, std::stop_token stop, Predicate holds) {
    return limited(m, {std::nullopt, std::move(stop)}, std::move(holds));
  }
  template <class Mutex, class Rep, class Period, std::predicate Predicate>
  auto wait_for(Mutex& m, std::chrono::duration<Rep, Period> time, Predicate holds,
                std::stop_token stop = {}) {
    return limited(m, {deadline_after(time), std::move(stop)}, std::move(holds));
  }
  template <class Mutex, class Clock, class Duration, std::predicate Predicate>
  auto wait_until(Mutex& m, std::chrono::time_point<Clock, Duration> due, Predicate holds,
                  std::stop_token stop = {}) {
    return limited(m, {deadline_at(due), std::move(stop)}, std::move(holds));
  }

  /// Awaitable.  The caller may own the mutex, and best does.
  notify_operation notify_one() noexcept { return notify_operation{state_, 1}; }
  notify_operation notify_all() noexcept { return notify_operation{state_, SIZE_MAX}; }

  /// The same without suspending, for destructors, callbacks and non-worker threads: a task
  /// that gets a free mutex is dispatched.  Returns how many were notified.
  std::size_t notify_one_dispatch() noexcept { return notify_dispatch(1); }
  std::size_t notify_all_dispatch() noexcept { return notify_dispatch(SIZE_MAX); }

  /// For threads that are no workers: blocks the calling thread.  Other forms block with
  /// `block_on`.
  template <class Mutex>
  void wait_blocking(Mutex& m) {
    block_on(wait(m));
  }
  template <class Mutex, std::predicate Predicate>
  void wait_blocking(Mutex& m, Predicate holds) {
    block_on(wait(m, std::move(holds)));
  }

 private:
  template <class Mutex>
  auto limited(Mutex& m, wait_limits limits) noexcept {
    return wait_operation<Mutex, detail::no_predicate<bool>>{
        state_, m, {}, std::move(limits)};
  }
  template <class Mutex, class Predicate>
  auto limited(Mutex& m, wait_limits limits, Predicate holds) {
    return wait_operation<Mutex, detail::until<Predicate, bool>>{
        state_, m, {std::move(holds)}, std::move(limits)};
  }

  /// Moves waiters to their mutexes, and counts them.  Returns the first that owns its
  /// mutex already; others that do, with mutexes of their own, are dispatched.
  static detail::condition_waiter* move_to_mutex(waiter_queue notified,
                                                 std::size_t& count) noexcept {
    detail::condition_waiter* heir = nullptr;
    for (; !notified.empty(); ++count) {
      auto& w = static_cast<detail::condition_waiter&>(notified.pop_front());
      if (!w.go_to_mutex()) continue;
      if (heir == nullptr) {
        heir = &w;
      } else {
        pass_on<handoff::dispatch, handoff::dispatch>(w);
      }
    }
    return heir;
  }

  static auto releasing(const detail::condition_waiter& w) noexcept {
    return [mutex = w.mutex, verbs = w.verbs]() noexcept { return verbs->release(mutex); };
  }

  template <class Combining, class To>
  static void pass_on(detail::condition_waiter& owner) noexcept {
    detail::pass_on<Combining, To>(static_cast<line_waiter*>(&owner), releasing(owner));
  }

  std::size_t notify_dispatch(std::size_t most) noexcept {
    std::size_t count = 0;
    if (auto* const heir = move_to_mutex(state_.notify(most), count)) {
      pass_on<handoff::dispatch, handoff::dispatch>(*heir);
    }
    return count;
  }

  detail::condition_state state_;
};

template <handoff_policy Handoff>
class basic_condition_variable<Handoff>::notify_operation : pinned<notify_operation> {
 public:
  bool await_ready() noexcept {
    std::size_t count = 0;  // Only the forms that do not suspend return it.
    heir_ = move_to_mutex(state_.notify(most_), count);  // The last touch of the condition.
    if (heir_ == nullptr) return true;
    if constexpr (!Handoff::may_suspend) {
      pass_on<Handoff, Handoff>(*heir_);
    }
    return !Handoff::may_suspend;
  }

  bool await_suspend(std::coroutine_handle<> self) noexcept {
    if constexpr (Handoff::may_suspend) {
      self_.set(self, executor::current());
      // Suspended: `this` may be gone.
      return detail::exchange_or_combine<Handoff>(self_, static_cast<line_waiter*>(heir_),
                                                  releasing(*heir_));
    }
    return false;
  }

  void await_resume() const noexcept {}

 private:
  friend basic_condition_variable;
  notify_operation(detail::condition_state& state, std::size_t most) noexcept
      : state_{state}, most_{most} {}

  detail::condition_state& state_;
  std::size_t most_;
  detail::condition_waiter* heir_ = nullptr;
  waiter self_{set_later{}};
};

using condition_variable = basic_condition_variable<>;

}  // namespace hotseat
