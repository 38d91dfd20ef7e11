// integrations/boost_fiber/model/fiber.hpp — fibers of the modelled Boost, and threads that
// run them.
#pragma once

#include <hotseat/core/assert.hpp>
#include <hotseat/core/spin_wait.hpp>
#include <hotseat/platform/memory.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/platform/stack_switch.hpp>
#include <model/algorithms.hpp>
#include <model/context.hpp>
#include <model/scheduler.hpp>

#include <cstddef>
#include <functional>
#include <utility>

namespace boost::fibers {

/// A fiber with a stack of its own.
class stackful_context : public context {
 public:
  explicit stackful_context(type kind)
      : context{kind}, memory_{platform::take_stack(stack_bytes)} {
    platform::prepare_stack(stack, memory_.lowest, memory_.bytes, &stackful_context::enter,
                            this);
  }
  ~stackful_context() override {
    platform::forget_stack(stack);
    platform::give_stack(memory_);
  }

 private:
  static constexpr std::size_t stack_bytes = std::size_t{64} << 10U;

  static void enter(void* which) noexcept {
    arrive();
    static_cast<stackful_context*>(which)->run();
  }
  virtual void run() noexcept = 0;

  platform::guarded_stack memory_;
};

class worker_context final : public stackful_context {
 public:
  /// Like a task's frame: the explorer notices if one is lost, or used after its end.
  static void* operator new(std::size_t size) { return platform::allocate_frame(size); }
  static void operator delete(void* memory, std::size_t size) noexcept {
    platform::free_frame(memory, size);
  }

  explicit worker_context(std::function<void()> body)
      : stackful_context{type::worker_context}, body_{std::move(body)} {}

  /// REQUIRES: a thread's main fiber calls it.  A fiber that may move would hit the same
  /// gap in Boost's join that the drop-in closes with `parking_guard`.
  void join() noexcept {
    wait_for_end();
    // Boost does not wait here; see boost_fiber.hpp.
    for (hotseat::detail::spin_wait wait; !is_told_.load(std::memory_order_acquire);)
      wait();
  }

  void release() noexcept {
    if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

 private:
  void wait_for_end() noexcept {
    context& self = *context::active();
    hotseat::require(self.is_context(type::main_context), "fiber", this,
                     "a main fiber joins it");
    detail::spinlock_lock held{guard_};
    if (is_over_) return;
    joins_.push_back(self);
    self.suspend(held);
  }

  void run() noexcept override {
    body_();
    detail::spinlock_lock held{guard_};
    is_over_ = true;
    while (context* const one = joins_.pop_front()) schedule(one);
    is_told_.store(true, std::memory_order_release);
    get_scheduler()->terminate(*this, held);
  }

  std::function<void()> body_;
  detail::spinlock guard_;
  context_list joins_;
  platform::var<bool> is_over_ = false;
  platform::atomic<bool> is_told_{false};
  platform::atomic<int> references_{2};  // The handle, and the thread that runs it.
};

inline void scheduler::free_those_over() noexcept {
  while (context* const one = over_.pop_front())
    static_cast<worker_context*>(one)->release();
}

/// REQUIRES: it is joined.
class fiber {
 public:
  explicit fiber(std::function<void()> body)
      : context_{new worker_context{std::move(body)}} {
    context& self = *context::active();
    self.attach(context_);
    self.get_scheduler()->schedule(context_);
  }
  fiber(fiber&& other) noexcept : context_{std::exchange(other.context_, nullptr)} {}
  fiber& operator=(fiber&&) = delete;
  ~fiber() {
    hotseat::require(context_ == nullptr, "fiber", this, "it is joined before it goes");
  }

  void join() noexcept {
    context_->join();
    std::exchange(context_, nullptr)->release();
  }

 private:
  worker_context* context_;
};

/// While this lives, the calling thread runs fibers, as a thread does from its first call
/// of Boost to its end.
class fiber_thread {
 public:
  explicit fiber_thread(algo::algorithm::ptr_t algorithm)
      : scheduler_{std::move(algorithm)} {
    main_.scheduler_ = &scheduler_;
    dispatcher_.scheduler_ = &scheduler_;
    context::set_active(&main_);
    scheduler_.schedule(&dispatcher_);
  }
  fiber_thread(const fiber_thread&) = delete;
  fiber_thread& operator=(const fiber_thread&) = delete;
  ~fiber_thread() {
    if (void (*const last_act)() noexcept = platform::per_thread<on_end>().call) last_act();
    scheduler_.end();
    scheduler_.suspend();  // The dispatcher comes back when no fiber is left.
    scheduler_.algo_->leave();
    context::set_active(nullptr);
  }

  /// What the calling thread does before it ends.
  static void at_end(void (*call)() noexcept) noexcept {
    platform::per_thread<on_end>().call = call;
  }

 private:
  struct on_end {
    void (*call)() noexcept = nullptr;
  };

  class dispatcher_context final : public stackful_context {
   public:
    explicit dispatcher_context(fiber_thread& of) noexcept
        : stackful_context{type::dispatcher_context}, of_{of} {}

   private:
    void run() noexcept override {
      of_.scheduler_.dispatch(*this);
      of_.main_.resume_for_good();
    }
    fiber_thread& of_;
  };

  scheduler scheduler_;
  context main_{type::main_context};
  dispatcher_context dispatcher_{*this};
};

}  // namespace boost::fibers
