// hotseat/tests/support/manual_clock.hpp — an alarm clock that rings when told to.
#pragma once

#include <hotseat/platform/seam.hpp>
#include <hotseat/sched/detail/timer_heap.hpp>
#include <hotseat/sched/executor.hpp>

#include <functional>
#include <utility>

namespace hotseat::testing {

/// Deterministic: alarms ring inside the calls below, in order of time, and never on their
/// own. Does not allocate.
class manual_clock final : public alarm_clock {
 public:
  void start() override {
    if (on_start) on_start();
  }
  [[nodiscard]] bool set(alarm& a) noexcept override {
    if (is_closed_) return false;
    heap_.add(a);
    if (on_set) std::exchange(on_set, nullptr)();
    return true;
  }
  void withdraw(alarm& a) noexcept override {
    if (a.back != nullptr) heap_.remove(a);
  }

  /// Rings all alarms that are due at `time`.
  void advance_to(platform::clock::time_point time) {
    while (!is_empty() && heap_.earliest()->due <= time) ring_earliest(false);
  }
  void ring_all() { advance_to(platform::clock::time_point::max()); }

  /// Rings all alarms early, and refuses later ones.
  void close() {
    is_closed_ = true;
    while (!is_empty()) ring_earliest(true);
  }

  [[nodiscard]] bool is_empty() const noexcept { return heap_.earliest() == nullptr; }

  /// Called at each start; may throw.
  std::function<void()> on_start;
  /// Called once, when the next alarm has been set and its task still runs.
  std::function<void()> on_set;

 private:
  void ring_earliest(bool is_early) {
    alarm& a = *heap_.earliest();
    heap_.remove(a);
    a.is_early = is_early;
    a.ring(a);
  }

  hotseat::detail::timer_heap heap_;
  bool is_closed_ = false;
};

}  // namespace hotseat::testing
