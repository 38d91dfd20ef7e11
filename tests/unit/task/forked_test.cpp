// hotseat/tests/unit/task/forked_test.cpp — the first child runs here, the others are
// offered.
#include <gtest/gtest.h>

#include <array>
#include <coroutine>
#include <hotseat/core/waiter.hpp>
#include <hotseat/sched/current.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/sched/run.hpp>
#include <hotseat/sched/worker_scope.hpp>
#include <hotseat/task/detail/forked.hpp>
#include <hotseat/task/detail/join_counter.hpp>
#include <hotseat/task/task.hpp>
#include <stop_token>
#include <string>
#include <support/errand.hpp>
#include <support/probes.hpp>
#include <support/tasks.hpp>
#include <utility>

namespace hotseat::detail {
namespace {

using testing::say_plainly;

using testing::manual_executor;
using verb = manual_executor::verb;

task<> say(std::string& log, char what) {
  log += what;
  co_return;
}

task<> say_in_a_child(std::string& log, char what) {
  co_await say(log, what);
  log += '.';
}

/// Three children and the task that waits for them.
template <class Make>
class family {
 public:
  family(std::string& log, Make make)
      : a{make(log, 'a')},
        b{make(log, 'b')},
        c{make(log, 'c')},
        parent{say_plainly(log, 'P')} {}

  void fork() {
    prepare(places[0], a, join, nullptr);
    prepare(places[1], b, join, nullptr);
    prepare(places[2], c, join, nullptr);
    join.start(3, parent.handle());
    first = fork_all(places);
  }

  task<> a;
  task<> b;
  task<> c;
  testing::owned parent;
  join_counter join;
  std::array<waiter, 3> places;
  std::coroutine_handle<> first;
};

/// Resumes what an await_suspend returned.
void continue_with(std::coroutine_handle<> next) {
  next.resume();
  const std::coroutine_handle<> slot = std::exchange(detail::current().run_next, nullptr);
  run_until_idle(slot);
}

TEST(Forked, all_but_the_first_are_offered_to_the_workers) {
  manual_executor ex{2};
  std::string log;
  family children{log, &say};
  run_on(ex, [&] {
    children.fork();
    EXPECT_EQ(log, "");
    // Where a transfer takes stack, the first child is in the slot already.
    if (!detail::current().run_next) executor::run_next(children.first);
  });
  ASSERT_TRUE(ex.step());
  EXPECT_EQ(log, "a");
  ASSERT_EQ(ex.ready().size(), 2U);
  for (const manual_executor::request& each : ex.ready()) EXPECT_EQ(each.how, verb::fork);
  ex.run_all();
  EXPECT_EQ(log.size(), 4U);
  EXPECT_EQ(log.back(), 'P') << "the parent goes on when all have ended";
}

TEST(Forked, the_second_is_the_newest_so_that_a_tree_is_walked_in_order) {
  manual_executor ex{1};
  std::string log;
  family children{log, &say};
  const worker_scope scope{ex};
  children.fork();
  ASSERT_EQ(ex.ready().size(), 2U);
  EXPECT_EQ(ex.ready().back().task, task_access::coroutine(children.b));
  continue_with(children.first);
  ex.run_all();
}

TEST(Forked, without_an_executor_they_run_one_after_the_other_in_order) {
  std::string log;
  family children{log, &say};
  children.fork();
  continue_with(children.first);
  EXPECT_EQ(log, "abcP");
}

TEST(Forked, without_an_executor_children_may_have_children) {
  std::string log;
  family children{log, &say_in_a_child};
  children.fork();
  continue_with(children.first);
  EXPECT_EQ(log, "a.b.c.P");
}

TEST(Forked, prepare_writes_the_child_into_its_place_and_gives_it_the_token) {
  std::string log;
  task<> child = say(log, 'a');
  join_counter join;
  const std::stop_token token;
  waiter place;
  prepare(place, child, join, &token);
  EXPECT_EQ(place.task, task_access::coroutine(child));
  EXPECT_EQ(task_access::coroutine(child).promise().stop_token(), &token);
}

}  // namespace
}  // namespace hotseat::detail
