// hotseat/sync/section_operation.hpp — a section as a function that whoever has the lock
// may run. Layer: sync.  Read next: sync/detail/combine.hpp.
#pragma once

#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/result_slot.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/sched/handoff.hpp>
#include <hotseat/sched/this_thread.hpp>
#include <hotseat/sched/wait_operation.hpp>
#include <hotseat/sync/detail/combine.hpp>

#include <concepts>
#include <coroutine>
#include <exception>
#include <type_traits>
#include <utility>

namespace hotseat {

/// Owns a lock for the time of one call of `Section`, and gives its result.
///
/// If the lock is free, the section runs here.  If not, its waiter stands in line like any
/// other; but when its turn comes, the worker that has the lock calls the section itself
/// and goes on with the next in line.  The waiting task is resumed afterwards, with the
/// result or the exception.  So a line of such waiters costs no switch at all, and the
/// protected data stay in the cache, or even in the registers, of one core.
///
/// `Lock` is what the state of the lock offers: try_acquire, acquire_or_enqueue, release,
/// leave.  A `Waiter` in its line wants the lock for itself unless it says otherwise.
template <handoff_policy Handoff, class Lock, class Section,
          std::derived_from<line_waiter> Waiter = line_waiter>
class [[nodiscard("co_await it")]] section_operation
    : public wait_operation<section_operation<Handoff, Lock, Section, Waiter>, Waiter> {
  using base = wait_operation<section_operation, Waiter>;
  using heirs = decltype(std::declval<Lock&>().release());
  using result = std::invoke_result_t<Section&>;

 public:
  section_operation(Lock& lock,
                    Section section) noexcept(std::is_nothrow_move_constructible_v<Section>)
      : lock_{lock}, section_{std::move(section)} {
    special_.on_turn = &take_turn;
    this->special = &special_;
  }

  ~section_operation() { this->abandon(); }

  bool await_ready() noexcept {
    if (!lock_.try_acquire()) return false;
    run_here();
    return leave_at_once();
  }

  bool await_suspend(std::coroutine_handle<> self) noexcept {
    this->begin(self);
    if (!is_done_) {
      if (!lock_.acquire_or_enqueue(*this)) return true;  // `this` may be gone.
      run_here();
      if (leave_at_once()) return false;
    }
    if constexpr (Handoff::may_suspend) {
      return detail::exchange_or_combine<Handoff>(*this, heirs_, releasing(lock_));
    }
    return false;
  }

  result await_resume() {
    this->end();
    if (!is_done_) {
      // We own the lock: nobody could run the section for us.
      run_here();
      detail::pass_on<Handoff>(lock_.release(), releasing(lock_));
    }
    return result_.take();
  }

 private:
  friend base;
  bool leave() noexcept { return !is_done_ && lock_.leave(*this); }

  // Not through `this`, which may be gone while others' sections are run.
  static auto releasing(Lock& lock) noexcept {
    return [&lock]() noexcept { return lock.release(); };
  }

  static turn take_turn(line_waiter& who) noexcept {
    static_cast<section_operation&>(who).run();
    return turn::done;
  }

  void run() noexcept {
    is_done_ = true;
    try {
      if constexpr (std::is_void_v<result>) {
        section_();
        result_.set_value();
      } else {
        result_.set_value(section_());
      }
    } catch (...) {
      result_.set_exception(std::current_exception());
    }
  }

  void run_here() noexcept {
    detail::thread_state& here = this_thread();
    ++here.locks_held;
    run();
    --here.locks_held;
  }

  /// Releases the lock.  Returns whether that was all; otherwise heirs_ are to be
  /// exchanged with.
  bool leave_at_once() noexcept {
    heirs_ = lock_.release();  // The last touch of the lock: an heir may destroy it.
    if (detail::is_nobody(heirs_)) return true;
    if constexpr (!Handoff::may_suspend) {
      detail::pass_on<Handoff, Handoff>(heirs_, releasing(lock_));
      return true;
    }
    return false;
  }

  Lock& lock_;
  Section section_;
  special_wait special_;
  bool is_done_ = false;
  heirs heirs_{};
  detail::result_slot<result> result_;
};

}  // namespace hotseat
