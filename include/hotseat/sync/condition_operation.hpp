// hotseat/sync/condition_operation.hpp — the wait for a condition: releases the mutex and
// takes it back.  Layer: sync.  Read next: detail/condition_state.hpp.
#pragma once

#include <hotseat/core/line_waiter.hpp>
#include <hotseat/sched/acquire_operation.hpp>
#include <hotseat/sched/combine.hpp>
#include <hotseat/sched/current.hpp>
#include <hotseat/sched/handoff.hpp>
#include <hotseat/sched/wait_limits.hpp>
#include <hotseat/sync/detail/condition_state.hpp>
#include <hotseat/sync/detail/lock_access.hpp>
#include <hotseat/trace/trace.hpp>

#include <coroutine>
#include <exception>
#include <type_traits>
#include <utility>

namespace hotseat::detail {

/// Waits for any notification.
template <class Result>
struct no_predicate {
  using result = Result;
  static constexpr bool is_asked = false;
  static bool holds() noexcept { return false; }
};

/// Waits until `call()` is true.
template <class Predicate, class Result>
struct until {
  using result = Result;
  static constexpr bool is_asked = true;
  Predicate call;
  bool holds() { return static_cast<bool>(call()); }
};

/// Invariants
///   D1  The waiter leaves the condition once, notified or on its own, and goes to the line
///       of its mutex: the task runs only when it owns the mutex.
template <class Mutex, class Condition>
class [[nodiscard("co_await it")]] condition_operation
    : public wait_operation<condition_operation<Mutex, Condition>, condition_waiter,
                            unlimited> {
  using base = wait_operation<condition_operation, condition_waiter, unlimited>;
  using handoff_type = typename Mutex::handoff_type;

 public:
  condition_operation(condition_state& condition, Mutex& m, Condition until,
                      wait_limits limits)
      : condition_{condition},
        until_{std::move(until)},
        early_end_{*this, &end_early, std::move(limits)} {
    this->mutex = {&lock_access::state_of(m),
                   &verbs_of<typename Mutex::state_type, handoff_type::may_suspend>};
    if constexpr (Condition::is_asked) {
      early_end_.special().on_turn = &ask;
      early_end_.special().must_be_asked = true;
    }
  }

  ~condition_operation() { this->abandon(); }

  bool await_ready() { return holds_ = until_.holds(); }

  bool await_suspend(std::coroutine_handle<> self) {
    early_end_.prepare();
    note_left(this->mutex.state);  // The task does not own the mutex while it waits.
    note_suspended(*this, self);
    const any_mutex mine = this->mutex;
    condition_.join(*this);
    early_end_.watch();
    // Until may_suspend(), we stay, even if we have been notified and own the mutex again.
    line_waiter* heir = mine.release();
    if (heir != nullptr) heir = combine<handoff_type>(heir, mine);
    const bool is_suspended = early_end_.special().may_suspend();
    // Suspended: `this` may be gone.
    if (is_suspended && handoff_type::combines) {
      run_in_slot(heir);
    } else if (heir != nullptr) {
      handoff::dispatch::hand_over(*heir);
    }
    return is_suspended;
  }

  typename Condition::result await_resume() {
    early_end_.disarm();
    if (this->task) {
      this->end();
      note_entered(this->mutex.state, trace::entry_waited);
      if (error_) std::rethrow_exception(std::move(error_));
      if (Condition::is_asked && !this->is_notified) holds_ = until_.holds();
    }
    if constexpr (std::is_same_v<typename Condition::result, bool>) {
      if (Condition::is_asked) return holds_;
      return this->is_notified;
    }
  }

 private:
  friend base;

  /// Leaves the condition without a notification; the task still needs the mutex (D1).
  static bool end_early(line_waiter& who) noexcept {
    auto& self = static_cast<condition_operation&>(who);
    return self.condition_.leave(self) && self.go_to_mutex();
  }

  /// The task is being destroyed.
  bool leave() noexcept {
    early_end_.disarm();
    return condition_.leave(*this) || this->mutex.leave(*this);
  }

  static turn ask(line_waiter& who) noexcept {
    auto& self = static_cast<condition_operation&>(who);
    if (!self.is_notified) return turn::owns;  // Timeout or stop: the task asks itself.
    try {
      self.holds_ = self.until_.holds();
    } catch (...) {
      self.error_ = std::current_exception();
      return turn::owns;
    }
    if (self.holds_) return turn::owns;
    self.condition_.join(self);
    // A timeout or stop while we were in the mutex's line had no effect.  We stay at least
    // until the mutex is passed on, whatever takes us out of the condition now.
    const bool is_over = self.early_end_.was_attempted() && self.condition_.leave(self);
    return is_over ? turn::owns : turn::moved;
  }

  condition_state& condition_;
  [[no_unique_address]] Condition until_;
  early_end early_end_;
  bool holds_ = false;
  std::exception_ptr error_;
};

}  // namespace hotseat::detail
