// hotseat/tests/support/frugal_executor.hpp — an executor that never allocates.
#pragma once

#include <hotseat/core/waiter.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/sched/worker_scope.hpp>

#include <support/manual_clock.hpp>

#include <cstddef>
#include <vector>

namespace hotseat::testing {

/// For tests that count allocations: neither its queue nor its clock allocates.  Notes how
/// many tasks become ready at a time, while there is room.
class frugal_executor final : public executor {
 public:
  frugal_executor() { portions.reserve(room); }

  void schedule(waiter& ready) noexcept override {
    line_.push_back(ready);
    note(1);
  }
  void schedule_all(waiter_queue& ready) noexcept override {
    int count = 0;
    for (; !ready.empty(); ++count) line_.push_back(ready.pop_front());
    note(count);
  }
  [[nodiscard]] alarm_clock* timers() noexcept override { return &clock; }
  void run_all() {
    worker_scope worker{*this};
    while (!line_.empty()) worker.run(line_.pop_front());
  }

  manual_clock clock;
  std::vector<int> portions;  ///< How many tasks each call made ready.

 private:
  static constexpr std::size_t room = 256;

  void note(int count) noexcept {
    if (portions.size() < room) portions.push_back(count);
  }

  waiter_queue line_;
};

}  // namespace hotseat::testing
