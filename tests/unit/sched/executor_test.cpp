// hotseat/tests/unit/sched/executor_test.cpp — what to implement, and the defaults.
#include <gtest/gtest.h>

#include <coroutine>
#include <hotseat/core/waiter.hpp>
#include <hotseat/core/waiter_queue.hpp>
#include <hotseat/sched/executor.hpp>
#include <support/probes.hpp>
#include <type_traits>
#include <vector>

namespace hotseat {
namespace {

using testing::manual_executor;

static_assert(!std::is_copy_constructible_v<executor>);
static_assert(!std::is_destructible_v<executor>, "nobody deletes through the base");

class minimal final : public executor {
 public:
  void schedule(waiter& ready) noexcept override { scheduled.push_back(&ready); }
  std::vector<waiter*> scheduled;
};

testing::detached note(manual_executor& ex, std::vector<executor*>& seen) {
  seen.push_back(executor::current());
  co_await testing::on(ex);
  seen.push_back(executor::current());
}

testing::detached ask_for(manual_executor& ex, std::coroutine_handle<> next) {
  co_await testing::on(ex);
  executor::run_next(next);
}

TEST(Executor, schedule_is_enough_to_write_one) {
  minimal ex;
  waiter a;
  waiter b;
  waiter c;
  executor& base = ex;
  EXPECT_TRUE(base.send_elsewhere(a));
  base.fork(b);
  base.schedule_last(c);
  EXPECT_EQ(ex.scheduled, (std::vector<waiter*>{&a, &b, &c}));
  EXPECT_TRUE(base.has_ready());
  base.admit_guest();
  base.dismiss_guest();
  EXPECT_EQ(ex.scheduled.size(), 3U) << "guests concern nobody";
}

TEST(Executor, several_children_are_forked_the_last_one_first) {
  minimal ex;
  std::vector<waiter> children(3);
  static_cast<executor&>(ex).fork_all(children);
  EXPECT_EQ(ex.scheduled, (std::vector<waiter*>{&children[2], &children[1], &children[0]}));
}

TEST(Executor, several_are_scheduled_in_order_and_the_queue_is_empty_then) {
  minimal ex;
  waiter a;
  waiter b;
  waiter_queue ready;
  ready.push_back(a);
  ready.push_back(b);
  static_cast<executor&>(ex).schedule_all(ready);
  EXPECT_EQ(ex.scheduled, (std::vector<waiter*>{&a, &b}));
  EXPECT_TRUE(ready.empty());
}

TEST(Executor, keeps_no_time_unless_it_says_so) {
  minimal ex;
  EXPECT_EQ(static_cast<executor&>(ex).timers(), nullptr);
}

TEST(Executor, current_is_the_one_whose_worker_is_calling) {
  manual_executor ex;
  std::vector<executor*> seen;
  note(ex, seen);
  EXPECT_EQ(executor::current(), nullptr);
  ex.run_all();
  EXPECT_EQ(seen, (std::vector<executor*>{nullptr, &ex}));
  EXPECT_EQ(executor::current(), nullptr);
}

TEST(Executor, run_next_goes_before_everything_that_is_ready) {
  manual_executor ex{2};
  testing::owned next = testing::do_nothing();
  testing::owned other = testing::do_nothing();
  ask_for(ex, next.handle());
  other.start_on(ex);
  ASSERT_TRUE(ex.step(1));
  EXPECT_TRUE(next.done());
  EXPECT_FALSE(other.done());
  EXPECT_EQ(ex.resumptions().back(), (manual_executor::resumption{1, next.handle()}));
  ex.run_all();
  EXPECT_TRUE(other.done());
}

}  // namespace
}  // namespace hotseat
