// hotseat/boost_fiber/detail/boost.hpp — what we need of Boost.Fiber beyond its public API.
// Everything that depends on the version of Boost is here.  Read next: waiter.hpp.
#pragma once

#include <hotseat/core/deadline.hpp>
#include <hotseat/platform/seam.hpp>

// The models have their own Boost.Fiber, where every step can be chosen: ../../../../model.
#if defined(HOTSEAT_MODELLED_BOOST_FIBER)
#include <model/boost_fiber.hpp>
#else
#include <boost/fiber/algo/algorithm.hpp>
#include <boost/fiber/algo/shared_work.hpp>
#include <boost/fiber/algo/work_stealing.hpp>
#include <boost/fiber/condition_variable.hpp>
#include <boost/fiber/context.hpp>
#include <boost/fiber/detail/spinlock.hpp>
#include <boost/fiber/exceptions.hpp>
#include <boost/fiber/scheduler.hpp>
#include <boost/fiber/type.hpp>
#define HOTSEAT_BOOST_HAS_WAKERS __has_include(<boost/fiber/waker.hpp>)
#endif

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <typeinfo>
#include <utility>

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
using time_point = platform::clock::time_point;

/// Unlike Boost's own conversions, these do not overflow for times far away.
template <class Clock, class Duration>
time_point deadline_at(const std::chrono::time_point<Clock, Duration>& due) noexcept {
  return hotseat::detail::moment_of<platform::clock>(due);
}
template <class Rep, class Period>
time_point deadline_after(const std::chrono::duration<Rep, Period>& time) noexcept {
  return hotseat::detail::later(platform::now(), time);
}

/// The algorithm that picks the next fiber of a thread.  Boost offers only a setter.
algorithm& algorithm_of(scheduler& of) noexcept;

/// Removes a fiber from its thread.  Boost's `detach` does so only on that very thread.
void leave_scheduler(context& of) noexcept;

/// Whether the calling thread, which `own` schedules, has ended but for fibers in its list.
bool is_shut_down(const scheduler& own) noexcept;

/// Explicit instantiations may name private members.
template <auto Algorithm, auto Scheduler, auto Shutdown>
struct open_members {
  friend algorithm& algorithm_of(scheduler& of) noexcept { return *(of.*Algorithm); }
  friend void leave_scheduler(context& of) noexcept { of.*Scheduler = nullptr; }
  friend bool is_shut_down(const scheduler& own) noexcept { return own.*Shutdown; }
};
template struct open_members<&scheduler::algo_, &context::scheduler_,
                             &scheduler::shutdown_>;

/// Calls `leave` in the main fiber of the calling thread when that thread is about to end,
/// and before Boost's scheduler ends, which is older.  To be called once in each thread.
#if defined(HOTSEAT_MODELLED_BOOST_FIBER)
inline void at_end_of_thread(void (*leave)() noexcept) noexcept {
  boost::fibers::fiber_thread::at_end(leave);
}
#else
inline void at_end_of_thread(void (*leave)() noexcept) noexcept {
  struct last_act {
    explicit last_act(void (*what)() noexcept) noexcept : call{what} {}
    last_act(const last_act&) = delete;
    last_act& operator=(const last_act&) = delete;
    ~last_act() { call(); }
    void (*call)() noexcept;
  };
  thread_local const last_act of_this_thread{leave};
}
#endif

/// How an algorithm treats the ready fibers of its thread.
enum class kind_of_algorithm : unsigned char {
  keeps,   ///< They stay: round_robin, and every unknown algorithm.
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

#if HOTSEAT_BOOST_HAS_WAKERS

/// Decides once between the end of a timed wait and a wake-up.
class timed_claim {
 public:
  void arm(context& self) noexcept {
    waker_ = self.create_waker();
    epoch_ = self.waker_epoch_.load(std::memory_order_relaxed);
  }

  /// The waker calls this first.  False if the time is over: the fiber wakes by itself.
  [[nodiscard]] bool claim(context& of) const noexcept {
    std::size_t expected = epoch_;
    return of.waker_epoch_.compare_exchange_strong(expected, epoch_ + 1,
                                                   std::memory_order_relaxed);
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

/// Decides once between the end of a timed wait and a wake-up.
///
///     twstatus   meaning
///     ────────   ─────────────────────────────────────
///      0         no timed wait
///     -1         claimed: the fiber is being woken
///     -2         its time is over, and it is scheduled
///     other      still open; the address of the claim
class timed_claim {
 public:
  void arm(context& self) noexcept {
    self.twstatus.store(key(), std::memory_order_relaxed);
  }

  /// The waker calls this first.  False if the time is over: the fiber wakes by itself.
  [[nodiscard]] bool claim(context& of) const noexcept {
    std::intptr_t expected = key();
    return of.twstatus.compare_exchange_strong(expected, -1, std::memory_order_relaxed);
  }

  static void wait(context& self, time_point due, boost_spin_guard& guard) noexcept {
    (void)self.wait_until(due, guard);
  }

  /// A claim left behind would keep the fiber's next sleep from ending.
  static void disarm(context& self) noexcept {
    self.twstatus.store(0, std::memory_order_relaxed);
  }

 private:
  [[nodiscard]] std::intptr_t key() const noexcept {
    return reinterpret_cast<std::intptr_t>(this);
  }
};

#endif

}  // namespace hotseat::boost_fiber::detail
