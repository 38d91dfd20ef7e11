// hotseat/runtime/thread_pool.hpp — the work-stealing executor.
// Layer: runtime.  Read next: detail/worker.hpp (the loop), detail/sleepers.hpp (parking).
#pragma once

#include <hotseat/core/waiter.hpp>
#include <hotseat/runtime/event_source.hpp>
#include <hotseat/runtime/queue_order.hpp>
#include <hotseat/runtime/stats.hpp>
#include <hotseat/runtime/topology.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/sched/worker_scope.hpp>

#include <cstdint>
#include <memory>
#include <optional>

namespace hotseat {

namespace detail {
class pool_core;
}  // namespace detail

struct thread_pool_options {
  static constexpr unsigned most_threads = 4096;

  /// Workers.  0: as many as CPUs allowed to this process (affinity mask, cgroup quota).
  unsigned threads = 0;

  /// How tightly a worker is tied to its place in the topology.
  pinning pin = pinning::node;

  /// Exchanges in a row after which the heir is sent to another worker, unless an idle
  /// worker can steal the tasks that wait here.
  std::uint32_t chain_limit = worker_scope::default_chain_limit;

  /// Slots per block, 1 to 32768, and blocks per worker's queue, a power of two from 2 to
  /// 65536.  Overflow goes to the injector.
  std::uint32_t block_size = 32;
  std::uint32_t block_count = 128;

  /// The end from which a worker takes tasks that became ready.
  queue_order order = queue_order::fifo;

  /// Where the workers wait for I/O, and poll for it while they work.  Must outlive the
  /// pool.  Null: they sleep in a futex.
  event_source* events = nullptr;

  /// The machine to arrange the workers for; by default the one we run on.
  std::optional<hotseat::topology> machine = std::nullopt;
};

/// A fixed set of workers that run tasks and steal from each other.
///
/// The destructor ends sleeps and other waits with a deadline early, runs all tasks that
/// are or become ready, and then stops the workers.  A task that still waits for something
/// else stays suspended: it belongs to the group or the task that started it, and must not
/// be resumed any more.  A fiber that still waits stops the program.  REQUIRES: no thread
/// schedules to a pool that is being destroyed, except its own workers and timers.
class thread_pool final : public executor {
 public:
  using options = thread_pool_options;

  /// Throws std::invalid_argument for impossible options, and std::system_error if the
  /// system refuses that many threads; then none is left behind.
  explicit thread_pool(const options& wanted = {});
  explicit thread_pool(unsigned threads) : thread_pool{options{.threads = threads}} {}
  ~thread_pool();

  void schedule(waiter& ready) noexcept override;
  void schedule_all(waiter_queue& ready) noexcept override;
  [[nodiscard]] alarm_clock* timers() noexcept override;

  [[nodiscard]] unsigned size() const noexcept;

  /// The counters of each worker.  Read while the workers run, so not all at one moment.
  [[nodiscard]] pool_stats stats() const;

  [[nodiscard]] const hotseat::topology& machine() const noexcept;

  /// The index of the calling worker, if it is one of this pool.
  [[nodiscard]] std::optional<unsigned> current_worker() const noexcept;

 private:
  std::unique_ptr<detail::pool_core> core_;
};

}  // namespace hotseat
