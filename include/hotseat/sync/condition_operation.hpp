// hotseat/sync/condition_operation.hpp — the wait for a condition: gives the mutex away and
// takes it back. Layer: sync.  Read next: detail/condition_state.hpp.
#pragma once

#include <hotseat/core/line_waiter.hpp>
#include <hotseat/sched/combine.hpp>
#include <hotseat/sched/handoff.hpp>
#include <hotseat/sched/limits.hpp>
#include <hotseat/sched/this_thread.hpp>
#include <hotseat/sched/wait_operation.hpp>
#include <hotseat/sync/detail/condition_state.hpp>

#include <coroutine>
#include <exception>
#include <type_traits>
#include <utility>

namespace hotseat {

namespace detail {

/// Every notification is what we wait for.
template <class Result>
struct no_predicate {
  using result = Result;
  static constexpr bool is_asked = false;
  static bool holds() noexcept { return false; }
};

/// We wait until `call()`.
template <class Predicate, class Result>
struct until {
  using result = Result;
  static constexpr bool is_asked = true;
  Predicate call;
  bool holds() { return static_cast<bool>(call()); }
};

}  // namespace detail

/// Invariants
///   D1  The waiter leaves the condition once, notified or on its own, and from there goes
///       to the line of its mutex: the task runs only when it owns the mutex.
template <handoff_policy Handoff, class Mutex, class Condition>
class [[nodiscard("co_await it")]] condition_operation
    : public wait_operation<condition_operation<Handoff, Mutex, Condition>,
                            detail::condition_waiter> {
  using base = wait_operation<condition_operation, detail::condition_waiter>;
  using state_type = typename Mutex::state_type;

 public:
  condition_operation(detail::condition_state& condition, Mutex& m, Condition until,
                      wait_limits what)
      : condition_{condition},
        until_{std::move(until)},
        limits_{*this, &end_early, std::move(what)} {
    this->mutex = &m.state();
    this->verbs = &detail::verbs_of<state_type>;
    if constexpr (Condition::is_asked) {
      limits_.special().on_turn = &ask;
      limits_.special().must_be_asked = true;
    }
  }

  ~condition_operation() { this->abandon(); }

  bool await_ready() { return holds_ = until_.holds(); }

  bool await_suspend(std::coroutine_handle<> self) {
    limits_.prepare();
    this->begin(self);
    // The task does not own the mutex while it waits.
    trace::note(trace::kind::section_left, this->mutex);
    if (this->locks_held != 0) this->locks_held = this->locks_held - 1;
    const auto release = releasing();
    condition_.join(*this);
    limits_.watch();
    // Until may_suspend(), we stay, even if we have been notified and own the mutex again.
    line_waiter* heir = this->release_mutex();
    if (heir != nullptr) heir = detail::combine<Handoff>(heir, release);
    const bool is_suspended = limits_.special().may_suspend();
    // Suspended: `this` may be gone.
    if (is_suspended && Handoff::combines) {
      detail::run_in_slot(heir);
    } else if (heir != nullptr) {
      handoff::dispatch::hand_over(*heir);
    }
    return is_suspended;
  }

  typename Condition::result await_resume() {
    limits_.disarm();
    if (this->task) {
      this->end();
      detail::note_entered(this->mutex, trace::entry_waited);
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

  /// Out of the condition on our own: the mutex is needed all the same (D1).
  static bool end_early(line_waiter& who) noexcept {
    auto& self = static_cast<condition_operation&>(who);
    return self.condition_.leave(self) && self.go_to_mutex();
  }

  /// The task is being destroyed.
  bool leave() noexcept {
    limits_.disarm();
    return condition_.leave(*this) || this->verbs->leave(this->mutex, *this);
  }

  static turn ask(line_waiter& who) noexcept {
    auto& self = static_cast<condition_operation&>(who);
    if (!self.is_notified) return turn::owns;  // The time is over: the task looks itself.
    try {
      self.holds_ = self.until_.holds();
    } catch (...) {
      self.error_ = std::current_exception();
      return turn::owns;
    }
    if (self.holds_) return turn::owns;
    self.condition_.join(self);
    // An end that came while we were in the mutex's line has found nothing to do.  We stay
    // at least until the mutex is passed on, whoever takes us out of the condition now.
    const bool is_over = self.limits_.is_over() && self.condition_.leave(self);
    return is_over ? turn::owns : turn::moved;
  }

  auto releasing() const noexcept {
    return [mutex = this->mutex, verbs = this->verbs]() noexcept {
      return verbs->release(mutex);
    };
  }

  detail::condition_state& condition_;
  [[no_unique_address]] Condition until_;
  limits limits_;
  bool holds_ = false;
  std::exception_ptr error_;
};

}  // namespace hotseat
