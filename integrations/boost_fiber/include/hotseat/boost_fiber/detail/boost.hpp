// hotseat/boost_fiber/detail/boost.hpp — what we need of Boost.Fiber beyond its public
// face. Everything that depends on the version of Boost is here.  Read next: waiter.hpp.
#pragma once

#include <hotseat/core/deadline.hpp>

#include <boost/fiber/algo/algorithm.hpp>
#include <boost/fiber/algo/shared_work.hpp>
#include <boost/fiber/algo/work_stealing.hpp>
#include <boost/fiber/context.hpp>
#include <boost/fiber/detail/spinlock.hpp>
#include <boost/fiber/scheduler.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <typeinfo>

#if defined(BOOST_FIBERS_NO_ATOMICS)
#error \
    "hotseat::boost_fiber needs Boost.Fiber with atomics: do not define BOOST_FIBERS_NO_ATOMICS"
#endif

namespace hotseat::boost_fiber::detail {

using boost::fibers::context;
using boost::fibers::scheduler;
using boost::fibers::algo::algorithm;
using boost_spin_lock = boost::fibers::detail::spinlock;
using boost_spin_guard = boost::fibers::detail::spinlock_lock;
using time_point = std::chrono::steady_clock::time_point;

/// Boost's own conversions overflow for times that are far away.
template <class Clock, class Duration>
time_point deadline_at(const std::chrono::time_point<Clock, Duration>& due) noexcept {
  return hotseat::detail::moment_of<std::chrono::steady_clock>(due);
}
template <class Rep, class Period>
time_point deadline_after(const std::chrono::duration<Rep, Period>& time) noexcept {
  return hotseat::detail::later(std::chrono::steady_clock::now(), time);
}

/// The algorithm of a thread: who is picked next there.  Boost only lets it be set.
algorithm::ptr_t& algorithm_of(scheduler& of) noexcept;

/// The thread that a fiber belongs to.  Boost lets it be changed by `detach`, but only on
/// that very thread.
scheduler*& scheduler_of(context& of) noexcept;

/// The rules for explicit instantiations let them name private members.
template <auto Algorithm, auto Scheduler>
struct open_members {
  friend algorithm::ptr_t& algorithm_of(scheduler& of) noexcept { return of.*Algorithm; }
  friend scheduler*& scheduler_of(context& of) noexcept { return of.*Scheduler; }
};
template struct open_members<&scheduler::algo_, &context::scheduler_>;

/// How an algorithm treats the ready fibers of its thread.
enum class kind_of_algorithm : unsigned char {
  keeps,   ///< They stay: round_robin, and all that we do not know.
  shares,  ///< One queue for all threads: shared_work.
  steals,  ///< Other threads take from its queue: work_stealing.
};

inline kind_of_algorithm kind_of(const algorithm& what) noexcept {
  if (typeid(what) == typeid(boost::fibers::algo::shared_work)) {
    return kind_of_algorithm::shares;
  }
#if !defined(BOOST_FIBERS_USE_SPMC_QUEUE)  // Only the owner may push into that queue.
  if (typeid(what) == typeid(boost::fibers::algo::work_stealing)) {
    return kind_of_algorithm::steals;
  }
#endif
  return kind_of_algorithm::keeps;
}

#if __has_include(<boost/fiber/waker.hpp>)

/// Decides between the end of a timed wait and a wake-up: whoever claims it first.
class timed_claim {
 public:
  void arm(context& self) noexcept {
    waker_ = self.create_waker();
    epoch_ = self.waker_epoch_.load(std::memory_order_relaxed);
  }

  /// For whoever wants to wake the fiber.  Returns whether it may; not if time was over.
  [[nodiscard]] bool claim(context& of) const noexcept {
    std::size_t expected = epoch_;
    return of.waker_epoch_.compare_exchange_strong(expected, epoch_ + 1,
                                                   std::memory_order_acq_rel);
  }

  void wait(context& self, time_point due, boost_spin_guard& guard) noexcept {
    (void)self.wait_until(due, guard, std::move(waker_));
  }

  static void disarm(context&) noexcept {}

 private:
  boost::fibers::waker waker_;
  std::size_t epoch_ = 0;
};

#else

/// Decides between the end of a timed wait and a wake-up: whoever claims it first.
///
///     twstatus   meaning
///     ────────   ─────────────────────────────────────
///      0         no timed wait
///     -1         claimed by whoever wakes the fiber
///     -2         its time is over, and it is scheduled
///     other      nobody yet; the address of the claim
class timed_claim {
 public:
  void arm(context& self) noexcept {
    self.twstatus.store(key(), std::memory_order_release);
  }

  /// For whoever wants to wake the fiber.  Returns whether it may; not if time was over.
  [[nodiscard]] bool claim(context& of) const noexcept {
    std::intptr_t expected = key();
    return of.twstatus.compare_exchange_strong(expected, -1, std::memory_order_acq_rel);
  }

  static void wait(context& self, time_point due, boost_spin_guard& guard) noexcept {
    (void)self.wait_until(due, guard);
  }

  /// A claim that is left behind would keep the fiber's next sleep from ending.
  static void disarm(context& self) noexcept {
    self.twstatus.store(0, std::memory_order_release);
  }

 private:
  [[nodiscard]] std::intptr_t key() const noexcept {
    return reinterpret_cast<std::intptr_t>(this);
  }
};

#endif

}  // namespace hotseat::boost_fiber::detail
