// hotseat/sched/worker_scope.hpp — a thread as the worker of an executor.
// Layer: sched.  Read next: examples/07_own_executor.cpp.
#pragma once

#include <hotseat/core/pinned.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/sched/current.hpp>
#include <hotseat/sched/executor.hpp>

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <span>

namespace hotseat {

/// Makes the calling thread a worker of `where` while it lives.
///
///     void run_loop::work() {                   // on each thread of an executor of yours
///       hotseat::worker_scope worker{*this};
///       while (hotseat::waiter* ready = wait_for_one()) worker.run(*ready);
///     }
///
/// Tasks that run in it hand over to each other on this thread, as they do on a
/// thread_pool. Scopes may be nested.
///
/// The virtual functions are what the running task asks of its own worker.  The defaults
/// hand everything to `executor::schedule`; override them in a derived class where yours
/// can do better.
class worker_scope : pinned<worker_scope> {
 public:
  /// Exchanges in a row after which a lock's heir is sent to another worker.
  static constexpr std::uint32_t default_chain_limit = 1024;

  explicit worker_scope(executor& where,
                        std::uint32_t chain_limit = default_chain_limit) noexcept;
  virtual ~worker_scope();

  /// Resumes a task, and then each one that continues in its place, until none does.
  /// `ready` is gone then.  Not to be called inside a task.
  void run(waiter& ready) { run(std::coroutine_handle<>{ready.task}); }
  void run(std::coroutine_handle<> task);

  /// The scope of the calling thread, or null if it is not a worker.
  [[nodiscard]] static worker_scope* current() noexcept { return detail::current().worker; }

  /// Runs the task that `continue_here` was given outside of a task, if any.
  void run_continued();

  /// A task has left a section that another one has entered here.  `is_followed`: more
  /// tasks wait in the same line, so this will soon be called again, and need not wake a
  /// thread each time.  `self` may be gone on return.
  virtual void schedule_left(waiter& self, bool is_followed) noexcept;

  /// The chain of exchanges has reached its limit: sends the heir, which owns a lock, to
  /// another worker.  Returns false, and the chain goes on, if that would not help, for
  /// instance because idle workers take this one's tasks.
  [[nodiscard]] virtual bool send_elsewhere(waiter& heir) noexcept;

  /// Like `schedule`, behind everything that is ready now.
  virtual void schedule_last(waiter& ready) noexcept;

  /// Like `schedule`, for tasks that the caller has just created and will wait for; the
  /// last one first, so that a worker that takes the newest walks a tree of tasks in depth.
  virtual void fork_all(std::span<waiter> children) noexcept;

  /// Whether any task waits for this worker; if not, `reschedule` would only resume its
  /// caller.  A glance.
  [[nodiscard]] virtual bool has_ready() const noexcept { return true; }

 protected:
  [[nodiscard]] executor& home() const noexcept { return where_; }

 private:
  executor& where_;
  const detail::thread_state former_;
};

}  // namespace hotseat
