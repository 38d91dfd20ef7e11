// hotseat/runtime/detail/worker.hpp — one worker: its queues and its loop.
// Layer: runtime/detail.  Read next: bwos_queue.hpp, sleepers.hpp, pool_core.hpp.
#pragma once

#include <hotseat/core/waiter.hpp>
#include <hotseat/platform/config.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/runtime/detail/bwos_queue.hpp>
#include <hotseat/runtime/detail/costs.hpp>
#include <hotseat/runtime/detail/sleepers.hpp>
#include <hotseat/runtime/detail/theft_ledger.hpp>
#include <hotseat/runtime/detail/victims.hpp>
#include <hotseat/runtime/stats.hpp>
#include <hotseat/runtime/thread_pool.hpp>
#include <hotseat/sched/current.hpp>
#include <hotseat/sched/worker_scope.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace hotseat::detail {

class pool_core;

/// A counter that one thread writes and others may read.
class counter {
 public:
  void add(std::uint64_t n = 1) noexcept {
    value_.store(value_.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
  }
  void raise_to(std::uint64_t n) noexcept {
    if (n > get()) value_.store(n, std::memory_order_relaxed);
  }
  [[nodiscard]] std::uint64_t get() const noexcept {
    return value_.load(std::memory_order_relaxed);
  }

 private:
  platform::atomic<std::uint64_t> value_{0};
};

/// Where the next task comes from, in this order:
///
///     slot       what an exchange left; no other worker can see it
///     outside    every `fairness_interval` tasks, and when a task reschedules if there is
///                anything: events, then injector, ready before forks
///     urgent     heirs whose chain was cut
///     forks      children of the running tasks, newest first
///     ready      tasks that became ready here, in the order of the pool's options
///     injector   what came from outside
///     events     of its own part of the event_source, if there is one
///     others     urgent, injected or stolen tasks; nearest victims first
///     sleep
///
/// After cutting a chain, a worker leaves urgent tasks to others until it next looks
/// outside or runs out of tasks: its own tasks have waited for the chain to end.
class worker final : public worker_scope {
 public:
  worker(pool_core& pool, unsigned index, std::byte* queue_storage);

  /// Runs tasks until the pool is over.
  void run() noexcept;

  // --- On this worker's thread.

  void schedule(waiter& ready) noexcept;
  void schedule_all(waiter_queue& ready) noexcept;
  void schedule_left(waiter& self, bool is_followed) noexcept override;
  void schedule_last(waiter& ready) noexcept override;
  void fork_all(std::span<waiter> children) noexcept override;
  [[nodiscard]] bool send_elsewhere(waiter& heir) noexcept override;
  [[nodiscard]] bool has_ready() const noexcept override;

  // --- On any thread.

  [[nodiscard]] unsigned index() const noexcept { return index_; }
  [[nodiscard]] worker_stats stats() const noexcept;
  /// Whether a thief would find something here.
  [[nodiscard]] bool shows_work() const noexcept {
    return ready_.shows_work() || forks_.shows_work();
  }

  [[nodiscard]] static std::size_t queue_bytes(const thread_pool_options& options) noexcept;

 private:
  using item = bwos_queue::item;

  void run_task(item task, thread_state& here) noexcept;
  void count_chain(thread_state& here) noexcept;

  item next_task() noexcept;
  item take_task() noexcept;
  item take_fairly() noexcept;
  item take_urgent() noexcept;
  item take_injected(std::size_t most) noexcept;
  item keep_rest(waiter* list) noexcept;
  void keep_all(waiter* list) noexcept;
  void push_ready(waiter& ready) noexcept;

  void publish() noexcept;
  void publish_forks(bool has_filled_block) noexcept;
  void publish_if_due() noexcept;
  bool show_all() noexcept;
  void wake_if_needed() noexcept;

  item take_events() noexcept;
  item take_arrived() noexcept;
  [[nodiscard]] bool has_arrived() const noexcept;
  template <class Call>
  void quietly(Call call) noexcept;

  item search() noexcept;
  void sleep_if_idle(bool is_searching, eagerness mine) noexcept;
  item search_round() noexcept;
  void rest() noexcept;
  item steal_from(worker& victim, distance how_far) noexcept;
  void found_work() noexcept;

  // Constant after construction.
  pool_core& pool_;
  const unsigned index_;
  const bool is_alone_;
  const bool has_events_;
  const victim_order victims_;

  // This worker's.
  bwos_queue ready_;
  bwos_queue forks_;
  std::int64_t until_fair_ = quota::fairness_interval;  // tasks
  bool leaves_urgent_ = false;                          // to others, until then
  std::uint32_t pushes_ = 0;        // by the running task, since it was resumed
  std::uint64_t published_at_ = 0;  // beside a contended lock
  std::uint64_t gather_for_ = 0;    // from then on, in platform ticks
  std::uint64_t polled_at_ = 0;     // in platform ticks
  bool is_quiet_;                   // what becomes ready is not published yet
  std::uint64_t random_;
  theft_ledger thefts_;

  counter tasks_run_;
  counter local_pops_;
  counter injected_;
  std::array<counter, 3> steals_;
  std::array<counter, 3> tasks_stolen_;
  counter blocks_granted_;
  counter parks_;
  counter wake_ups_;
  counter exchanges_;
  counter longest_chain_;
  counter chains_cut_;
  counter back_offs_;
};

}  // namespace hotseat::detail
