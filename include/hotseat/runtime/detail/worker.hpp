// hotseat/runtime/detail/worker.hpp — one worker: its queues and its loop.
// Layer: runtime/detail.  Read next: bwos_queue.hpp, sleepers.hpp, pool_core.hpp.
#pragma once

#include <hotseat/core/cache_line.hpp>
#include <hotseat/core/pinned.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/core/waiter_queue.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/runtime/detail/bwos_queue.hpp>
#include <hotseat/runtime/detail/inbox.hpp>
#include <hotseat/runtime/detail/victims.hpp>
#include <hotseat/runtime/stats.hpp>
#include <hotseat/runtime/thread_pool.hpp>
#include <hotseat/sched/this_thread.hpp>

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
///     slot       what an exchange left; nobody else can see it
///     outside    every `fairness_interval` tasks, and if there is anything when one
///                reschedules: injector first, ready before forks
///     inbox      tasks sent to this worker
///     forks      children of the running tasks, newest first
///     ready      tasks that became ready here, in the order of the pool's options
///     injector   a share of what came from outside
///     others     stolen, nearest victims first
///     sleep
class worker : pinned<worker> {
 public:
  worker(pool_core& pool, unsigned index, std::byte* queue_storage);

  /// Runs tasks until the pool says that it is over.
  void run() noexcept;

  // --- On this worker's thread.

  void schedule(waiter& ready) noexcept;
  void schedule_last(waiter& ready) noexcept;
  void schedule_all(waiter_queue& ready) noexcept;
  void fork(std::span<waiter> children) noexcept;

  /// Whether there is anything to run but the task that runs now.
  [[nodiscard]] bool has_ready() const noexcept;

  /// The chain has reached its limit.  Returns whether the heir was sent away.
  [[nodiscard]] bool cut_chain(waiter& heir) noexcept;

  // --- On any thread.

  void send(waiter& ready) noexcept { inbox_.push(ready); }
  /// Takes what was sent to this worker, if it does not get round to it.
  [[nodiscard]] waiter* raid() noexcept { return inbox_.take_all(); }
  [[nodiscard]] unsigned index() const noexcept { return index_; }
  [[nodiscard]] worker_stats stats() const noexcept;
  /// Whether a thief would find something here.
  [[nodiscard]] bool shows_work() const noexcept {
    return ready_.shows_work() || forks_.shows_work() || !inbox_.empty();
  }

  /// The worker that is calling, or nullptr.
  [[nodiscard]] static worker* current() noexcept {
    return platform::per_thread<of_thread>().self;
  }
  [[nodiscard]] const pool_core& pool() const noexcept { return pool_; }

  [[nodiscard]] static std::size_t queue_bytes(const thread_pool_options& options) noexcept;

 private:
  using item = bwos_queue::item;
  struct of_thread {
    worker* self = nullptr;
  };

  /// Tasks between two looks outside.  Prime, so that it does not fall into step with a
  /// pattern of tasks.
  static constexpr std::int64_t fairness_interval = 61;
  /// Most tasks taken in one steal or from the injector at once.
  static constexpr std::size_t batch = 64;
  /// Spin hints between two rounds of a search, at most.
  static constexpr unsigned longest_pause = 32;

  void run_task(item task, thread_state& here) noexcept;
  void count_chain(thread_state& here) noexcept;

  item next_task() noexcept;
  item take_task() noexcept;
  item take_fairly() noexcept;
  item take_injected(std::size_t most) noexcept;
  item keep_rest(waiter* list) noexcept;
  void keep_all(waiter* list) noexcept;
  void push_ready(waiter& ready) noexcept;

  void offer_gathered() noexcept;
  void announce() noexcept;
  void announce_forks(bool has_filled_block) noexcept;
  void wake_if_needed() noexcept;
  void expose() noexcept;
  [[nodiscard]] bool offer_all() noexcept;

  item search() noexcept;
  item search_round() noexcept;
  void rest() noexcept;
  item steal_from(worker& victim, distance how_far) noexcept;
  void found_work() noexcept;
  void measure_loot() noexcept;

  // Constant after construction.
  pool_core& pool_;
  const unsigned index_;
  const bool is_alone_;
  const victim_order victims_;

  // This worker's.
  bwos_queue ready_;
  bwos_queue forks_;
  std::int64_t until_fair_ = fairness_interval;  // tasks
  std::uint32_t pushes_ = 0;      // by the running task, since it was resumed
  std::uint64_t offered_at_ = 0;  // while exchanges follow each other
  std::uint64_t gather_for_ = 0;  // from then on, in platform ticks
  std::uint64_t random_;
  std::uint64_t loot_since_ = 0;  // when tasks were last stolen; 0: accounted for
  std::uint64_t theft_ = 0;       // how long it took to steal them
  std::uint64_t loot_tasks_ = 0;  // tasks_run_ then
  std::uint64_t least_gain_ = 0;  // what they must bring, however few they are
  bool has_slept_ = false;        // between the last loot and the one before
  std::uint64_t rest_ = 0;        // how long to leave the others alone, in platform ticks

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

  // Others push here.
  inbox inbox_;
};

}  // namespace hotseat::detail
