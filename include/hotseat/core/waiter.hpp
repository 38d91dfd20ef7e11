// hotseat/core/waiter.hpp — a suspended task, waiting in line.
// Layer: core.  Read next: core/waiter_queue.hpp.
#pragma once

#include <cstdint>

#include <coroutine>

namespace hotseat {

class executor;  // Where a task runs; opaque to this layer.

/// One place in one line: of a lock, or of an executor.  Lives in the frame of the task it
/// describes, so waiting never allocates, and dies as soon as that task is resumed.
struct waiter {
  std::coroutine_handle<> task;  ///< Resumes the suspended task.
  waiter* next = nullptr;        ///< Belongs to the line that holds us.
  executor* home = nullptr;      ///< Where the task runs when it is not exchanged.
  std::uint32_t locks_held = 0;  ///< Travels with the task; see sched/this_thread.hpp.
};

}  // namespace hotseat
