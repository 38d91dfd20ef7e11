// integrations/boost_fiber/model/algorithms.hpp — the algorithms of the modelled Boost,
// which pick a thread's next fiber: round_robin, shared_work, work_stealing.
#pragma once

#include <hotseat/platform/seam.hpp>
#include <model/context.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace boost::fibers::algo {

/// Where a thread sleeps: a mutex, a flag and a condition, as in Boost.  `notify` touches
/// it once more after it has released the sleeper.
class alarm_bell {
 public:
  void sleep_until(time_point due) noexcept {
    for (;;) {
      const std::uint32_t seen = rings_.load(std::memory_order_acquire);
      {
        const detail::spinlock_lock held{guard_};
        const bool has_rung = is_set_;
        is_set_ = false;
        if (has_rung || platform::now() >= due) return;
      }
      platform::futex_wait(rings_, seen, due == time_point::max() ? nullptr : &due);
    }
  }
  void notify() noexcept {
    {
      const detail::spinlock_lock held{guard_};
      is_set_ = true;
    }
    rings_.fetch_add(1, std::memory_order_release);
    platform::futex_wake(rings_);
  }

 private:
  detail::spinlock guard_;
  platform::var<bool> is_set_ = false;
  platform::atomic<std::uint32_t> rings_{0};
};

class algorithm {
 public:
  using ptr_t = std::shared_ptr<algorithm>;

  algorithm() = default;
  algorithm(const algorithm&) = delete;
  algorithm& operator=(const algorithm&) = delete;
  virtual ~algorithm() = default;

  virtual void awakened(context* ready) noexcept = 0;
  virtual context* pick_next() noexcept = 0;
  [[nodiscard]] virtual bool has_ready_fibers() const noexcept = 0;
  /// The last call, when the thread ends.
  virtual void leave() noexcept {}

  void suspend_until(time_point due) noexcept { bell_.sleep_until(due); }
  void notify() noexcept { bell_.notify(); }

 private:
  alarm_bell bell_;
};

class round_robin final : public algorithm {
 public:
  void awakened(context* ready) noexcept override { ready_.push_back(*ready); }
  context* pick_next() noexcept override { return ready_.pop_front(); }
  [[nodiscard]] bool has_ready_fibers() const noexcept override { return !ready_.empty(); }

 private:
  context_list ready_;
};

/// Boost has one queue for the whole program; here each execution has a queue of its own.
struct shared_queue {
  detail::spinlock guard;
  context_list ready;
  std::vector<algorithm*> threads;  ///< Algorithms whose threads have not ended.
};

class shared_work final : public algorithm {
 public:
  explicit shared_work(shared_queue& queue) : queue_{queue} {
    queue_.threads.push_back(this);
  }

  void awakened(context* ready) noexcept override {
    if (ready->is_context(type::pinned_context)) return local_.push_back(*ready);
    ready->detach();
    const detail::spinlock_lock held{queue_.guard};
    queue_.ready.push_back(*ready);
  }
  context* pick_next() noexcept override {
    context* next = nullptr;
    {
      const detail::spinlock_lock held{queue_.guard};
      next = queue_.ready.pop_front();
    }
    if (next == nullptr) return local_.pop_front();
    context::active()->attach(next);
    return next;
  }
  [[nodiscard]] bool has_ready_fibers() const noexcept override {
    const detail::spinlock_lock held{queue_.guard};
    return !queue_.ready.empty() || !local_.empty();
  }
  /// A thread may end with ready fibers in the queue.  Boost's other threads never sleep
  /// by default, and take them; here they are woken.
  void leave() noexcept override {
    const detail::spinlock_lock held{queue_.guard};
    std::erase(queue_.threads, this);
    if (queue_.ready.empty()) return;
    for (algorithm* const each : queue_.threads) each->notify();
  }

 private:
  shared_queue& queue_;
  context_list local_;
};

class work_stealing;
/// The threads of one execution.  Like Boost's, it keeps the algorithms of threads that
/// have ended.
using thieves = std::vector<std::shared_ptr<work_stealing>>;

class work_stealing final : public algorithm {
 public:
  explicit work_stealing(const thieves& all) noexcept : all_{all} {}

  void awakened(context* ready) noexcept override {
    if (!ready->is_context(type::pinned_context)) ready->detach();
    const detail::spinlock_lock held{guard_};
    ready_.push_back(*ready);
  }
  context* pick_next() noexcept override {
    context* next = pop();
    for (const auto& each : all_) {
      if (next == nullptr && each.get() != this) next = each->steal();
    }
    if (next != nullptr && !next->is_context(type::pinned_context)) {
      context::active()->attach(next);
    }
    return next;
  }
  [[nodiscard]] bool has_ready_fibers() const noexcept override {
    const detail::spinlock_lock held{guard_};
    return !ready_.empty();
  }

 private:
  context* pop() noexcept {
    const detail::spinlock_lock held{guard_};
    return ready_.pop_front();
  }
  context* steal() noexcept {
    const detail::spinlock_lock held{guard_};
    context* const first = ready_.front();
    if (first == nullptr || first->is_context(type::pinned_context)) return nullptr;
    return ready_.pop_front();
  }

  const thieves& all_;
  mutable detail::spinlock guard_;
  context_list ready_;
};

}  // namespace boost::fibers::algo
