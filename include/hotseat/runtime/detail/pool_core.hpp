// hotseat/runtime/detail/pool_core.hpp — what the workers of a pool share.
// Layer: runtime/detail.
#pragma once

#include <hotseat/core/pinned.hpp>
#include <hotseat/core/spin_lock.hpp>
#include <hotseat/platform/config.hpp>
#include <hotseat/platform/memory.hpp>
#include <hotseat/platform/parker.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/runtime/detail/costs.hpp>
#include <hotseat/runtime/detail/injector.hpp>
#include <hotseat/runtime/detail/pool_events.hpp>
#include <hotseat/runtime/detail/sleepers.hpp>
#include <hotseat/runtime/detail/urgent_tasks.hpp>
#include <hotseat/runtime/detail/worker.hpp>
#include <hotseat/runtime/thread_pool.hpp>
#include <hotseat/sched/timer_queue.hpp>

#include <cstdint>
#include <exception>
#include <memory>
#include <vector>

namespace hotseat::detail {

/// Life of a pool:  starting → running → draining → over.
///   draining: the destructor waits until all workers sleep and no work is left.
///   over:     workers leave their loop.
///
/// Invariant
///   L1  A thread that brings a task from outside is counted in callers_ from before the
///       task is visible until it last touches the pool.  (⇒ the task may end the life of
///       the pool)
///
/// Memory order
///   X  release  each phase → next  ⟶ Y   publishes all workers, and the end.  Also from
///                                        running to draining: a late thread may see
///                                        that store first
///   Y  acquire  phase_             ⟵ X
///   N  release  not_ready_ - 1     ⟶ N   publishes a worker to the pool's constructor
///      acquire  not_ready_ == 0
///   H  release  still_here_ - 1    ⟶ H   a worker no longer looks at the others
///      acquire  still_here_ == 0         so all may be destroyed
///   K  release  callers_ - 1       ⟶ K   a caller no longer touches the pool (L1)
///      acquire  callers_ == 0            so it may be destroyed
class pool_core : pinned<pool_core> {
 public:
  pool_core(executor& pool, const thread_pool_options& wanted);
  ~pool_core();

  /// From outside: puts the task into the injector of a node, and wakes a worker if needed.
  void inject(waiter& ready) noexcept;
  /// The same for several, with one wake-up.  Empties the queue.
  void inject_all(waiter_queue& ready) noexcept;
  /// From a worker whose queue is full.
  void overflow(waiter& ready, unsigned worker) noexcept;
  /// Up to `most` tasks of one injector, that of the worker's own node first.
  [[nodiscard]] waiter* pop_injected(unsigned worker, std::size_t most) noexcept;

  [[nodiscard]] bool has_injected() const noexcept;

  /// Whether there is anything an idle worker could take.
  [[nodiscard]] bool shows_work() const noexcept;

  [[nodiscard]] bool is_over() const noexcept {
    return phase_.load(std::memory_order_acquire) == phase::over;  // Y
  }
  /// Called by a worker before it sleeps: lets a waiting destructor look again.
  void notice_idle() noexcept;

  [[nodiscard]] sleepers& sleep() noexcept { return *sleepers_; }
  [[nodiscard]] unsigned size() const noexcept { return size_; }
  [[nodiscard]] worker& at(unsigned index) const noexcept { return *workers_[index]; }
  [[nodiscard]] const thread_pool_options& options() const noexcept { return options_; }
  [[nodiscard]] const topology& machine() const noexcept { return machine_; }
  [[nodiscard]] const std::vector<unsigned>& assigned() const noexcept { return assigned_; }
  [[nodiscard]] urgent_tasks& urgent() noexcept { return urgent_; }
  /// Null without an event_source.
  [[nodiscard]] pool_events* events() noexcept { return events_.get(); }
  [[nodiscard]] alarm_clock& timers() noexcept;
  [[nodiscard]] executor& face() const noexcept { return face_; }
  [[nodiscard]] const costs& cost() const noexcept { return costs_; }
  /// How long a searcher goes on before it sleeps, in platform ticks.
  [[nodiscard]] std::uint64_t patience() const noexcept {
    return events_ != nullptr ? costs_.short_patience : costs_.patience;
  }
  [[nodiscard]] static platform::clock::duration to_duration(std::uint64_t ticks) noexcept;

 private:
  enum class phase : std::uint8_t { starting, running, draining, over };

  void start_threads();
  void thread_body(unsigned index) noexcept;
  void open_gates() noexcept;
  void finish_threads() noexcept;
  void await_callers() noexcept;
  [[nodiscard]] bool is_idle() noexcept;
  [[nodiscard]] unsigned next_node() noexcept;

  executor& face_;
  const thread_pool_options options_;
  const topology machine_;
  const unsigned size_;
  const std::vector<unsigned> assigned_;
  const costs costs_;
  std::unique_ptr<sleepers> sleepers_;
  std::unique_ptr<pool_events> events_;
  std::unique_ptr<padded<platform::parker>[]> gates_;  // where threads wait for each other
  std::unique_ptr<injector[]> injectors_;              // one per node
  urgent_tasks urgent_;
  std::vector<worker*> workers_;  // each allocated by its own thread
  std::vector<platform::thread> threads_;

  timer_queue timers_;      // without an event_source
  platform::parker owner_;  // the thread that constructs or destroys the pool
  spin_lock failure_lock_;
  std::exception_ptr failure_;
  alignas(cache_line) platform::atomic<phase> phase_{phase::starting};
  platform::atomic<unsigned> not_ready_{0};   // threads that have not made their worker
  platform::atomic<unsigned> still_here_{0};  // threads that have not left their loop
  alignas(cache_line) platform::atomic<unsigned> next_injector_{0};
  platform::atomic<unsigned> callers_{0};  // inside `inject`
};

}  // namespace hotseat::detail
