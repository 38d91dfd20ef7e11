// hotseat/sync/detail/condition_state.hpp — the waiters of a condition, and how they get
// their mutex back.  Layer: sync/detail.
#pragma once

#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sync/detail/guarded_line.hpp>

namespace hotseat::detail {

/// What a condition does with a waiter's mutex, whatever its type.
struct mutex_verbs {
  bool (*acquire_or_enqueue)(void* state, line_waiter& w) noexcept;
  line_waiter* (*release)(void* state) noexcept;
  bool (*leave)(void* state, line_waiter& w) noexcept;
  bool exchanges;  ///< Handed over by an exchange; otherwise dispatched.
};

template <class State, bool Exchanges>
inline constexpr mutex_verbs verbs_of{
    .acquire_or_enqueue =
        [](void* state, line_waiter& w) noexcept {
          return static_cast<State*>(state)->acquire_or_enqueue(w);
        },
    .release = [](void* state) noexcept { return static_cast<State*>(state)->release(); },
    .leave = [](void* state,
                line_waiter& w) noexcept { return static_cast<State*>(state)->leave(w); },
    .exchanges = Exchanges};

/// The mutex of a waiter, as a lock for combine.hpp.
struct any_mutex {
  void* state = nullptr;
  const mutex_verbs* verbs = nullptr;

  [[nodiscard]] bool acquire_or_enqueue(line_waiter& w) const noexcept {
    return verbs->acquire_or_enqueue(state, w);
  }
  [[nodiscard]] line_waiter* release() const noexcept { return verbs->release(state); }
  [[nodiscard]] bool leave(line_waiter& w) const noexcept { return verbs->leave(state, w); }
};

/// Stands in the line of a condition, then in the line of its mutex; the task is not
/// resumed in between.
struct condition_waiter : line_waiter {
  using line_waiter::line_waiter;
  any_mutex mutex;
  /// Whether a notification took it out of the condition's line.
  platform::var<bool> is_notified = false;
  platform::var<bool> is_in_condition = false;  ///< Under the guard of the condition.

  /// Returns whether the waiter now owns its mutex; if not, it is in the mutex's line, and
  /// may be gone.
  [[nodiscard]] bool go_to_mutex() noexcept { return mutex.acquire_or_enqueue(*this); }
};

/// The line behind `condition_variable`.
///
///     name     line_      meaning
///     ───────  ─────────  ───────────────────────────────────────────────────────
///     quiet    empty      no task waits: a notification costs one load
///     waited   waiters    in order of arrival
///
///     a waiter        is_in_condition  is_notified  where it is
///     ──────────────  ───────────────  ───────────  ────────────────────────────
///     waits           true             false        in line_
///     is notified     false            true         in its mutex's line, or owns
///     left early      false            false        the same
///
/// Invariants
///   C1  A waiter joins while its task owns the mutex.  (⇒ a notifier that has owned the
///       mutex finds all that waited before)
///   C2  A waiter leaves the line once: notified, or on its own.
/// Memory order: guarded_word.hpp.
class condition_state {
 public:
  void join(condition_waiter& w) noexcept {
    static_cast<void>(line_.guard());
    w.is_notified = false;
    w.is_in_condition = true;
    line_.push_back(w);
    line_.unguard(0);
  }

  /// Returns whether it was still there.
  [[nodiscard]] bool leave(condition_waiter& w) noexcept {
    static_cast<void>(line_.guard());
    const bool was_here = w.is_in_condition;  // C2
    if (was_here) {
      line_.remove(w);
      w.is_in_condition = false;
    }
    line_.unguard(0);
    return was_here;
  }

  /// Takes out the oldest, up to `most`.
  [[nodiscard]] waiter_queue notify(std::size_t most) noexcept {
    waiter_queue notified;
    if (!line_.is_waited()) return notified;  // C1: no waiter that we must see.
    static_cast<void>(line_.guard());
    for (; most > 0 && !line_.is_empty(); --most) {
      auto& w = static_cast<condition_waiter&>(line_.pop_front());
      w.is_in_condition = false;  // C2
      w.is_notified = true;
      notified.push_back(w);
    }
    line_.unguard(0);
    return notified;
  }

  [[nodiscard]] bool is_waited() const noexcept { return line_.is_waited(); }

 private:
  guarded_line line_{0};
};

}  // namespace hotseat::detail
