// hotseat/core/waiter.hpp — a suspended task that waits in line, and a queue of them.
// Layer: core.  Read next: core/line_waiter.hpp (the line of a primitive).
#pragma once

#include <hotseat/platform/seam.hpp>

#include <coroutine>
#include <cstdint>

namespace hotseat {

class executor;  // Where a task runs; opaque to this layer.

/// For operations, which seldom suspend: a place in line is set only when they do.
struct set_later {};

/// A task's place in one line, of a lock or of an executor.  It lives in the task's frame,
/// so waiting never allocates, and it may be gone as soon as the task is resumed.
struct waiter {
  std::coroutine_handle<> task;   ///< Resumes the suspended task.
  platform::var<waiter*> next;    ///< Belongs to the line that it is in.
  platform::var<executor*> home;  ///< Where the task runs unless it is exchanged.
  /// Travels with the task; see sched/current.hpp.
  platform::var<std::uint32_t> locks_held;

  constexpr waiter() noexcept : next{nullptr}, home{nullptr}, locks_held{0} {}
  /// Sets `task` to null, and nothing else: stores before an atomic operation slow it down,
  /// and most locks are free.
  explicit waiter(set_later) noexcept {}

  void set(std::coroutine_handle<> who, executor* where, std::uint32_t locks = 0) noexcept {
    task = who;
    next = nullptr;
    home = where;
    locks_held = locks;
  }
};

/// An intrusive FIFO.  Not thread-safe: only one task may touch it at a time.
class waiter_queue {
 public:
  [[nodiscard]] bool empty() const noexcept { return head_ == nullptr; }

  /// The oldest waiter, or null.
  [[nodiscard]] waiter* front() const noexcept { return head_; }

  void push_back(waiter& w) noexcept {
    w.next = nullptr;
    if (head_ == nullptr) {
      head_ = &w;
    } else {
      tail_->next = &w;
    }
    tail_ = &w;
  }

  /// REQUIRES: !empty().
  [[nodiscard]] waiter& pop_front() noexcept {
    waiter& front = *head_;
    head_ = front.next;
    return front;
  }

 private:
  platform::var<waiter*> head_ = nullptr;
  platform::var<waiter*> tail_ = nullptr;  // Meaningless while the queue is empty.
};

/// Reverses a stack of arrivals, newest first, and returns the oldest.
[[nodiscard]] inline waiter* oldest_first(waiter* newest) noexcept {
  waiter* oldest = nullptr;
  while (newest != nullptr) {
    waiter* const older = newest->next;
    newest->next = oldest;
    oldest = newest;
    newest = older;
  }
  return oldest;
}

}  // namespace hotseat
