// hotseat/sync/detail/condition_state.hpp — who waits for a condition, and how they get
// their mutex back.  Layer: sync/detail.
#pragma once

#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/waiter_line.hpp>
#include <hotseat/core/waiter_queue.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sync/detail/guarded_word.hpp>

namespace hotseat::detail {

/// What a condition does with the mutex of a waiter, whatever its type.
struct mutex_verbs {
  bool (*acquire_or_enqueue)(void* state, line_waiter& w) noexcept;
  line_waiter* (*release)(void* state) noexcept;
  bool (*leave)(void* state, line_waiter& w) noexcept;
};

template <class State>
inline constexpr mutex_verbs verbs_of{
    [](void* state, line_waiter& w) noexcept {
      return static_cast<State*>(state)->acquire_or_enqueue(w);
    },
    [](void* state) noexcept { return static_cast<State*>(state)->release(); },
    [](void* state, line_waiter& w) noexcept {
      return static_cast<State*>(state)->leave(w);
    }};

/// In the line of a condition, and then in the line of its mutex: the same place in the
/// task's frame, which is not resumed in between.
struct condition_waiter : line_waiter {
  using line_waiter::line_waiter;
  void* mutex = nullptr;
  const mutex_verbs* verbs = nullptr;
  /// Written by whoever takes it out of the condition's line.
  platform::var<bool> is_notified = false;
  platform::var<bool> is_in_condition = false;  ///< Under the guard of the condition.

  /// Returns whether the waiter owns its mutex now; otherwise it is in the mutex's line,
  /// and may be gone.
  [[nodiscard]] bool go_to_mutex() noexcept {
    return verbs->acquire_or_enqueue(mutex, *this);
  }
  [[nodiscard]] line_waiter* release_mutex() const noexcept {
    return verbs->release(mutex);
  }
};

/// The line behind `condition_variable`.
///
///     name     line_      meaning
///     ───────  ─────────  ───────────────────────────────────────────────────────
///     quiet    empty      nobody waits: a notification costs one load
///     waited   who waits  in order of arrival
///
///     a waiter        is_in_condition  is_notified  where it is
///     ──────────────  ───────────────  ───────────  ────────────────────────────
///     waits           true             false        in line_
///     is notified     false            true         in its mutex's line, or owns
///     left by itself  false            false        the same
///
/// Invariants
///   C1  A waiter joins while its task owns the mutex.  (⇒ whoever notifies after having
///       owned the mutex finds everybody who waited before)
///   C2  A waiter leaves the line once: notified, or on its own.
/// Memory order: guarded_word.hpp.
class condition_state {
 public:
  void join(condition_waiter& w) noexcept {
    static_cast<void>(word_.guard());
    w.is_notified = false;
    w.is_in_condition = true;
    line_.push_back(w);
    word_.unguard(0, true);
  }

  /// Returns whether it was still there.
  [[nodiscard]] bool leave(condition_waiter& w) noexcept {
    static_cast<void>(word_.guard());
    const bool was_here = w.is_in_condition;  // C2
    if (was_here) {
      line_.remove(w);
      w.is_in_condition = false;
    }
    word_.unguard(0, !line_.empty());
    return was_here;
  }

  /// Takes out the oldest, up to `most`.
  [[nodiscard]] waiter_queue notify(std::size_t most) noexcept {
    waiter_queue notified;
    if (!word_.is_waited()) return notified;  // C1: nobody we have to see.
    static_cast<void>(word_.guard());
    for (; most > 0 && !line_.empty(); --most) {
      auto& w = static_cast<condition_waiter&>(line_.pop_front());
      w.is_in_condition = false;  // C2
      w.is_notified = true;
      notified.push_back(w);
    }
    word_.unguard(0, !line_.empty());
    return notified;
  }

  [[nodiscard]] bool is_waited() const noexcept { return word_.is_waited(); }

 private:
  guarded_word word_{0};
  waiter_line line_;  // Under the guard.
};

}  // namespace hotseat::detail
