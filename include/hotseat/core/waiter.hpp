// hotseat/core/waiter.hpp — a suspended task, waiting in line.
// Layer: core.  Read next: core/waiter_queue.hpp.
#pragma once

#include <hotseat/platform/seam.hpp>

#include <cstdint>

#include <coroutine>

namespace hotseat {

class executor;  // Where a task runs; opaque to this layer.

/// For operations, which seldom suspend, and set a place in line only when they do.
struct set_later {};

/// One place in one line: of a lock, or of an executor.  Lives in the frame of the task it
/// describes, so waiting never allocates, and dies as soon as that task is resumed.
struct waiter {
  std::coroutine_handle<> task;   ///< Resumes the suspended task.
  platform::var<waiter*> next;    ///< Belongs to the line that holds us.
  platform::var<executor*> home;  ///< Where it runs when it is not exchanged.
  /// Travels with the task; see sched/this_thread.hpp.
  platform::var<std::uint32_t> locks_held;

  constexpr waiter() noexcept : next{nullptr}, home{nullptr}, locks_held{0} {}
  /// Sets `task` to nobody, and nothing else: stores before an atomic operation make that
  /// one slower, and most locks are free.
  explicit waiter(set_later) noexcept {}

  void set(std::coroutine_handle<> who, executor* where, std::uint32_t locks = 0) noexcept {
    task = who;
    next = nullptr;
    home = where;
    locks_held = locks;
  }
};

}  // namespace hotseat
