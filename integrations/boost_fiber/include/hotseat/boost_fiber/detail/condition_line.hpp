// hotseat/boost_fiber/detail/condition_line.hpp — the waiters of a condition.
// Behind condition_variable.  Read next: lock_core.hpp.
#pragma once

#include <hotseat/boost_fiber/detail/boost.hpp>
#include <hotseat/boost_fiber/detail/hand_over.hpp>
#include <hotseat/boost_fiber/detail/lock_core.hpp>
#include <hotseat/boost_fiber/detail/this_thread.hpp>
#include <hotseat/boost_fiber/detail/waiter.hpp>
#include <hotseat/core/spin_lock.hpp>

#include <boost/assert.hpp>

#include <mutex>

namespace hotseat::boost_fiber::detail {

/// The waiters of a condition, in order of arrival.
///
/// Invariants
///   N1  A waiter joins before it gives up the lock, so it misses no notification.
///   N2  The thread that takes a waiter out wakes it, or lets it wait for its lock.  A
///       waiter whose time is over is the exception: it wakes by itself.
class condition_line {
 public:
  condition_line() = default;
  condition_line(const condition_line&) = delete;
  condition_line& operator=(const condition_line&) = delete;
  ~condition_line() { BOOST_ASSERT(first_ == nullptr); }

  void notify_one() noexcept {
    const here at{*context::active()};
    waiter* one = nullptr;
    {
      const std::lock_guard held{guard_};
      do {
        one = pop();
        if (one == nullptr) return;
      } while (!claim(*one));
      if (one->lock == nullptr && !is_to_be_woken(*one)) return;
    }
    let_go(at, *one);
  }

  void notify_all() noexcept {
    const here at{*context::active()};
    var<waiter*> all = nullptr;
    {
      const std::lock_guard held{guard_};
      var<waiter*>* end = &all;
      while (waiter* const one = pop()) {
        if (!claim(*one) || (one->lock == nullptr && !is_to_be_woken(*one))) continue;
        *end = one;
        one->next = nullptr;
        end = &one->next;
      }
    }
    while (all != nullptr) {
      waiter& one = *all;
      all = one.next;
      let_go(at, one);
    }
  }

  /// REQUIRES: the calling fiber owns `lock`.  It does again afterwards.
  void wait(lock_core& lock) {
    waiter one{owner_of(lock)};
    one.lock = &lock;
    settle(one, false);
    push(one);  // N1
    lock.release_and_park(one);
    if (is_granted(one)) {
      this_seat().enter(*one.fiber);
    } else {
      lock.wait_for_turn(one);
    }
  }

  boost::fibers::cv_status wait_until(lock_core& lock, time_point due) {
    waiter one{owner_of(lock)};
    timed_claim claim;
    one.lock = &lock;
    one.claim = &claim;
    settle(one, true);
    claim.arm(*one.fiber);
    push(one);  // N1
    lock.release_and_park_until(one, claim, due);
    // From here on the fiber waits for the lock without a limit, so it may change threads.
    if (is_claimed(one)) {
      if (is_granted(one)) {
        this_seat().enter(*one.fiber);
      } else {
        lock.wait_for_turn(one);
      }
      return boost::fibers::cv_status::no_timeout;
    }
    lock.acquire(*one.fiber);
    return boost::fibers::cv_status::timeout;
  }

  /// The same with a lock that is not ours.
  template <class Lock>
  void wait_with(Lock& lock) {
    waiter one{*context::active()};
    push(one);  // N1
    lock.unlock();
    if (falls_asleep(one)) park(one);
    lock.lock();
  }

  template <class Lock>
  boost::fibers::cv_status wait_until_with(Lock& lock, time_point due) {
    waiter one{*context::active()};
    timed_claim claim;
    push(one);  // N1
    lock.unlock();
    claim.arm(*one.fiber);
    bool is_notified = true;
    if (falls_asleep(one, &claim)) {
      park_until(one, claim, due);
      is_notified = is_claimed(one);
    } else {
      claim.disarm(*one.fiber);
    }
    lock.lock();
    return is_notified ? boost::fibers::cv_status::no_timeout
                       : boost::fibers::cv_status::timeout;
  }

 private:
  static bool is_granted(const waiter& one) noexcept {
    return one.result.load(std::memory_order_relaxed) == waiter::outcome::granted;
  }

  static context& owner_of(const lock_core& lock) {
    context& self = *context::active();
    lock.require_owner(self);
    return self;
  }

  void push(waiter& one) noexcept {
    const std::lock_guard held{guard_};
    (first_ == nullptr ? first_ : last_->next) = &one;
    last_ = &one;
  }

  waiter* pop() noexcept {
    waiter* const one = first_;
    if (one != nullptr) first_ = one->next;
    return one;
  }

  void remove(waiter& one) noexcept {
    waiter* before = nullptr;
    for (waiter* each = first_; each != nullptr; before = each, each = each->next) {
      if (each != &one) continue;
      (before == nullptr ? first_ : before->next) = one.next;
      if (last_ == &one) last_ = before;
      return;
    }
  }

  /// Whether `one` may be woken.  A claim is made once.
  static bool claim(waiter& one) noexcept {
    if (one.claim == nullptr) return true;
    if (!one.claim->claim(*one.fiber)) return false;
    one.claim = nullptr;
    return true;
  }

  /// For a waiter with a timeout that has woken: whether a notification woke it.  If not,
  /// removes it from the line.
  bool is_claimed(waiter& one) noexcept {
    const std::lock_guard held{guard_};
    if (one.claim == nullptr) return true;
    remove(one);
    one.claim = nullptr;
    return false;
  }

  /// Unlocking the foreign lock may have suspended the fiber and moved it to another
  /// thread: only now is it clear where it sleeps.  Returns false if a notification came
  /// meanwhile.
  bool falls_asleep(waiter& one, timed_claim* with = nullptr) noexcept {
    const std::lock_guard held{guard_};
    if (one.result.load(std::memory_order_relaxed) == waiter::outcome::offered)
      return false;
    one.home = one.fiber->get_scheduler();
    one.claim = with;
    one.is_asleep = true;
    return true;
  }

  /// For a foreign lock's waiter: one that is not asleep yet never will be, and may be
  /// gone.
  static bool is_to_be_woken(waiter& one) noexcept {
    const bool is_asleep = one.is_asleep;
    one.result.store(waiter::outcome::offered, std::memory_order_relaxed);
    return is_asleep;
  }

  /// Called without the guard: a fiber that runs may destroy the condition.  `one` may be
  /// gone afterwards.
  static void let_go(const here& at, waiter& one) noexcept {
    if (one.lock == nullptr || one.lock->admit(one)) dispatch(at, one);
  }

  spin_lock guard_;
  var<waiter*> first_ = nullptr;
  var<waiter*> last_ = nullptr;
};

}  // namespace hotseat::boost_fiber::detail
