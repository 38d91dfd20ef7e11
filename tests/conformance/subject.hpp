// hotseat/tests/conformance/subject.hpp — a primitive that tasks wait for, as the suite
// sees it, and how to add one.
#pragma once

#include <hotseat/core/awaitable.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sched/block_on.hpp>
#include <hotseat/sched/current.hpp>
#include <hotseat/sched/handoff.hpp>
#include <hotseat/sched/wait_limits.hpp>

#include <support/probes.hpp>

#include <concepts>
#include <coroutine>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace hotseat::conformance {

using testing::interrupted;
using testing::owned;

/// What happens to the caller and to the first waiter when it is let in.
enum class hand_over {
  exchanged,   ///< The waiter continues here; the caller is scheduled.
  dispatched,  ///< The waiter is scheduled; the caller goes on.
  nested,      ///< The waiter runs here first; then the caller goes on.
  combined,    ///< Its section runs here; the caller and the waiter are scheduled.
  run_nested,  ///< Its section runs here, it is scheduled, the caller goes on.
};

/// What the policy does with waiters that run their own section.
template <class Handoff>
constexpr hand_over hand_over_of =
    std::same_as<Handoff, handoff::exchange>   ? hand_over::exchanged
    : std::same_as<Handoff, handoff::dispatch> ? hand_over::dispatched
                                               : hand_over::nested;

/// The same for waiters whose sections other tasks may run.
template <class Handoff>
constexpr hand_over delegated_hand_over_of =
    std::same_as<Handoff, handoff::exchange>   ? hand_over::combined
    : std::same_as<Handoff, handoff::dispatch> ? hand_over::dispatched
                                               : hand_over::run_nested;

/// Facts about a primitive that the promises depend on.
struct traits {
  hand_over awaited;          ///< What let_in_awaited does.
  bool can_be_free = true;    ///< let_in without a waiter lets the next task in.
  bool serves_all = false;    ///< One let_in lets all waiters in; else they take turns.
  bool in_one_batch = false;  ///< And makes them all ready, in one batch.
  bool is_free_afterwards = true;  ///< When all are served, the next task need not wait.
  bool allocates = false;          ///< A wait makes a coroutine; frames are reused.
  bool looks_again = false;        ///< A late waiter takes what is there when it resumes.
  bool takes_mutex_back = false;   ///< A wait ends when the task owns a mutex again.
};

/// Taken when it is made: every task must wait until it is let in.
class subject {
 public:
  subject() = default;
  virtual ~subject() = default;
  subject(const subject&) = delete;
  subject& operator=(const subject&) = delete;

  /// Waits; notes its name when it is let in; then gives back what it was given, so that
  /// the next in line is let in.
  virtual owned wait(std::string& log, char name) = 0;

  /// The same, but notes '-' if the wait ended early.
  virtual owned wait(wait_limits until, std::string& log, char name) = 0;

  /// The same for the calling thread, which blocks.  Returns whether it was let in.
  virtual bool wait_blocking(wait_limits until) = 0;

  /// The same without limits.
  virtual void wait_blocking() = 0;

  /// Lets the first waiter in, without suspending.  Returns false if it must be called
  /// again once a task waits.
  virtual bool let_in() = 0;

  /// The same as a task, in the form that may suspend.  Notes '.' at its end.
  virtual owned let_in_awaited(std::string& log) = 0;

  /// Waits with a function that throws when its turn comes; notes '!' when the exception
  /// arrives, and lets the next waiter in.  Empty if the primitive calls no function.
  virtual std::optional<owned> wait_and_throw(std::string& log) {
    static_cast<void>(log);
    return std::nullopt;
  }

  /// Whether let_in and a wait may come from two threads at once.
  bool has_threads = false;

  /// Called once, when a wait has not been granted and has not joined the line yet; waits
  /// that are coroutines do not call it.
  std::function<void()> before_it_joins;
};

/// One primitive under one hand-off.  To add one, write its subject beside the others.  It
/// is made for a number of waits, since barriers and latches must know it.
struct subject_kind {
  std::string name;
  traits what;
  std::function<std::unique_ptr<subject>(unsigned waits)> make;

  friend std::ostream& operator<<(std::ostream& out, const subject_kind& kind) {
    return out << kind.name;
  }
};

/// What the others are made of.  `Kind` has the functions of subject, as operations to be
/// awaited; and
///
///     block()        a wait of the calling thread, without limits
///     gives_back     whether a task that was let in calls give_back(): a bool
///     is_granted     whether the result of a limited wait says so
template <class Kind>
class subject_of final : public subject {
 public:
  static constexpr traits what = Kind::what;

  explicit subject_of(unsigned waits) : kind_{waits} {
    detail::current().locks_held = 0;  // The unlocking task is another one.
  }
  ~subject_of() override { detail::current().locks_held = 0; }

  owned wait(std::string& log, char name) override {
    auto operation = kind_.wait();
    if constexpr (std::is_void_v<decltype(operation.await_resume())>) {
      co_await interrupted(operation, this->before_it_joins);
    } else {
      const auto result = co_await interrupted(operation, this->before_it_joins);
      static_cast<void>(result);
    }
    log += name;
    if constexpr (Kind::gives_back) {
      auto giving = kind_.give_back();
      co_await giving;
    }
  }

  owned wait(wait_limits until, std::string& log, char name) override {
    auto operation = kind_.wait(std::move(until));
    const auto result = co_await interrupted(operation, this->before_it_joins);
    const bool is_granted = Kind::is_granted(result);
    log += is_granted ? name : '-';
    if constexpr (Kind::gives_back) {
      if (is_granted) {
        auto giving = kind_.give_back();
        co_await giving;
      }
    }
  }

  bool wait_blocking(wait_limits until) override {
    const bool is_granted = Kind::is_granted(block_on(kind_.wait(std::move(until))));
    if constexpr (Kind::gives_back) {
      if (is_granted) block_on(kind_.give_back());
    }
    return is_granted;
  }

  void wait_blocking() override {
    kind_.block();
    if constexpr (Kind::gives_back) block_on(kind_.give_back());
  }

  bool let_in() override { return kind_.let_in(); }

  owned let_in_awaited(std::string& log) override {
    auto operation = kind_.let_in_awaited();
    if constexpr (std::is_void_v<decltype(operation.await_resume())>) {
      co_await operation;
    } else {
      const auto result = co_await operation;
      static_cast<void>(result);
    }
    log += '.';
  }

 private:
  Kind kind_;
};

/// A call that needs no wait, where an operation is expected.
template <class F>
class [[nodiscard]] at_once {
 public:
  explicit at_once(F f) : f_{std::move(f)} {}
  static bool await_ready() noexcept { return true; }
  static bool await_suspend(std::coroutine_handle<>) noexcept { return false; }
  void await_resume() { f_(); }

 private:
  F f_;
};

/// Adds a primitive.  No two files may name an alias template `Subject` alike: g++ 12 takes
/// those of two unnamed namespaces for one.
template <class Subject>
void add_one(std::vector<subject_kind>& to, const std::string& name) {
  to.push_back({name, Subject::what, [](unsigned waits) -> std::unique_ptr<subject> {
                  return std::make_unique<Subject>(waits);
                }});
}

/// The same for a primitive that exists with each hand-off.
template <template <class> class Subject>
void add(std::vector<subject_kind>& to, const std::string& name) {
  add_one<Subject<handoff::exchange>>(to, name + "_exchange");
  add_one<Subject<handoff::dispatch>>(to, name + "_dispatch");
  add_one<Subject<handoff::resume_inline>>(to, name + "_resume_inline");
}

std::vector<subject_kind> locks();
std::vector<subject_kind> scopes();
std::vector<subject_kind> sections();
std::vector<subject_kind> values();
std::vector<subject_kind> gates();
std::vector<subject_kind> channels();
std::vector<subject_kind> shared();

}  // namespace hotseat::conformance
