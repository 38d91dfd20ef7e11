// hotseat/tests/support/posted_events.hpp — an event_source whose events the test posts.
#pragma once

#include <hotseat/core/spin_lock.hpp>
#include <hotseat/platform/parker.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/runtime/event_source.hpp>
#include <hotseat/sync/one_shot.hpp>

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace hotseat::testing {

class posted_events final : public event_source {
 public:
  /// Any thread: an event for `worker` has happened, and completes `what`.
  void post(unsigned worker, one_shot<>& what) {
    part& to = parts_[worker];
    {
      const std::lock_guard guard{to.lock};
      to.posted.push_back(&what);
    }
    to.bell.unpark();
  }

  void open(unsigned workers) override {
    size = workers;
    parts_ = std::make_unique<part[]>(workers);
  }
  /// Uses up an interrupt, as real sources do.
  void poll(unsigned worker) noexcept override {
    static_cast<void>(parts_[worker].bell.park_until(platform::clock::time_point::min()));
    complete(parts_[worker]);
  }
  void wait(unsigned worker, platform::clock::time_point deadline) noexcept override {
    part& mine = parts_[worker];
    ++mine.waits;
    if (deadline == platform::clock::time_point::max()) {
      mine.bell.park();
    } else {
      mine.bell.park_until(deadline);
    }
    complete(mine);
  }
  void interrupt(unsigned worker) noexcept override { parts_[worker].bell.unpark(); }

  unsigned size = 0;

 private:
  struct part {
    spin_lock lock;
    std::vector<one_shot<>*> posted;  // under lock
    platform::parker bell;
    platform::var<int> calls = 0;  // A race if two threads poll at once (E1).
    int waits = 0;
  };

  static void complete(part& which) noexcept {
    which.calls = which.calls + 1;
    std::vector<one_shot<>*> due;
    {
      const std::lock_guard guard{which.lock};
      due.swap(which.posted);
    }
    for (one_shot<>* each : due) each->set_value();
  }

  std::unique_ptr<part[]> parts_;
};

}  // namespace hotseat::testing
