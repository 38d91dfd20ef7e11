// hotseat/tests/model/orders_model.cpp — memory orders that only data in a task's frame
// needs, which the explorer does not watch on its own.
#include <gtest/gtest.h>

#include <hotseat/core/line_waiter.hpp>
#include <hotseat/platform/seam.hpp>

#include <support/explored.hpp>

namespace hotseat {
namespace {

using platform::thread;
using testing::explore_all;

/// A task with limits, and all that it exchanges with the threads that settle it.
struct waiting_task {
  special_wait wait;
  platform::var<int> frame = 0;
  waiting_task() { wait.has_limits = true; }
};

// S ⟵ M: the thread that resumes the task accesses what it wrote until it suspended.
TEST(SpecialWaitModel, the_resuming_thread_sees_the_frame) {
  explore_all(3, [] {
    waiting_task self;
    thread other{[&] {
      if (self.wait.settle(outcome::granted)) self.frame = self.frame + 1;
    }};
    self.frame = 1;
    const bool is_suspended = self.wait.may_suspend();
    other.join();
    verify(self.frame == (is_suspended ? 2 : 1), "resumed if it was suspended, and once");
  });
}

// M ⟵ S: a task that need not suspend reads how its wait has ended.
TEST(SpecialWaitModel, a_task_that_does_not_suspend_sees_how_its_wait_ended) {
  explore_all(3, [] {
    waiting_task self;
    thread other{[&] { static_cast<void>(self.wait.settle(outcome::left)); }};
    if (!self.wait.may_suspend()) verify(self.wait.how == outcome::left, "how it ended");
    other.join();
  });
}

}  // namespace
}  // namespace hotseat
