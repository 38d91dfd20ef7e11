// hotseat/rebound/static_lock.hpp — fibers take their sections to a dedicated worker.
#pragma once

#include <hotseat/fiber/fiber_mutex.hpp>
#include <hotseat/rebound/fiber_condition.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/sched/handoff.hpp>
#include <hotseat/sync/lock_state.hpp>

namespace hotseat::rebound {

/// The worker that runs all sections of all static locks, for the lifetime of the process.
[[nodiscard]] executor& section_server();

/// The idea of Remote Core Locking (Lozi et al., USENIX ATC 2012) on fibers: one core is
/// set aside.  A fiber that locks moves there, and back when its section ends, contended or
/// not. So sections share data with no other core, but each of them costs two moves.
///
/// Mutual exclusion does not depend on it: plain threads, which cannot move, and sections
/// that wait for a condition use the mutex, too.
class static_lock {
 public:
  void lock() noexcept;
  void unlock() noexcept;

 private:
  friend class static_condition;

  // The smaller of the two states, since home_ must fit into a std::mutex, too.
  basic_fiber_mutex<handoff::dispatch, lock_state::spin_locked> mutex_;
  executor* home_ = nullptr;  // Where the owner came from; null if it has not moved.
};

class static_condition {
 public:
  void wait(static_lock& owned) noexcept {
    executor* const home = owned.home_;
    condition_.wait(owned.mutex_);
    owned.home_ = home;
  }
  void notify_one() noexcept { condition_.notify_one(); }
  void notify_all() noexcept { condition_.notify_all(); }

 private:
  fiber_condition condition_;
};

}  // namespace hotseat::rebound
