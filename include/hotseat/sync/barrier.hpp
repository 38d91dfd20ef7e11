// hotseat/sync/barrier.hpp — tasks that go on together, phase by phase.
// Layer: sync.  Read next: detail/phase_state.hpp (who is let out?).
#pragma once

#include <hotseat/core/assert.hpp>
#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/pinned.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/sched/acquire_operation.hpp>
#include <hotseat/sched/block_on.hpp>
#include <hotseat/sched/handoff.hpp>
#include <hotseat/sched/release_operation.hpp>
#include <hotseat/sched/wait_limits.hpp>
#include <hotseat/sync/detail/phase_state.hpp>

#include <concepts>
#include <cstdint>
#include <stop_token>
#include <utility>

namespace hotseat {

/// What a barrier does between two phases by default.
struct no_completion {
  void operator()() const noexcept {}
};

/// std::barrier for tasks.
///
///     barrier all{tasks, [&] { ++round; }};
///     co_await all.arrive_and_wait();      // once per phase and task
///
/// A phase ends when all participants have arrived.  The last to arrive runs the
/// completion, alone and before any is let out.  Then it goes on, since what the others
/// left for it is in this core's cache; the others are scheduled in one batch.  What
/// happened before an arrival is seen by the completion, and both by all that are let out.
///
/// A completion that throws ends the program with std::terminate, as in std::barrier: no
/// task would own the exception.  It must not use the barrier.
///
/// A participant that leaves early, or is destroyed while it waits, still counts as
/// arrived: the phase ends without it, and the next one expects it again.  It must not
/// arrive again until it knows that the phase has ended: in the same phase it would count
/// twice, and while the completion runs it stops the program.
///
/// Too many arrivals stop the program where they can be detected, and so does destroying a
/// barrier while a task waits.  Only a deadline may throw or allocate
/// (sched/wait_limits.hpp).
template <std::invocable Completion = no_completion>
class barrier : pinned<barrier<Completion>> {
  struct arrival {
    using waiter = line_waiter;
    barrier& all;
    static bool try_acquire(line_waiter&) noexcept { return false; }
    bool acquire_or_enqueue(line_waiter& w) noexcept {
      if (!all.state_.arrive_or_enqueue(w)) return false;
      waiter_queue others = all.complete();
      handoff::dispatch::hand_over_all(others);
      return true;
    }
    bool leave(line_waiter& w) noexcept { return all.state_.leave(w); }
  };
  struct departure {
    barrier& all;
    waiter_queue release() noexcept {
      if (!all.state_.arrive_and_drop()) return {};
      return all.complete();
    }
  };

 public:
  using arrive_and_wait_operation = detail::acquire_operation<arrival>;
  using limited_arrive_operation = detail::acquire_operation<arrival, detail::limited>;
  using arrive_and_drop_operation = detail::release_operation<departure>;

  constexpr explicit barrier(std::uint64_t expected,
                             Completion on_completion = Completion())
      : state_{expected}, completion_{std::move(on_completion)} {}
  ~barrier() {
    require(!state_.is_waited(), "barrier", this,
            "it must not be destroyed while a task waits");
  }

  /// Awaitable.  Goes on when the phase has ended.
  arrive_and_wait_operation arrive_and_wait() noexcept {
    return arrive_and_wait_operation{{*this}};
  }

  /// Awaitable.  Yields true if the phase has ended; false on timeout or stop, no longer
  /// queued, but arrived.
  limited_arrive_operation arrive_and_wait(wait_limits limits) noexcept {
    return limited_arrive_operation{{*this}, std::move(limits)};
  }
  auto arrive_and_wait_for(detail::any_duration auto time,
                           std::stop_token stop = {}) noexcept {
    return arrive_and_wait({time, std::move(stop)});
  }
  auto arrive_and_wait_until(detail::any_time auto due,
                             std::stop_token stop = {}) noexcept {
    return arrive_and_wait({due, std::move(stop)});
  }

  /// Awaitable.  Arrives for this phase, and is not expected in later ones.  Does not wait.
  /// If it is the last, it runs the completion, the first waiter continues here, and the
  /// caller is scheduled with the others: it has left the barrier, and the data of the next
  /// phase are in this core's cache.
  arrive_and_drop_operation arrive_and_drop() noexcept {
    return arrive_and_drop_operation{{*this}};
  }

  /// The same without suspending, for destructors and callbacks.
  void arrive_and_drop_dispatch() noexcept {
    detail::release_and_dispatch(departure{*this});
  }

  /// For non-worker threads: blocks the calling thread.
  void arrive_and_wait_blocking() noexcept { block_on(arrive_and_wait()); }

 private:
  /// REQUIRES: the caller arrived last.  Does not touch the barrier after end_phase(): a
  /// task that is let out may destroy it.
  [[nodiscard]] waiter_queue complete() noexcept {  // noexcept: a throw terminates.
    completion_();
    return state_.end_phase();
  }

  detail::phase_state state_;
  [[no_unique_address]] Completion completion_;
};

}  // namespace hotseat
