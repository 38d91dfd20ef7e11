// hotseat/asio/detail/context_executor.hpp — an io_context as an executor of tasks.
#pragma once

#include <hotseat/asio/detail/asio.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/sched/timer_queue.hpp>
#include <hotseat/sched/worker_scope.hpp>

#include <coroutine>

namespace hotseat::asio::detail {

/// Lives as long as the context.  A thread that runs the context is its worker while it
/// runs one of our tasks.
class context_executor final : public executor, public net::execution_context::service {
 public:
  using key_type = context_executor;
  inline static net::execution_context::id id;

  explicit context_executor(net::execution_context& where)
      : service{where}, context_{static_cast<net::io_context&>(where)} {}

  void schedule(waiter& ready) noexcept override {
    // Deferred: a task that has left a section does not wake a thread for itself.
    net::defer(context_, [this, task = std::coroutine_handle<>{ready.task}] { run(task); });
  }
  [[nodiscard]] alarm_clock* timers() noexcept override { return &timers_; }

  /// On a thread that runs the context.  Inside of a task of ours, what goes on in its
  /// place runs when that one has returned.
  void run(std::coroutine_handle<> task) {
    if (executor::current() == this) return task.resume();
    worker_scope worker{*this};
    worker.run(task);
  }

  void shutdown() noexcept override { timers_.close(); }

 private:
  net::io_context& context_;
  timer_queue timers_;
};

}  // namespace hotseat::asio::detail
