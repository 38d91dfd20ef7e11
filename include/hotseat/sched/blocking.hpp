// hotseat/sched/blocking.hpp — a plain thread in the line of a primitive.
// Layer: sched.
#pragma once

#include <hotseat/core/awaitable.hpp>
#include <hotseat/core/pinned.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/platform/parker.hpp>
#include <hotseat/sched/alarm_clock.hpp>
#include <hotseat/sched/dispatch.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/sched/this_thread.hpp>

#include <concepts>
#include <coroutine>
#include <utility>

namespace hotseat {

/// Plays the executor of one waiter whose task is the calling thread itself: `schedule`
/// wakes the thread.  So a primitive dispatches it like any other task, and its alarm rings
/// on the thread that waits for it.
class blocked_thread final : private executor, private alarm_clock, pinned<blocked_thread> {
 public:
  blocked_thread() = default;

  /// The home of the waiter.
  [[nodiscard]] executor& home() noexcept { return *this; }

  /// Blocks until somebody calls `wake`, or has called it.
  void wait() noexcept {
    detail::run_homeless();  // They have no other thread, and may be what we wait for.
    while (alarm_ != nullptr) {
      if (bed_.park_until(alarm_->due)) return;
      alarm* const due = std::exchange(alarm_, nullptr);
      due->ring(*due);
    }
    bed_.park();
  }

  // The thread may return from `wait` and destroy us before unpark returns: see parker.
  void wake() noexcept { bed_.unpark(); }

 private:
  void schedule(waiter&) noexcept override { wake(); }
  [[nodiscard]] alarm_clock* timers() noexcept override { return this; }
  void start() override {}
  [[nodiscard]] bool set(alarm& a) noexcept override {
    alarm_ = &a;
    return true;
  }
  void withdraw(alarm&) noexcept override { alarm_ = nullptr; }

  alarm* alarm_ = nullptr;  // Touched by the thread that waits, and nobody else.
  platform::parker bed_;
};

namespace detail {

/// An operation that does not continue with another coroutine in place of ours.
template <class Operation>
concept blocks_threads = awaiter<Operation> && requires(Operation& operation) {
  requires std::same_as<decltype(operation.await_suspend(std::noop_coroutine())), void> ||
               std::same_as<decltype(operation.await_suspend(std::noop_coroutine())), bool>;
};

/// Blocks the calling thread where `co_await` would suspend, and gives the result.
/// REQUIRES: it is not ready.
template <blocks_threads Operation>
decltype(auto) block_until_resumed(Operation& operation) {
  blocked_thread self;  // Until the result is there: the operation may have set its alarm.
  thread_state& here = this_thread();
  if constexpr (config::records_traces) here.is_traced = trace::is_on();
  executor* const former = std::exchange(here.here, &self.home());
  const std::coroutine_handle<> nobody = std::noop_coroutine();
  bool is_suspended = true;
  if constexpr (std::same_as<decltype(operation.await_suspend(nobody)), void>) {
    operation.await_suspend(nobody);
  } else {
    is_suspended = operation.await_suspend(nobody);
  }
  here.here = former;
  if (is_suspended) self.wait();
  return operation.await_resume();
}

}  // namespace detail

/// Waits for an operation of a primitive as `co_await` would, but blocks the calling
/// thread: for threads that are no workers.  What the operation resumes by handing over,
/// it dispatches.
///
///     block_on(m.lock());
///     const bool in_time = block_on(done.wait_for(10ms));
template <class Operation>
  requires detail::blocks_threads<std::remove_cvref_t<Operation>>
decltype(auto) block_on(Operation&& operation) {
  if (operation.await_ready()) return operation.await_resume();
  return detail::block_until_resumed(operation);
}

}  // namespace hotseat
