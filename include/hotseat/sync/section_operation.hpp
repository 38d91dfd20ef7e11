// hotseat/sync/section_operation.hpp — a section as a function that the worker with the
// lock may run.  Layer: sync.  Read next: sched/combine.hpp.
#pragma once

#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/result_slot.hpp>
#include <hotseat/sched/acquire_operation.hpp>
#include <hotseat/sched/combine.hpp>
#include <hotseat/sched/current.hpp>
#include <hotseat/sched/handoff.hpp>
#include <hotseat/sync/detail/lock_access.hpp>
#include <hotseat/trace/trace.hpp>

#include <concepts>
#include <coroutine>
#include <cstdint>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

namespace hotseat::detail {

/// The result of a call that may be skipped: bool for void, else optional.
template <class Result>
using if_called = std::conditional_t<std::is_void_v<Result>, bool, std::optional<Result>>;

/// Calls `Section` once while owning a lock, and yields its result.
///
/// If the lock is free, the section runs here.  If not, its waiter stands in line like any
/// other; but when its turn comes, the worker with the lock calls the section itself and
/// goes on with the next in line.  The waiting task is resumed afterwards, with the result
/// or the exception.  So a line of such waiters costs no switch, and the protected data
/// stay in the cache, or even in the registers, of one core.
///
/// With limits, yields an if_called: empty or false if the wait ended before the section
/// began.  A section that has begun counts as granted.  The lock must not be destroyed
/// until the await has returned: the limits may still look into its line.
///
/// `Line` is that of a lock (sched/acquire_operation.hpp, sched/release_operation.hpp).
template <handoff_policy Handoff, class Line, class Section, class Limits = unlimited>
class [[nodiscard("co_await it")]] section_operation
    : public wait_operation<section_operation<Handoff, Line, Section, Limits>,
                            typename Line::waiter, Limits> {
  using base = wait_operation<section_operation, typename Line::waiter, Limits>;
  using heirs = decltype(std::declval<Line&>().release());
  using result = std::invoke_result_t<Section&>;
  static_assert(!base::is_limited || !std::is_reference_v<result>,
                "a section that may not run gives a value, or a pointer");

 public:
  template <class... Given>
  section_operation(Line line, Section section, Given&&... limits) noexcept(
      std::is_nothrow_move_constructible_v<Section>)
      : base{std::forward<Given>(limits)...}, line_{line}, section_{std::move(section)} {
    if constexpr (!base::is_limited) this->special = &special_;  // Limits have their own.
    this->special->on_turn = &take_turn;
  }

  ~section_operation() {
    // After its turn, the lock may be gone.
    if (is_done_) {
      this->require_resumed();
    } else {
      this->abandon();
    }
  }

  bool await_ready() noexcept {
    if (!line_.try_acquire(*this)) return false;
    run_and_release();
    return is_left_at_once();
  }

  bool await_suspend(std::coroutine_handle<> self) noexcept(!base::is_limited) {
    if (is_done_) {
      note_suspended(*this, self);
    } else {
      if (base::await_suspend(self)) return true;  // Waiting: `this` may be gone.
      if (is_left_at_once()) return false;
    }
    if constexpr (Handoff::may_suspend) {
      return exchange_or_combine<Handoff>(*this, heirs_, line_);
    }
    return false;
  }

  result await_resume()
    requires(!base::is_limited)
  {
    this->end();
    return take_result();
  }

  [[nodiscard("the section may not have run")]] if_called<result> await_resume()
    requires(base::is_limited)
  {
    if (!this->end()) return {};
    if constexpr (std::is_void_v<result>) {
      take_result();
      return true;
    } else {
      return if_called<result>{std::in_place, take_result()};
    }
  }

 private:
  friend base;

  bool join() noexcept {
    if (!line_.acquire_or_enqueue(*this)) return false;  // `this` may be gone.
    run_and_release();
    return true;
  }
  bool leave() noexcept { return line_.leave(*this); }

  result take_result() {
    if (!is_done_) {
      // We own the lock: no worker ran the section for us.
      run_here(trace::entry_waited);
      pass_on<Handoff>(line_.release(), line_);
    }
    return result_.take();
  }

  static turn take_turn(line_waiter& who) noexcept {
    static_cast<section_operation&>(who).run(trace::entry_delegated);
    return turn::done;
  }

  void run(std::uint32_t how) noexcept {
    trace::note(trace::kind::section_entered, line_.section(), how);
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
    trace::note(trace::kind::section_left, line_.section());
  }

  void run_here(std::uint32_t how) noexcept {
    thread_state& here = current();
    ++here.locks_held;
    run(how);
    --here.locks_held;
  }

  void run_and_release() noexcept {
    run_here(trace::entry_free);
    heirs_ = line_.release();  // The last touch of the lock: an heir may destroy it.
  }

  /// Returns true if nothing is left to do; on false, the caller must exchange with heirs_,
  /// which is empty also if the section runs elsewhere or not at all.
  bool is_left_at_once() noexcept {
    if (is_nobody(heirs_)) return true;
    if constexpr (!Handoff::may_suspend) {
      pass_on<Handoff, Handoff>(heirs_, line_);
      return true;
    }
    return false;
  }

  struct nothing {};

  Line line_;
  Section section_;
  [[no_unique_address]] std::conditional_t<base::is_limited, nothing, special_wait>
      special_;
  bool is_done_ = false;
  heirs heirs_{};
  result_slot<result> result_;
};

/// Awaitable: calls `section` once while owning `m`.
template <class Mutex, std::invocable Section, class... Limits>
auto run_section(Mutex& m, Section section, Limits... limits) {
  using bound = std::conditional_t<sizeof...(Limits) == 0, unlimited, limited>;
  return section_operation<typename Mutex::handoff_type, decltype(lock_access::line_of(m)),
                           Section, bound>{lock_access::line_of(m), std::move(section),
                                           std::move(limits)...};
}

}  // namespace hotseat::detail
