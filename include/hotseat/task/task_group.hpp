// hotseat/task/task_group.hpp — any number of tasks, started one by one and joined
// together. Layer: task.
#pragma once

#include <hotseat/core/assert.hpp>
#include <hotseat/core/pinned.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sched/current.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/sched/run.hpp>
#include <hotseat/task/detail/root.hpp>
#include <hotseat/task/task.hpp>

#include <coroutine>
#include <cstddef>
#include <exception>
#include <stop_token>
#include <utility>

namespace hotseat {

/// Tasks that run on one executor and are joined together.
///
///     task_group g{pool};
///     for (auto& connection : connections) g.spawn(serve(connection));
///     co_await g.join();
///
/// `spawn` may be called from any thread, including by tasks of the group.  `join` waits
/// for all of them and throws the first exception that left one; after that the group can
/// be reused.  A group keeps no results, so it takes `task<>`: a task with a result sends
/// it through a channel, or is given to `when_all`.
/// REQUIRES: it is joined, or empty, when it is destroyed: its tasks cannot be taken back.
///
///     bits of left_   meaning
///     ─────────────   ─────────────────────────────────────────────
///     0               not joined: no joiner waits for the last task
///     1..             how many tasks have not ended
///
/// Memory order
///   J  acq_rel  left → less   ⟷ J   each end publishes the task's effects; the last one
///                                    brings them to the joiner
class task_group : pinned<task_group> {
 public:
  class [[nodiscard("co_await it")]] join_operation;

  explicit task_group(executor& where) : where_{where} {}
  ~task_group() {
    // Relaxed: a caller that knows that no task is left has it from `join`, or from
    // whatever else told it.
    require(left_.load(std::memory_order_relaxed) == not_joined, "task_group", this,
            "it must be joined before it is destroyed");
  }

  /// Starts `child` on the group's executor.
  void spawn(task<> child) {
    const std::coroutine_handle<> checked = detail::task_access::coroutine(child);
    static_cast<void>(checked);
    detail::root coroutine = run(*this, std::move(child));
    left_.fetch_add(one_task, std::memory_order_relaxed);
    detail::start(coroutine, where_, &token_);
  }

  /// Awaitable.  REQUIRES: one joiner at a time.
  join_operation join() noexcept;

  /// Asks all tasks of the group to stop.
  void request_stop() noexcept { stop_.request_stop(); }
  [[nodiscard]] const std::stop_token& stop_token() const noexcept { return token_; }

  /// How many of its tasks have not ended.  A glance.
  [[nodiscard]] std::size_t size() const noexcept {
    return left_.load(std::memory_order_relaxed) / one_task;
  }

 private:
  static constexpr std::size_t not_joined = 1;
  static constexpr std::size_t one_task = 2;

  static detail::root run(task_group& group, task<> child) {
    try {
      co_await child;
    } catch (...) {
      group.keep_first(std::current_exception());
    }
    // Destroys its locals before the group may be destroyed.
    {
      const task<> ended = std::move(child);
    }
    group.arrive();  // `group` may be gone.
  }

  void keep_first(std::exception_ptr error) noexcept {
    if (!has_failed_.exchange(true, std::memory_order_relaxed)) error_ = std::move(error);
  }

  /// Returns whether nothing is left: all tasks have ended, and the joiner waits.
  bool count_down(std::size_t what) noexcept {
    return left_.fetch_sub(what, std::memory_order_acq_rel) == what;  // J
  }

  void arrive() noexcept {
    if (!count_down(one_task)) return;
    platform::read_only_now();  // Only the last one knows that the group is still there.
    // We are about to end: the joiner may have this worker at once.
    continue_here(*static_cast<waiter*>(joiner_));
  }

  executor& where_;
  platform::atomic<std::size_t> left_{not_joined};
  platform::var<waiter*> joiner_ = nullptr;
  platform::atomic<bool> has_failed_{false};
  std::exception_ptr error_;
  std::stop_source stop_;
  std::stop_token token_ = stop_.get_token();
};

class task_group::join_operation : pinned<join_operation> {
 public:
  bool await_ready() const noexcept {
    return group_.left_.load(std::memory_order_acquire) == not_joined;  // J
  }

  bool await_suspend(std::coroutine_handle<> self) noexcept {
    detail::note_suspended(place_, self);
    group_.joiner_ = &place_;
    return !group_.count_down(not_joined);  // Suspended: `this` may be gone.
  }

  void await_resume() {
    if (place_.task) {
      detail::note_resumed(place_);
      group_.left_.store(not_joined, std::memory_order_relaxed);
    }
    group_.has_failed_.store(false, std::memory_order_relaxed);
    if (group_.error_) std::rethrow_exception(std::exchange(group_.error_, nullptr));
  }

 private:
  friend task_group;
  explicit join_operation(task_group& group) noexcept : group_{group} {}
  task_group& group_;
  waiter place_;
};

inline task_group::join_operation task_group::join() noexcept {
  return join_operation{*this};
}

}  // namespace hotseat
