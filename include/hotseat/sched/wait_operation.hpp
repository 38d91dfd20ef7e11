// hotseat/sched/wait_operation.hpp — the waiting that the operations of all primitives
// share. Layer: sched.  Read next: core/line_waiter.hpp, sched/limits.hpp.
#pragma once

#include <hotseat/core/assert.hpp>
#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/pinned.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/sched/limits.hpp>
#include <hotseat/sched/this_thread.hpp>

#include <concepts>
#include <coroutine>
#include <optional>
#include <type_traits>
#include <utility>

namespace hotseat {

/// Base of an operation that may wait in a line.  `Derived` has
///
///     bool join()    joins the line; true if there is nothing to wait for.  On false,
///                    `this` may be gone.
///     bool leave()   takes it out of the line; false if it has been taken out (W1).
///     ~Derived()     calls abandon(), while all members are still there.
///
/// `Waiter` is a line_waiter, perhaps with what it wants.
///
/// A task that is destroyed while it waits leaves the line.  One that has been granted, and
/// is on its way through an executor, must not be destroyed.
template <class Derived, std::derived_from<line_waiter> Waiter = line_waiter>
class wait_operation : protected Waiter, pinned<wait_operation<Derived, Waiter>> {
 public:
  bool await_suspend(std::coroutine_handle<> self) noexcept {
    begin(self);
    return !derived().join();  // Suspended: `this` may be gone.
  }

 protected:
  wait_operation() noexcept : Waiter{set_later{}} {}
  ~wait_operation() = default;

  /// In the destructor: a task that is destroyed while it waits leaves the line.
  void abandon() noexcept {
    if (this->task) [[unlikely]]
      abandon_slow();
  }

  void begin(std::coroutine_handle<> self) noexcept {
    const detail::thread_state& here = this_thread();
    this->set(self, here.here, here.locks_held);
  }

  /// In await_resume, before end(), of an operation that enters a section.
  void note_entry(const void* lock) const noexcept {
    if constexpr (config::records_traces) {
      if (this_thread().is_traced) [[unlikely]]
        trace::note(trace::kind::section_entered, lock, how_entered());
    }
  }
  [[nodiscard]] trace::entry how_entered() const noexcept {
    return this->task ? trace::entry_waited : trace::entry_free;
  }

  /// In await_resume, whether it has waited or not.
  void end() noexcept {
    if (!this->task) return;
    this_thread().locks_held = this->locks_held;
    this->task = nullptr;
  }

  /// In the destructor, instead of abandon(): it is in no line any more.
  void require_resumed() const noexcept { require_waiting(!this->task); }

 private:
  Derived& derived() noexcept { return static_cast<Derived&>(*this); }

  void abandon_slow() noexcept { require_waiting(derived().leave()); }

  void require_waiting(bool may_be_destroyed) const noexcept {
    require(may_be_destroyed, "wait", this,
            "a task that has been made ready must not be destroyed");
  }
};

/// The same for an operation that may end early.
template <class Derived, std::derived_from<line_waiter> Waiter = line_waiter>
class limited_operation : public wait_operation<Derived, Waiter> {
  using base = wait_operation<Derived, Waiter>;

 public:
  bool await_suspend(std::coroutine_handle<> self) {
    limits_.prepare();
    this->begin(self);
    // `this` stays until arm() returns: the limits are still to be set (line_waiter.hpp).
    if (derived().join()) return false;
    return limits_.arm();  // Suspended: `this` may be gone.
  }

 protected:
  explicit limited_operation(wait_limits what) noexcept
      : limits_{*this, &leave_line, std::move(what)} {}

  void abandon() noexcept {
    if (!this->task) return;
    limits_.disarm();
    base::abandon();
  }

  /// In await_resume.  Returns whether it was granted.
  [[nodiscard]] bool end() noexcept {
    limits_.disarm();
    base::end();
    return limits_.how_it_ended() == outcome::granted;
  }

 private:
  Derived& derived() noexcept { return static_cast<Derived&>(*this); }
  static bool leave_line(line_waiter& who) noexcept {
    return static_cast<limited_operation&>(who).derived().leave();
  }

  limits limits_;
};

namespace detail {

/// How long an operation waits, as a parameter of those that exist with and without limits.
/// `wait` is their base.
struct unlimited {
  template <class Derived, class Waiter = line_waiter>
  using wait = wait_operation<Derived, Waiter>;
};
struct limited {
  template <class Derived, class Waiter = line_waiter>
  using wait = limited_operation<Derived, Waiter>;
};

/// What a function that gives `Result` becomes if it may not be called at all: whether it
/// was, with the result.
template <class Result>
using if_called = std::conditional_t<std::is_void_v<Result>, bool, std::optional<Result>>;

}  // namespace detail

}  // namespace hotseat
