// integrations/boost_fiber/model/context.hpp — a fiber of the modelled Boost, and the
// switch from one to another.
#pragma once

#include <hotseat/core/spin_lock.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/platform/stack_switch.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <utility>

namespace boost::fibers {

namespace platform = hotseat::platform;
using time_point = platform::clock::time_point;

namespace detail {

using spinlock = hotseat::spin_lock;

/// Like std::unique_lock, which Boost uses, it is written to after it has unlocked.
class spinlock_lock {
 public:
  explicit spinlock_lock(spinlock& which) noexcept : lock_{which} { lock_.lock(); }
  spinlock_lock(spinlock& which, std::adopt_lock_t) noexcept : lock_{which} {}
  spinlock_lock(const spinlock_lock&) = delete;
  spinlock_lock& operator=(const spinlock_lock&) = delete;
  ~spinlock_lock() {
    if (owns_) lock_.unlock();
  }
  void unlock() noexcept {
    lock_.unlock();
    owns_ = false;
  }

 private:
  spinlock& lock_;
  platform::var<bool> owns_ = true;
};

}  // namespace detail

enum class type : unsigned {
  main_context = 2,
  dispatcher_context = 4,
  worker_context = 8,
  pinned_context = main_context | dispatcher_context,
};

class context;
class scheduler;

/// A list of fibers that notices when two threads touch it without being ordered.
class context_list {
 public:
  void push_back(context& one) {
    touch();
    items_.push_back(&one);
  }
  /// Null if there is none.
  context* pop_front() {
    touch();
    if (items_.empty()) return nullptr;
    context* const first = items_.front();
    items_.pop_front();
    return first;
  }
  bool remove(const context& one) {
    touch();
    return std::erase(items_, &one) != 0;
  }
  [[nodiscard]] context* front() const {
    (void)static_cast<int>(touched_);
    return items_.empty() ? nullptr : items_.front();
  }
  [[nodiscard]] bool empty() const { return front() == nullptr; }
  /// The fiber that wants to be woken first, or null.
  [[nodiscard]] context* first_due() const noexcept;

 private:
  void touch() noexcept { touched_ = touched_ + 1; }

  platform::var<int> touched_ = 0;
  std::deque<context*> items_;
};

/// Says that a fiber's timed wait may end now.  Since Boost 1.80.
class waker {
 public:
  waker() = default;
  waker(context* whom, std::size_t epoch) noexcept : whom_{whom}, epoch_{epoch} {}
  bool wake() const noexcept;

 private:
  context* whom_ = nullptr;
  std::size_t epoch_ = 0;
};

class context {
 public:
  explicit context(type kind) noexcept : kind_{kind} {}
  context(const context&) = delete;
  context& operator=(const context&) = delete;
  virtual ~context() = default;

  /// The fiber that the calling thread runs.
  [[gnu::noinline]] static context* active() noexcept {
    return platform::per_thread<on_thread>().active;
  }
  static void set_active(context* which) noexcept {
    platform::per_thread<on_thread>().active = which;
  }

  [[nodiscard]] scheduler* get_scheduler() const noexcept { return scheduler_; }
  [[nodiscard]] bool is_context(type which) const noexcept {
    return (static_cast<unsigned>(kind_) & static_cast<unsigned>(which)) != 0;
  }

  // Resumes this fiber.  Once the registers of the leaving fiber are saved, a guard is
  // unlocked, or a fiber made ready.
  void resume() noexcept { resume_then({}); }
  void resume(detail::spinlock_lock& unlocked) noexcept {
    resume_then({&unlocked, nullptr});
  }
  void resume(context* ready) noexcept { resume_then({nullptr, ready}); }
  [[noreturn]] void resume_for_good() noexcept;

  void suspend() noexcept;
  void suspend(detail::spinlock_lock& unlocked) noexcept;
  void yield() noexcept;
  bool wait_until(time_point due, detail::spinlock_lock& unlocked) noexcept;
  void sleep_until(time_point due, detail::spinlock_lock& unlocked) noexcept {
    wait_until(due, unlocked, create_waker());
  }
  bool wait_until(time_point due, detail::spinlock_lock& unlocked, waker&& how) noexcept;
  void schedule(context* ready) noexcept;

  void attach(context* one) noexcept;
  void detach() noexcept;
  void worker_unlink() noexcept;
  [[nodiscard]] time_point due() const noexcept { return due_; }
  [[nodiscard]] bool sleep_is_linked() const noexcept { return sleeps_; }
  void sleep_unlink() noexcept;

  waker create_waker() noexcept {
    return {this, waker_epoch_.fetch_add(1, std::memory_order_acq_rel) + 1};
  }
  bool wake(std::size_t epoch) noexcept;

  platform::atomic<std::intptr_t> twstatus{0};    ///< Before Boost 1.80.
  platform::atomic<std::size_t> waker_epoch_{0};  ///< Since then.
  platform::var<scheduler*> scheduler_ = nullptr;
  platform::parked_stack stack;

 protected:
  /// Runs on the other side of each switch: does what the fiber that left has asked for.
  static void arrive() noexcept;

 private:
  friend scheduler;

  struct errand {
    detail::spinlock_lock* unlocked = nullptr;
    context* ready = nullptr;
  };
  struct on_thread {
    context* active = nullptr;
    errand next;
  };

  [[gnu::noinline]] static context* leave_for(context& next, errand then) noexcept {
    auto& here = platform::per_thread<on_thread>();
    here.next = then;
    return std::exchange(here.active, &next);
  }
  void resume_then(errand then) noexcept {
    context* const before = leave_for(*this, then);
    platform::switch_stacks(before->stack, stack);
    arrive();
  }

  type kind_;
  platform::var<bool> sleeps_ = false;
  platform::var<time_point> due_ = time_point::max();
  waker sleep_waker_;
};

inline context* context_list::first_due() const noexcept {
  (void)static_cast<int>(touched_);
  const auto first =
      std::ranges::min_element(items_, {}, [](auto* each) { return each->due(); });
  return first == items_.end() ? nullptr : *first;
}

}  // namespace boost::fibers
