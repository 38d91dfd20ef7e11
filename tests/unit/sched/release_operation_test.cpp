// hotseat/tests/unit/sched/release_operation_test.cpp — letting several in at once.
#include <gtest/gtest.h>

#include <hotseat/core/waiter_queue.hpp>
#include <hotseat/sched/handoff.hpp>
#include <hotseat/sched/release_operation.hpp>
#include <string>
#include <support/manual_executor.hpp>
#include <support/probes.hpp>
#include <utility>

namespace hotseat {
namespace {

using testing::manual_executor;
using testing::owned;

template <class Handoff>
class let_in_operation : public release_operation<let_in_operation<Handoff>, Handoff> {
 public:
  explicit let_in_operation(waiter_queue& line) noexcept : line_{line} {}
  waiter_queue release() noexcept { return std::exchange(line_, waiter_queue{}); }
  void await_resume() const noexcept {}

 private:
  waiter_queue& line_;
};

owned wait_in(waiter_queue& line, std::string& log, char name) {
  co_await testing::stand_in{line};
  log += name;
}

template <class Handoff>
owned let_in(waiter_queue& line, std::string& log) {
  co_await let_in_operation<Handoff>{line};
  log += '.';
}

/// What three waiters and the one who lets them in write, on one worker.
template <class Handoff>
std::string order_of() {
  manual_executor ex{1};
  waiter_queue line;
  std::string log;
  owned a = wait_in(line, log, 'a');
  owned b = wait_in(line, log, 'b');
  owned c = wait_in(line, log, 'c');
  owned last = let_in<Handoff>(line, log);
  for (owned* const task : {&a, &b, &c, &last}) task->start_on(ex);
  ex.run_all();
  return log;
}

TEST(ReleaseOperation, exchanges_with_the_first_and_schedules_the_rest_and_the_caller) {
  EXPECT_EQ(order_of<handoff::exchange>(), "abc.");
}

TEST(ReleaseOperation, dispatch_goes_on) {
  EXPECT_EQ(order_of<handoff::dispatch>(), ".abc");
}

TEST(ReleaseOperation, resume_inline_runs_them_all_first) {
  EXPECT_EQ(order_of<handoff::resume_inline>(), "abc.");
}

TEST(ReleaseOperation, goes_on_where_nobody_waits) {
  manual_executor ex{1};
  waiter_queue nobody;
  std::string log;
  owned task = let_in<handoff::exchange>(nobody, log);
  task.start_on(ex);
  ASSERT_TRUE(ex.step());
  EXPECT_EQ(log, ".");
  EXPECT_EQ(ex.requests().size(), 1U);
}

}  // namespace
}  // namespace hotseat
