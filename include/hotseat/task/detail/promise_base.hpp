// hotseat/task/detail/promise_base.hpp — what the promises of all tasks share.
// Layer: task/detail.  Read next: task/task.hpp.
#pragma once

#include <hotseat/core/lazy_start.hpp>
#include <hotseat/sched/run.hpp>
#include <hotseat/task/detail/frame_allocator.hpp>
#include <hotseat/task/detail/join_counter.hpp>

#include <coroutine>
#include <stop_token>

namespace hotseat::detail {

class promise_base : public recycled_frame, public lazy_start {
 public:
  /// Continues with the task that waits for us.
  class final_operation {
   public:
    static bool await_ready() noexcept { return false; }
    template <class Promise>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> done) noexcept {
      promise_base& self = done.promise();
      if (self.join_ == nullptr) [[likely]] {
        return transfer_to(self.continuation_);
      }
      const std::coroutine_handle<> last = self.join_->arrive();  // `self` may be gone.
      if (last) return transfer_to(last);
      return std::noop_coroutine();
    }
    static void await_resume() noexcept {}
  };
  static final_operation final_suspend() noexcept { return {}; }

  /// When done, resume `waiting`.
  void set_continuation(std::coroutine_handle<> waiting) noexcept {
    continuation_ = waiting;
  }
  /// When done, arrive at `join`.
  void set_join(join_counter& join) noexcept { join_ = &join; }

  /// The token of the nearest task above us that has its own; a pointer, since copying a
  /// token for every task would cost an atomic operation.
  [[nodiscard]] const std::stop_token* stop_token() const noexcept { return stop_; }
  void set_stop_token(const std::stop_token* token) noexcept { stop_ = token; }

 private:
  std::coroutine_handle<> continuation_;
  join_counter* join_ = nullptr;
  const std::stop_token* stop_ = nullptr;
};

}  // namespace hotseat::detail
