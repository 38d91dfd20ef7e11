// hotseat/runtime/detail/theft_ledger.hpp — what a worker's thefts cost, what they were
// worth, and how long it rests.  Layer: runtime/detail.  Why: docs/design/parking.md.
#pragma once

#include <hotseat/runtime/detail/costs.hpp>

#include <algorithm>
#include <cstdint>

namespace hotseat::detail {

/// Tasks that run for less time than it takes to move them are better left to their worker:
/// a thief would pull its cache lines away and gain nothing.  So a thief measures what its
/// thefts are worth.
///
///     gain     the time from a theft until the thief has nothing to do again
///     trouble  `steal`, and for each task that it ran half the time of the theft, at least
///              `move`; but at least `busy_cpu` if it took the CPU of a busy worker
///
///     gain < trouble   it rests before the next search, twice as long as the last time
///     otherwise        it rests half as long, at most as long as the gain, or not at all
///
/// The time of the theft shows what a cache line costs at the moment, which the gain does
/// not: a task that waits for its lines looks busy as well.  While the thief rests, tasks
/// pile up, so its next visit is worth more.
///
/// All times are in platform ticks.
class theft_ledger {
 public:
  explicit theft_ledger(const costs& of) noexcept : costs_{of} {}

  /// A theft took from `begin` to `end`; `tasks_run` is the number of tasks that the worker
  /// had run by then.
  void note_theft(std::uint64_t begin, std::uint64_t end, std::uint64_t tasks_run,
                  bool are_cpus_busy) noexcept {
    stolen_at_ = end;
    theft_ = end - begin;
    tasks_before_ = tasks_run;
    least_ = are_cpus_busy ? costs_.busy_cpu : 0;
  }

  /// The worker has nothing to do: settles the last theft if that is still open.
  void settle(std::uint64_t now, std::uint64_t tasks_run) noexcept {
    if (stolen_at_ == 0) return;
    const std::uint64_t gain = now - stolen_at_;
    const std::uint64_t per_task = std::max(theft_ / 2, costs_.move);
    const std::uint64_t moving = costs_.steal + (tasks_run - tasks_before_) * per_task;
    stolen_at_ = 0;
    if (gain < std::max(moving, least_)) {
      rest_ = std::min(std::max(rest_ * 2, costs_.shortest_rest), costs_.longest_rest);
    } else {
      rest_ = std::min(rest_ / 2, gain);
      if (rest_ < costs_.shortest_rest) rest_ = 0;
    }
  }

  /// How long to rest before the next search.
  [[nodiscard]] std::uint64_t rest() const noexcept { return rest_; }

 private:
  const costs& costs_;
  std::uint64_t stolen_at_ = 0;     // 0: settled
  std::uint64_t theft_ = 0;         // how long it took
  std::uint64_t tasks_before_ = 0;  // tasks that the worker had run by then
  std::uint64_t least_ = 0;         // least gain that pays, however few the tasks
  std::uint64_t rest_ = 0;
};

}  // namespace hotseat::detail
