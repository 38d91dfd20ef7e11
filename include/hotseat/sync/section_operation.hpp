// hotseat/sync/section_operation.hpp — a section as a function that whoever has the lock
// may run. Layer: sync.  Read next: sched/combine.hpp.
#pragma once

#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/result_slot.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/sched/combine.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/sched/handoff.hpp>
#include <hotseat/sched/this_thread.hpp>
#include <hotseat/sched/wait_operation.hpp>
#include <hotseat/trace/trace.hpp>

#include <concepts>
#include <coroutine>
#include <cstdint>
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
/// If the wait is limited, gives a std::optional of the result, or a bool if there is none:
/// empty or false if the time was over, or it was told to stop, before the section was
/// begun.  A section that has begun counts as granted.  Until the await has returned, the
/// lock must not be destroyed: the limits may still look into its line.
///
/// `Lock` is what the state of the lock offers: try_acquire, acquire_or_enqueue, release,
/// leave.  A `Waiter` in its line wants the lock for itself unless it says otherwise.
template <handoff_policy Handoff, class Lock, class Section,
          std::derived_from<line_waiter> Waiter = line_waiter,
          class Limits = detail::unlimited>
class [[nodiscard("co_await it")]] section_operation
    : public Limits::template wait<
          section_operation<Handoff, Lock, Section, Waiter, Limits>, Waiter> {
  using base = typename Limits::template wait<section_operation, Waiter>;
  using heirs = decltype(std::declval<Lock&>().release());
  using result = std::invoke_result_t<Section&>;
  static constexpr bool is_limited = std::same_as<Limits, detail::limited>;
  static_assert(!is_limited || !std::is_reference_v<result>,
                "a section that may not run gives a value, or a pointer");

 public:
  template <class... Until>
  section_operation(Lock& lock, Section section, Until&&... until) noexcept(
      std::is_nothrow_move_constructible_v<Section>)
      : base{std::forward<Until>(until)...}, lock_{lock}, section_{std::move(section)} {
    if constexpr (!is_limited) this->special = &special_;  // Limits have one of their own.
    this->special->on_turn = &take_turn;
  }

  ~section_operation() {
    // If its turn has been, the lock may be gone.
    if (is_done_) {
      this->require_resumed();
    } else {
      this->abandon();
    }
  }

  bool await_ready() noexcept {
    if (!lock_.try_acquire()) return false;
    run_and_release();
    return is_left_at_once();
  }

  bool await_suspend(std::coroutine_handle<> self) noexcept(
      noexcept(base::await_suspend(self))) {
    if (is_done_) {
      this->begin(self);
    } else {
      if (base::await_suspend(self)) return true;  // Waiting: `this` may be gone.
      if (is_left_at_once()) return false;
    }
    if constexpr (Handoff::may_suspend) {
      return detail::exchange_or_combine<Handoff>(*this, heirs_, releasing(lock_));
    }
    return false;
  }

  result await_resume()
    requires(!is_limited)
  {
    this->end();
    return take_result();
  }

  [[nodiscard("the section may not have run")]] detail::if_called<result> await_resume()
    requires is_limited
  {
    if (!this->end()) return {};
    if constexpr (std::is_void_v<result>) {
      take_result();
      return true;
    } else {
      return detail::if_called<result>{std::in_place, take_result()};
    }
  }

 private:
  friend base;
  friend wait_operation<section_operation, Waiter>;

  bool join() noexcept {
    if (!lock_.acquire_or_enqueue(*this)) return false;  // `this` may be gone.
    run_and_release();
    return true;
  }
  bool leave() noexcept { return lock_.leave(*this); }

  result take_result() {
    if (!is_done_) {
      // We own the lock: nobody could run the section for us.
      run_here(trace::entry_waited);
      detail::pass_on<Handoff>(lock_.release(), releasing(lock_));
    }
    return result_.take();
  }

  struct nothing {};

  // Not through `this`, which may be gone while others' sections are run.
  static auto releasing(Lock& lock) noexcept {
    return [&lock]() noexcept { return lock.release(); };
  }

  static turn take_turn(line_waiter& who) noexcept {
    static_cast<section_operation&>(who).run(trace::entry_delegated);
    return turn::done;
  }

  void run(std::uint32_t how) noexcept {
    trace::note(trace::kind::section_entered, &lock_, how);
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
    trace::note(trace::kind::section_left, &lock_);
  }

  void run_here(std::uint32_t how) noexcept {
    detail::thread_state& here = this_thread();
    ++here.locks_held;
    run(how);
    --here.locks_held;
  }

  void run_and_release() noexcept {
    run_here(trace::entry_free);
    heirs_ = lock_.release();  // The last touch of the lock: an heir may destroy it.
  }

  /// Returns whether that was all; otherwise heirs_ are to be exchanged with.  There are
  /// none, too, if others have run the section, or will not.
  bool is_left_at_once() noexcept {
    if (detail::is_nobody(heirs_)) return true;
    if constexpr (!Handoff::may_suspend) {
      detail::pass_on<Handoff, Handoff>(heirs_, releasing(lock_));
      return true;
    }
    return false;
  }

  Lock& lock_;
  Section section_;
  [[no_unique_address]] std::conditional_t<is_limited, nothing, special_wait> special_;
  bool is_done_ = false;
  heirs heirs_{};
  detail::result_slot<result> result_;
};

template <handoff_policy Handoff, class Lock, class Section,
          std::derived_from<line_waiter> Waiter = line_waiter>
using limited_section_operation =
    section_operation<Handoff, Lock, Section, Waiter, detail::limited>;

}  // namespace hotseat
