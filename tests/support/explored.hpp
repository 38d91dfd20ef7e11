// hotseat/tests/support/explored.hpp — building blocks of the programs in tests/model/.
#pragma once

#include <gtest/gtest.h>

#include <hotseat/core/waiter.hpp>
#include <hotseat/explore/explore.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/runtime/thread_pool.hpp>
#include <hotseat/runtime/topology.hpp>
#include <hotseat/sched/handoff.hpp>
#include <hotseat/sched/reschedule.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/task.hpp>
#include <support/handoffs.hpp>
#include <support/scenario.hpp>
#include <support/spinning.hpp>

#include <array>
#include <coroutine>
#include <cstddef>
#include <string>
#include <utility>

namespace hotseat::testing {

/// A pool whose queues fill up soon, on a machine with fewer CPUs than workers, so that
/// workers have little patience.
inline thread_pool_options small_pool(unsigned workers = 2) {
  return {
      .threads = workers, .block_size = 2, .block_count = 2, .machine = topology::flat(1)};
}

/// A point that one thread reaches and another waits for.  It orders nothing, unless one
/// side publishes what it did and the other asks to see it.
class milestone {
 public:
  void reach() noexcept { is_reached_.store(true, std::memory_order_relaxed); }
  void publish() noexcept { is_reached_.store(true, std::memory_order_release); }
  [[nodiscard]] bool is_reached() const noexcept {
    return is_reached_.load(std::memory_order_relaxed);
  }
  void await() const noexcept {
    while (!is_reached()) platform::relax();
  }
  void await_and_see() const noexcept {
    while (!is_reached_.load(std::memory_order_acquire)) platform::relax();
  }

 private:
  platform::atomic<bool> is_reached_{false};
};

/// The same in a task, which lets other tasks run meanwhile.
inline task<> until(const milestone& point) {
  while (!point.is_reached()) co_await reschedule();
}

/// Data for one thread at a time.  Two accesses without an order between them are a race.
class guarded_count {
 public:
  void increment() noexcept { value_ = value_ + 1; }
  [[nodiscard]] int value() const noexcept { return value_; }

 private:
  platform::var<int> value_ = 0;
};

/// Whether waits were granted and whether waits ended early, over all schedules.
struct endings {
  bool granted = false;
  bool left = false;
  void note(bool was_granted) { (was_granted ? granted : left) = true; }
};

/// Awaits `operation`, and publishes when it has suspended.
template <class Operation>
class [[nodiscard]] announced {
 public:
  announced(Operation& operation, milestone& suspended) noexcept
      : operation_{operation}, suspended_{suspended} {}
  bool await_ready() { return operation_.await_ready(); }
  bool await_suspend(std::coroutine_handle<> self) {
    milestone& suspended = suspended_;
    if (!operation_.await_suspend(self)) return false;
    suspended.publish();  // `this` may be gone.
    return true;
  }
  decltype(auto) await_resume() { return operation_.await_resume(); }

 private:
  Operation& operation_;
  milestone& suspended_;
};

/// A task that is started by hand, and can be destroyed while it waits.
class loose_task {
 public:
  explicit loose_task(task<> body) noexcept : task_{std::move(body)} {}

  void start_on(executor& where) noexcept {
    const auto coroutine = detail::task_access::coroutine(task_);
    coroutine.promise().set_continuation(std::noop_coroutine());
    place_.task = coroutine;
    place_.home = &where;
    where.schedule(place_);
  }

  /// REQUIRES: it waits in a line, as the caller has seen.
  void destroy() noexcept { const task<> gone = std::move(task_); }

 private:
  task<> task_;
  waiter place_;
};

/// Destroys a task in the line of a mutex while the mutex is passed on to the task before
/// it. `own_until(m, waits, gone)` waits for the mutex, says so, and unlocks when the other
/// task is gone; `wait_for_ever(m, waits)` is destroyed.
template <class Mutex, class OwnUntil, class WaitForEver>
void destroy_in_line(OwnUntil own_until, WaitForEver wait_for_ever) {
  milestone first_waits;
  milestone second_waits;
  milestone gone;
  thread_pool pool{small_pool()};
  Mutex m;
  loose_task doomed{wait_for_ever(m, second_waits)};
  verify(m.try_lock(), "it is free");
  platform::thread other{[&] {
    first_waits.await();
    doomed.start_on(pool);
    second_waits.await();
    m.unlock_dispatch();
  }};
  platform::thread destroying{[&] {
    second_waits.await_and_see();
    doomed.destroy();
    gone.reach();
  }};
  sync_wait(pool, own_until(m, first_waits, gone));
  other.join();
  destroying.join();
  verify(m.try_lock(), "ownership is not lost");
  m.unlock_dispatch();
}

}  // namespace hotseat::testing
