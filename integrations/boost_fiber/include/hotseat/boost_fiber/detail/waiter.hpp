// hotseat/boost_fiber/detail/waiter.hpp — a fiber in a line, and the line itself.
// Read next: hand_over.hpp (how a waiter gets to run), then lock_core.hpp.
#pragma once

#include <hotseat/boost_fiber/detail/boost.hpp>
#include <hotseat/platform/seam.hpp>

#include <cstdint>

namespace hotseat::boost_fiber::detail {

class lock_core;
class tether;
using platform::var;

/// Stands for a suspended fiber, in its frame.
struct waiter {
  enum class outcome : unsigned char {
    none,     ///< Still in a line; or its time is over.
    granted,  ///< It owns the lock.
    offered,  ///< The lock was free a moment ago: it may try.
  };

  explicit waiter(context& self) noexcept : fiber{&self} {}
  waiter(const waiter&) = delete;
  waiter& operator=(const waiter&) = delete;

  context* const fiber;
  var<scheduler*> home = nullptr;     ///< The thread it must go on at; null: any that may.
  var<tether*> host = nullptr;        ///< If it has no home: of the thread it suspended on.
  var<timed_claim*> claim = nullptr;  ///< If its wait has a limit.
  var<lock_core*> lock = nullptr;  ///< What it wants to own, if it waits for a condition.
  var<waiter*> next = nullptr;     ///< Behind us in the same cohort.
  var<waiter*> last = nullptr;     ///< The end of the cohort; valid in its first.
  var<waiter*> next_cohort = nullptr;  ///< Valid in the first of a cohort.
  var<bool> is_asleep = false;         ///< In the line of a condition with a foreign lock.
  platform::atomic<outcome> result{
      outcome::none};                            ///< Written under the guard of its line.
  platform::atomic<bool> is_being_woken{false};  ///< At home: its waker is not done yet.
  boost_spin_lock parked;  ///< If it has no home: taken until its registers are saved.
};

/// Prefetches, a section ahead, what an exchange with `soon` will touch: the fiber's
/// context, and its stack around the waiter, with the frames that suspending has left
/// behind.  The waiter touched them last, mostly on another thread.  The next waiter is
/// prefetched as well, since it is read here the next time.
/// REQUIRES: the guard of the line that `soon` is in.
inline void prefetch(const waiter& soon) noexcept {
  constexpr std::uintptr_t cache_line = 64;
  constexpr std::uintptr_t frames_below = 8 * cache_line;
  constexpr std::uintptr_t frames_above = 4 * cache_line;
  const auto ask_for = [](const void* what, std::uintptr_t below, std::uintptr_t above) {
    const auto place = reinterpret_cast<std::uintptr_t>(what);
    for (std::uintptr_t at = place - below; at < place + above; at += cache_line) {
      platform::prefetch(reinterpret_cast<const void*>(at));
    }
  };
  ask_for(&soon, frames_below, frames_above);
  ask_for(soon.fiber, 0, sizeof(context));
  if (soon.next != nullptr) platform::prefetch(soon.next);
}

/// The waiters of a lock: a cohort for each thread that fibers wait on, and one for those
/// that may go on anywhere.
///
/// Invariants
///   L1  All waiters of a cohort have the same home; they are in order of arrival.
///   L2  No two cohorts have the same home.
class line {
 public:
  [[nodiscard]] bool is_empty() const noexcept { return first_ == nullptr; }

  /// The first of the cohort whose turn it is.
  [[nodiscard]] waiter* first() const noexcept { return first_; }

  /// The first of the cohort with this home, or null.
  [[nodiscard]] waiter* first_of(const scheduler* home) const noexcept {
    waiter* each = first_;
    while (each != nullptr && each->home != home) each = each->next_cohort;
    return each;
  }

  void push_back(waiter& one) noexcept {
    one.next = nullptr;
    if (waiter* const head = first_of(one.home)) {  // L2
      head->last->next = &one;                      // L1
      head->last = &one;
      return;
    }
    one.last = &one;
    append_cohort(one);
  }

  /// Ahead of all others: for a waiter that was offered the lock and came too late.
  void push_front(waiter& one) noexcept {
    waiter* const head = first_of(one.home);
    one.next = head;
    one.last = &one;
    if (head != nullptr) {
      one.last = head->last;
      take_out(*head);
    }
    one.next_cohort = first_;
    first_ = &one;
  }

  /// REQUIRES: `one` is the first of its cohort.
  void pop(waiter& one) noexcept {
    var<waiter*>* const link = link_to(one);
    if (one.next == nullptr) {
      *link = one.next_cohort;
      return;
    }
    one.next->last = one.last;
    one.next->next_cohort = one.next_cohort;
    *link = one.next;
  }

  /// Makes the cohort of `head` the last.
  void move_back(waiter& head) noexcept {
    take_out(head);
    append_cohort(head);
  }

  /// Returns whether `one` was there.
  bool remove(waiter& one) noexcept {
    waiter* const head = first_of(one.home);
    if (head == nullptr) return false;
    if (head == &one) {
      pop(one);
      return true;
    }
    for (waiter* each = head; each->next != nullptr; each = each->next) {
      if (each->next != &one) continue;
      each->next = one.next;
      if (head->last == &one) head->last = each;
      return true;
    }
    return false;
  }

 private:
  var<waiter*>* link_to(const waiter& head) noexcept {
    var<waiter*>* link = &first_;
    while (*link != &head) link = &(*link)->next_cohort;
    return link;
  }

  void take_out(waiter& head) noexcept { *link_to(head) = head.next_cohort; }

  void append_cohort(waiter& head) noexcept {
    var<waiter*>* link = &first_;
    while (*link != nullptr) link = &(*link)->next_cohort;
    head.next_cohort = nullptr;
    *link = &head;
  }

  var<waiter*> first_ = nullptr;
};

}  // namespace hotseat::boost_fiber::detail
