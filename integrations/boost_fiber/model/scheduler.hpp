// integrations/boost_fiber/model/scheduler.hpp — what a thread of the modelled Boost does
// with its fibers.
#pragma once

#include <hotseat/core/assert.hpp>
#include <hotseat/platform/seam.hpp>
#include <model/algorithms.hpp>
#include <model/context.hpp>

#include <utility>

namespace boost::fibers {

class scheduler {
 public:
  explicit scheduler(algo::algorithm::ptr_t algorithm) noexcept
      : algo_{std::move(algorithm)} {}

  void schedule(context* ready) noexcept {
    if (ready->sleep_is_linked()) ready->sleep_unlink();
    algo_->awakened(ready);
  }

  /// Called by another thread.
  void schedule_from_remote(context* ready) noexcept {
    expect(ready->get_scheduler() == this, "a fiber is woken where it belongs");
    {
      const detail::spinlock_lock held{remote_guard_};
      remote_.push_back(*ready);
    }
    algo_->notify();
  }

  void suspend() noexcept { algo_->pick_next()->resume(); }
  void suspend(detail::spinlock_lock& unlocked) noexcept {
    algo_->pick_next()->resume(unlocked);
  }
  void yield(context* self) noexcept { algo_->pick_next()->resume(self); }

  void wait_until(context& self, time_point due, detail::spinlock_lock& unlocked) noexcept {
    self.due_ = due;
    self.sleeps_ = true;
    sleepers_.push_back(self);
    algo_->pick_next()->resume(unlocked);
  }
  void end_sleep(context& self) noexcept {
    self.sleeps_ = false;
    expect(sleepers_.remove(self), "a fiber sleeps on its own thread");
  }

  void attach(context& one) noexcept {
    expect(one.get_scheduler() == nullptr, "a fiber is attached that no thread has");
    workers_.push_back(one);
    one.scheduler_ = this;
  }
  void detach(context& one) noexcept {
    end_work(one);
    one.scheduler_ = nullptr;
  }
  void end_work(context& one) noexcept {
    expect(workers_.remove(one), "a fiber leaves the thread that has it");
  }

  /// The calling fiber has ended; it is freed when another one runs.
  [[noreturn]] void terminate(context& self, detail::spinlock_lock& unlocked) noexcept {
    over_.push_back(self);
    end_work(self);
    unlocked.unlock();
    algo_->pick_next()->resume_for_good();
  }

  /// The dispatcher's fiber: fills the queue, and sleeps when it is empty.
  void dispatch(context& dispatcher) noexcept {
    for (;;) {
      if (shutdown_) {
        algo_->notify();
        if (workers_.empty()) break;
        platform::relax();  // It has rung its own bell, so this loop does not sleep.
      }
      free_those_over();
      take_remote();
      wake_sleepers();
      if (context* const next = algo_->pick_next()) {
        next->resume(&dispatcher);
      } else {
        const context* const first = sleepers_.first_due();
        algo_->suspend_until(first == nullptr ? time_point::max() : first->due());
      }
    }
    free_those_over();
  }

  void end() noexcept { shutdown_ = true; }

  algo::algorithm::ptr_t algo_;
  platform::var<bool> shutdown_ = false;

 private:
  static void expect(bool holds, const char* rule) noexcept {
    hotseat::require(holds, "scheduler", nullptr, rule);
  }

  void free_those_over() noexcept;

  void take_remote() noexcept {
    for (;;) {
      context* next = nullptr;
      {
        const detail::spinlock_lock held{remote_guard_};
        next = remote_.pop_front();
      }
      if (next == nullptr) return;
      schedule(next);
    }
  }

  void wake_sleepers() noexcept {
    for (;;) {
      context* const first = sleepers_.first_due();
      if (first == nullptr || first->due() > platform::now()) return;
      end_sleep(*first);
      first->due_ = time_point::max();
      if (uses_wakers) {
        first->sleep_waker_.wake();
      } else if (first->twstatus.exchange(-2, std::memory_order_seq_cst) != -1) {
        schedule(first);
      }
    }
  }

  static constexpr bool uses_wakers = HOTSEAT_BOOST_HAS_WAKERS != 0;

  context_list workers_;
  context_list sleepers_;
  context_list over_;
  detail::spinlock remote_guard_;
  context_list remote_;
};

[[gnu::noinline]] inline void context::arrive() noexcept {
  const errand then = std::exchange(platform::per_thread<on_thread>().next, {});
  if (then.unlocked != nullptr) then.unlocked->unlock();
  if (then.ready != nullptr) active()->schedule(then.ready);
}

inline void context::resume_for_good() noexcept {
  context* const before = leave_for(*this, {});
  platform::leave_stack(before->stack, stack);
}

inline void context::suspend() noexcept { get_scheduler()->suspend(); }
inline void context::suspend(detail::spinlock_lock& unlocked) noexcept {
  get_scheduler()->suspend(unlocked);
}
inline void context::yield() noexcept { get_scheduler()->yield(active()); }

inline bool context::wait_until(time_point due, detail::spinlock_lock& unlocked) noexcept {
  get_scheduler()->wait_until(*this, due, unlocked);
  return platform::now() < due;
}
inline bool context::wait_until(time_point due, detail::spinlock_lock& unlocked,
                                waker&& how) noexcept {
  sleep_waker_ = how;
  return wait_until(due, unlocked);
}

inline void context::schedule(context* ready) noexcept {
  scheduler* const there = ready->get_scheduler();
  there == get_scheduler() ? there->schedule(ready) : there->schedule_from_remote(ready);
}

inline bool context::wake(std::size_t epoch) noexcept {
  std::size_t expected = epoch;
  if (!waker_epoch_.compare_exchange_strong(expected, epoch + 1,
                                            std::memory_order_acq_rel)) {
    return false;
  }
  active()->schedule(this);
  return true;
}
inline bool waker::wake() const noexcept { return whom_->wake(epoch_); }

inline void context::attach(context* one) noexcept { get_scheduler()->attach(*one); }
inline void context::detach() noexcept { get_scheduler()->detach(*this); }
inline void context::worker_unlink() noexcept { get_scheduler()->end_work(*this); }
inline void context::sleep_unlink() noexcept { get_scheduler()->end_sleep(*this); }

}  // namespace boost::fibers
