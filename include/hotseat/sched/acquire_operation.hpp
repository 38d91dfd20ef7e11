// hotseat/sched/acquire_operation.hpp — waiting in the line of a primitive: the one
// operation behind every lock, acquire and wait.  Layer: sched.
// Read next: core/line_waiter.hpp, sched/wait_limits.hpp.
#pragma once

#include <hotseat/core/assert.hpp>
#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/pinned.hpp>
#include <hotseat/sched/current.hpp>
#include <hotseat/sched/wait_limits.hpp>
#include <hotseat/trace/trace.hpp>

#include <concepts>
#include <coroutine>
#include <type_traits>
#include <utility>

namespace hotseat::detail {

/// Whether the limits of a wait are known to be none: parameters of operations that exist
/// in both forms.
struct unlimited {};
struct limited {};

/// The limits of an operation that derives from `Waiter`, and what is done for them.
template <class Limits>
struct limits_of {
  limits_of(line_waiter&, early_end::leave_function) noexcept {}
  static void prepare() noexcept {}
  static bool arm() noexcept { return true; }
  static void disarm() noexcept {}
  static bool is_granted() noexcept { return true; }
};
template <>
struct limits_of<limited> {
  limits_of(line_waiter& who, early_end::leave_function leave, wait_limits limits) noexcept
      : end{who, leave, std::move(limits)} {}
  void prepare() { end.prepare(); }
  [[nodiscard]] bool arm() noexcept { return end.arm(); }
  void disarm() noexcept { end.disarm(); }
  [[nodiscard]] bool is_granted() const noexcept {
    return end.how_it_ended() == outcome::granted;
  }
  early_end end;
};

/// What all waits have in common.  `Derived` has
///
///     bool join()    joins the line; true if there is nothing to wait for.  On false,
///                    `this` may be gone.
///     bool leave()   takes it out of the line; false if it has been taken out (W1).
///     ~Derived()     calls abandon(), while all members are still there.
///
/// `Waiter` is a line_waiter, perhaps with what it wants.
///
/// A task that is destroyed while it waits leaves the line.  A task that was granted, and
/// is on its way through an executor, must not be destroyed.
template <class Derived, std::derived_from<line_waiter> Waiter, class Limits>
class wait_operation : protected Waiter, pinned<wait_operation<Derived, Waiter, Limits>> {
 public:
  static constexpr bool is_limited = std::same_as<Limits, limited>;

  bool await_suspend(std::coroutine_handle<> self) noexcept(!is_limited) {
    limits_.prepare();
    note_suspended(*this, self);
    // With limits, `this` stays until arm() returns (line_waiter.hpp).
    if (derived().join()) return false;
    return limits_.arm();  // Suspended: `this` may be gone.
  }

 protected:
  template <class... Given>
  explicit wait_operation(Given&&... limits) noexcept
      : Waiter{set_later{}}, limits_{*this, &leave_line, std::forward<Given>(limits)...} {}
  ~wait_operation() = default;

  /// In the destructor: a task that is destroyed while it waits leaves the line.
  void abandon() noexcept {
    if (this->task) [[unlikely]]
      abandon_slow();
  }
  /// The same for a waiter that is no longer in a line.
  void require_resumed() const noexcept { require_waiting(!this->task); }

  /// In await_resume, whether it has waited or not.  Returns whether it was granted.
  bool end() noexcept {
    limits_.disarm();
    if (this->task) {
      note_resumed(*this);
      this->task = nullptr;
    }
    return limits_.is_granted();
  }

  /// In await_resume, before end(), of an operation that enters a section.
  [[nodiscard]] trace::entry how_entered() const noexcept {
    return this->task ? trace::entry_waited : trace::entry_free;
  }

 private:
  Derived& derived() noexcept { return static_cast<Derived&>(*this); }

  static bool leave_line(line_waiter& who) noexcept {
    return static_cast<wait_operation&>(who).derived().leave();
  }

  void abandon_slow() noexcept {
    limits_.disarm();
    require_waiting(derived().leave());
  }

  void require_waiting(bool may_be_destroyed) const noexcept {
    require(may_be_destroyed, "wait", this,
            "a task that has been made ready must not be destroyed");
  }

  [[no_unique_address]] limits_of<Limits> limits_;
};

/// Waits until it is granted.  `Line` is small, copied, and has
///
///     waiter                  what stands in the line: a line_waiter, perhaps with more
///     try_acquire(w)          without waiting
///     acquire_or_enqueue(w)   true if it was granted; on false `w` belongs to the line,
///                             and `this` may be gone
///     leave(w)                takes it out of the line; false if it is not in it (W1)
///     section()               if it is a lock: its address, for recordings
///     result(w)               what the wait returns, if more than whether it was granted;
///     result(w, is_granted)   the same with limits
template <class Line, class Limits = unlimited>
class [[nodiscard("co_await it")]] acquire_operation
    : public wait_operation<acquire_operation<Line, Limits>, typename Line::waiter,
                            Limits> {
  using waiter_type = typename Line::waiter;
  using base = wait_operation<acquire_operation, waiter_type, Limits>;
  static constexpr bool has_result = requires(Line& l, waiter_type& w) { l.result(w); };

 public:
  template <class... Given>
  explicit acquire_operation(Line line, Given&&... limits) noexcept
      : base{std::forward<Given>(limits)...}, line_{std::move(line)} {}
  ~acquire_operation() { this->abandon(); }

  bool await_ready() noexcept { return line_.try_acquire(*this); }

  void await_resume() noexcept
    requires(!base::is_limited && !has_result)
  {
    finish();
  }
  [[nodiscard("it may not have been granted")]] bool await_resume() noexcept
    requires(base::is_limited && !has_result)
  {
    return finish();
  }
  [[nodiscard("it may not have been granted")]] auto await_resume() noexcept(
      noexcept(std::declval<Line&>().result(std::declval<waiter_type&>())))
    requires has_result
  {
    const bool is_granted = finish();
    if constexpr (base::is_limited) {
      return line_.result(*this, is_granted);
    } else {
      return line_.result(*this);
    }
  }

 private:
  friend base;

  bool join() noexcept {
    if (!line_.acquire_or_enqueue(*this)) return false;  // `this` may be gone.
    this->task = nullptr;                                // It has not waited.
    return true;
  }
  bool leave() noexcept { return line_.leave(*this); }

  bool finish() noexcept {
    if constexpr (requires { line_.section(); }) {
      const trace::entry how = this->how_entered();
      const bool is_granted = this->end();
      if (is_granted) note_entered(line_.section(), how);
      return is_granted;
    } else {
      return this->end();
    }
  }

  [[no_unique_address]] Line line_;
};

}  // namespace hotseat::detail
