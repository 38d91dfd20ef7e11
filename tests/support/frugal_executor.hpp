// hotseat/tests/support/frugal_executor.hpp — an executor that never allocates.
#pragma once

#include <hotseat/core/waiter.hpp>
#include <hotseat/core/waiter_queue.hpp>
#include <hotseat/sched/alarm_clock.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/sched/run.hpp>

#include <support/manual_clock.hpp>
#include <support/manual_executor.hpp>

namespace hotseat::testing {

/// For tests that count allocations: neither its queue nor its clock has any.
class frugal_executor final : public executor {
 public:
  void schedule(waiter& ready) noexcept override { line_.push_back(ready); }
  [[nodiscard]] alarm_clock* timers() noexcept override { return &clock; }
  void run_all() {
    const worker_scope scope{*this};
    while (!line_.empty()) run_until_idle(line_.pop_front().task);
  }

  manual_clock clock;

 private:
  waiter_queue line_;
};

}  // namespace hotseat::testing
