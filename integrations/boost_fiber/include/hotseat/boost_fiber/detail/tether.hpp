// hotseat/boost_fiber/detail/tether.hpp — keeps a thread from ending while its fibers wait.
// Read next: hand_over.hpp.
#pragma once

#include <hotseat/boost_fiber/detail/boost.hpp>
#include <hotseat/boost_fiber/detail/this_thread.hpp>
#include <hotseat/core/spin_wait.hpp>
#include <hotseat/platform/config.hpp>
#include <hotseat/platform/seam.hpp>

#include <cstdint>

namespace hotseat::boost_fiber::detail {

using hotseat::detail::spin_wait;
using platform::var;

/// With Boost's own locks a thread does not end before the fibers that have suspended on
/// it: they are in its list.  Fibers that wait for our locks leave that list, so that any
/// thread can take them over.  But their waker may need the thread's scheduler, if its own
/// keeps fibers.  So each of them ties the thread, and its waker unties it as its last act.
///
/// Each thread has one.  It counts its own steps without atomic operations:
///
///     name      counts
///     ────────  ────────────────────────────────────────────────────────────────────
///     tied_     fibers that suspended here, minus those this thread took back itself
///     untied_   those that other threads have taken or woken.  When the thread ends it
///               subtracts tied_: from then on this is minus the number still missing
///
/// The thread may end when both are equal.
///
/// Orders
///   U  acq_rel  one more untied  ⟷ E    the last one sees main_; its thread sees that
///                                       no fiber needs it any more
///   E  acq_rel  tied_ is subtracted  ⟷ U
///   W  release  is_woken_        ⟶ M    the waker has touched the thread for the last time
///   M  acquire  is_woken_        ⟵ W
class tether {
 public:
  /// The tether of the calling thread, whose scheduler is `here`.  Null if the thread is
  /// about to end: fibers that wait from now on stay in its list.
  static tether* of(scheduler& here) noexcept {
    tether& own = of_this_thread<tether>();
    if (own.is_ending_ || is_shut_down(here)) return nullptr;
    if (own.thread_ == nullptr) {
      own.thread_ = &here;
      at_end_of_thread([]() noexcept { of_this_thread<tether>().await_untied(); });
    }
    return &own;
  }

  /// REQUIRES: the tether is the calling thread's.
  void tie() noexcept { tied_ = tied_ + 1; }

  /// Called by the thread that has taken a fiber over, or woken it; `here` is that thread.
  void untie(const scheduler& here) noexcept {
    if (&here == thread_ && !is_ending_) {
      tied_ = tied_ - 1;
    } else if (untied_.fetch_add(1, std::memory_order_acq_rel) == -1) {  // U
      wake_main(here);
    }
  }

  [[nodiscard]] scheduler& thread() const noexcept { return *thread_; }

 private:
  /// Runs in the thread's main fiber, while Boost's scheduler still works.
  void await_untied() noexcept {
    main_ = context::active();
    is_ending_ = true;
    const std::int64_t tied = tied_;
    if (untied_.fetch_sub(tied, std::memory_order_acq_rel) == tied) return;  // E
    main_->suspend();
    for (spin_wait wait; !is_woken_.load(std::memory_order_acquire);) wait();  // M
  }

  void wake_main(const scheduler& here) noexcept {
    context* const main = main_;
    &here == thread_ ? thread_->schedule(main) : thread_->schedule_from_remote(main);
    is_woken_.store(true, std::memory_order_release);  // W
  }

  // The thread writes the first line, other threads the second.
  var<std::int64_t> tied_ = 0;
  var<bool> is_ending_ = false;
  alignas(cache_line) platform::atomic<std::int64_t> untied_{0};
  platform::atomic<bool> is_woken_{false};
  var<scheduler*> thread_ = nullptr;
  var<context*> main_ = nullptr;
};

}  // namespace hotseat::boost_fiber::detail
