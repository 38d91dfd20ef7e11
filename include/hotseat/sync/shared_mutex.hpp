// hotseat/sync/shared_mutex.hpp — many readers or one writer.
// Layer: sync.  Read next: detail/shared_state.hpp (who is next?), then sched/handoff.hpp
// (how do we get there?).
#pragma once

#include <hotseat/core/assert.hpp>
#include <hotseat/core/pinned.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/core/waiter_queue.hpp>
#include <hotseat/sched/blocking.hpp>
#include <hotseat/sched/combine.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/sched/handoff.hpp>
#include <hotseat/sched/limits.hpp>
#include <hotseat/sched/this_thread.hpp>
#include <hotseat/sched/wait_operation.hpp>
#include <hotseat/sync/detail/shared_state.hpp>
#include <hotseat/sync/scoped_lock.hpp>
#include <hotseat/sync/section_operation.hpp>
#include <hotseat/trace/trace.hpp>

#include <chrono>
#include <concepts>
#include <coroutine>
#include <optional>
#include <stop_token>
#include <type_traits>
#include <utility>

namespace hotseat {

/// Lets many readers in together, or one writer alone.
///
///     co_await m.lock_shared();            co_await m.lock();
///     use(map.at(key));                    map.insert(key, value);
///     co_await m.unlock_shared();          co_await m.unlock();
///
/// Each end may suspend.  `unlock_shared` goes on unless the caller was the last reader and
/// a writer waits: then the writer continues here, at once, and the caller is scheduled.
/// `unlock` does the same for the next writer; if readers are next, one of them continues
/// here and the rest of them, up to the next writer, are scheduled in one batch.
/// Uncontended, nothing suspends and each costs one atomic operation.
///
/// For a scope: `scoped_lock()` and `scoped_lock_shared()`, and the same with a stop_token,
/// `_for` and `_until` (sync/scoped_lock.hpp).
///
/// Fair: whoever waits enters in order of arrival.  Readers that come while a writer waits
/// stand behind it, so a reader must not wait for another reader that comes later.
/// Ownership belongs to a task, not a thread; it may be held across `co_await`.
/// Not recursive.  Destroying a mutex while somebody is inside, or unlocking what nobody
/// owns in that way, stops the program.  Nothing throws or allocates, except that the first
/// deadline on a pool starts its clock (sched/limits.hpp).
template <handoff_policy Handoff = handoff::exchange>
class basic_shared_mutex : pinned<basic_shared_mutex<Handoff>>,
                           public detail::lock_scopes<basic_shared_mutex<Handoff>>,
                           public detail::shared_lock_scopes<basic_shared_mutex<Handoff>> {
  using access = detail::access;
  static constexpr access exclusive = access::exclusive;
  static constexpr access shared = access::shared;

  template <access Wanted, class Limits = detail::unlimited>
  class [[nodiscard("co_await it")]] acquire_operation;
  template <access Had>
  class [[nodiscard("co_await it")]] release_operation;

  struct state;

 public:
  using lock_operation = acquire_operation<exclusive>;
  using lock_shared_operation = acquire_operation<shared>;
  using try_lock_operation = acquire_operation<exclusive, detail::limited>;
  using try_lock_shared_operation = acquire_operation<shared, detail::limited>;
  using unlock_operation = release_operation<exclusive>;
  using unlock_shared_operation = release_operation<shared>;

  constexpr basic_shared_mutex() = default;
  ~basic_shared_mutex() {
    require(state_.is_free(), "shared_mutex", this,
            "it must not be destroyed while it is owned");
  }

  /// Enters without waiting.  Returns whether it did; never while others wait.
  [[nodiscard]] bool try_lock() noexcept { return try_acquire(exclusive); }
  [[nodiscard]] bool try_lock_shared() noexcept { return try_acquire(shared); }

  /// Awaitable.  The caller is inside when `co_await` returns.
  lock_operation lock() noexcept { return lock_operation{state_}; }
  lock_shared_operation lock_shared() noexcept { return lock_shared_operation{state_}; }

  /// Awaitable; gives whether the caller is inside.  It is not if it was told to stop, or
  /// the time was over, before its turn came; then it is out of the line.
  try_lock_operation lock(std::stop_token stop) noexcept {
    return lock(wait_limits{std::nullopt, std::move(stop)});
  }
  try_lock_operation lock(wait_limits what) noexcept {
    return try_lock_operation{state_, std::move(what)};
  }
  template <class Rep, class Period>
  try_lock_operation try_lock_for(std::chrono::duration<Rep, Period> time,
                                  std::stop_token stop = {}) noexcept {
    return lock(wait_limits{deadline_after(time), std::move(stop)});
  }
  template <class Clock, class Duration>
  try_lock_operation try_lock_until(std::chrono::time_point<Clock, Duration> due,
                                    std::stop_token stop = {}) noexcept {
    return lock(wait_limits{deadline_at(due), std::move(stop)});
  }
  try_lock_shared_operation lock_shared(std::stop_token stop) noexcept {
    return lock_shared(wait_limits{std::nullopt, std::move(stop)});
  }
  try_lock_shared_operation lock_shared(wait_limits what) noexcept {
    return try_lock_shared_operation{state_, std::move(what)};
  }
  template <class Rep, class Period>
  try_lock_shared_operation try_lock_shared_for(std::chrono::duration<Rep, Period> time,
                                                std::stop_token stop = {}) noexcept {
    return lock_shared(wait_limits{deadline_after(time), std::move(stop)});
  }
  template <class Clock, class Duration>
  try_lock_shared_operation try_lock_shared_until(
      std::chrono::time_point<Clock, Duration> due, std::stop_token stop = {}) noexcept {
    return lock_shared(wait_limits{deadline_at(due), std::move(stop)});
  }

  /// Awaitable.  REQUIRES: the caller is inside, as the writer or as a reader.
  unlock_operation unlock() noexcept { return unlock_operation{state_}; }
  unlock_shared_operation unlock_shared() noexcept {
    return unlock_shared_operation{state_};
  }

  /// Awaitable; is the writer for one call of `section` and gives its result.  If others
  /// are before us, the worker that has the mutex makes the call: it must not depend on
  /// the thread it runs on.  `with_lock` is the same, and more.
  template <std::invocable Section>
  section_operation<Handoff, state, Section, detail::shared_waiter> run(Section section) {
    return {state_, std::move(section)};
  }

  /// The same with limits; gives a std::optional of the result, or a bool.
  template <std::invocable Section>
  limited_section_operation<Handoff, state, Section, detail::shared_waiter> run(
      Section section, wait_limits what) {
    return {state_, std::move(section), std::move(what)};
  }

  /// For threads that are no workers: blocks the calling thread until it is inside.
  /// The limited forms block with `block_on`.
  void lock_blocking() noexcept { block_on(lock()); }
  void lock_shared_blocking() noexcept { block_on(lock_shared()); }

  /// Gives up ownership without suspending, for destructors, callbacks and threads that are
  /// no workers: the heirs are dispatched, so the section may leave this core.
  /// REQUIRES: the caller is inside, as the writer or as a reader.
  void unlock_dispatch() noexcept { release_dispatch(exclusive); }
  void unlock_shared_dispatch() noexcept { release_dispatch(shared); }

 private:
  /// A waiter that leaves may let in those behind it; nobody waits for it to say so.
  struct state : detail::shared_state {
    [[nodiscard]] bool leave(detail::shared_waiter& who) noexcept {
      waiter_queue heirs;
      const bool was_in_line = shared_state::leave(who, heirs);
      handoff::dispatch::hand_over_all(heirs);
      return was_in_line;
    }
  };

  bool try_acquire(access wanted) noexcept {
    const bool is_inside = state_.try_acquire(wanted);
    if (is_inside) detail::note_entered(&state_, trace::entry_free);
    return is_inside;
  }

  void release_dispatch(access had) noexcept {
    detail::note_left(&state_);
    waiter_queue heirs = state_.release(had);
    handoff::dispatch::hand_over_all(heirs);
  }

  state state_;
};

template <handoff_policy Handoff>
template <detail::access Wanted, class Limits>
class basic_shared_mutex<Handoff>::acquire_operation
    : public Limits::template wait<acquire_operation<Wanted, Limits>,
                                   detail::shared_waiter> {
  using base = typename Limits::template wait<acquire_operation, detail::shared_waiter>;

 public:
  ~acquire_operation() { this->abandon(); }
  bool await_ready() noexcept { return state_.try_acquire(Wanted); }
  void await_resume() noexcept
    requires std::same_as<Limits, detail::unlimited>
  {
    this->note_entry(&state_);
    this->end();
    ++this_thread().locks_held;
  }
  [[nodiscard("it may not be inside")]] bool await_resume() noexcept
    requires std::same_as<Limits, detail::limited>
  {
    const trace::entry how = this->how_entered();
    const bool is_inside = this->end();
    if (is_inside) detail::note_entered(&state_, how);
    return is_inside;
  }

 private:
  friend basic_shared_mutex;
  friend base;
  friend wait_operation<acquire_operation, detail::shared_waiter>;
  template <class... Until>
  explicit acquire_operation(state& of, Until&&... until) noexcept
      : base{std::forward<Until>(until)...}, state_{of} {
    this->wants = Wanted;
  }
  bool join() noexcept { return state_.acquire_or_enqueue(*this); }
  bool leave() noexcept { return state_.leave(*this); }

  state& state_;
};

template <handoff_policy Handoff>
template <detail::access Had>
class basic_shared_mutex<Handoff>::release_operation : pinned<release_operation<Had>> {
 public:
  bool await_ready() noexcept {
    detail::note_left(&state_);
    heirs_ = state_.release(Had);  // The last touch of the mutex: an heir may destroy it.
    if (heirs_.empty()) return true;
    if constexpr (!Handoff::may_suspend) {
      detail::pass_on<Handoff, Handoff>(heirs_, releasing(state_));
    }
    return !Handoff::may_suspend;
  }

  bool await_suspend(std::coroutine_handle<> self) noexcept {
    if constexpr (Handoff::may_suspend) {
      self_.set(self, executor::current());
      // Suspended: `this` may be gone.
      return detail::exchange_or_combine<Handoff>(self_, heirs_, releasing(state_));
    }
    return false;
  }

  void await_resume() const noexcept {}

 private:
  friend basic_shared_mutex;
  explicit release_operation(state& of) noexcept : state_{of} {}

  // Only delegated writers are released for: readers run their own sections.
  static auto releasing(state& of) noexcept {
    return [&of]() noexcept { return of.release(exclusive); };
  }

  state& state_;
  waiter_queue heirs_;
  waiter self_{set_later{}};
};

using shared_mutex = basic_shared_mutex<>;

}  // namespace hotseat
