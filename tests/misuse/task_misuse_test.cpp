// hotseat/tests/misuse/task_misuse_test.cpp — a broken rule stops the program and is named.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <hotseat/core/assert.hpp>
#include <hotseat/runtime/thread_pool.hpp>
#include <hotseat/task/shared_task.hpp>
#include <hotseat/task/sleep.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/task.hpp>
#include <hotseat/task/task_group.hpp>
#include <hotseat/task/when_all.hpp>
#include <support/probes.hpp>
#include <support/tasks.hpp>
#include <utility>

namespace hotseat {
namespace {

using testing::nothing;
using testing::number;
using testing::run;

class TaskMisuseDeathTest : public ::testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

constexpr const char* moved_from =
    "violation: task 0x[0-9a-f]+: it was moved from and cannot";
constexpr const char* run_already = "violation: task 0x[0-9a-f]+: it has run already";

task<> await_what_was_moved_from() {
  task<int> first = number(1);
  const task<int> second = std::move(first);
  co_await first;  // NOLINT(bugprone-use-after-move)
}

task<> await_twice() {
  task<int> child = number(1);
  co_await child;
  co_await child;
}

task<> join_what_was_moved_from() {
  task<int> first = number(1);
  const task<int> second = std::move(first);
  co_await when_all(std::move(first), number(2));  // NOLINT(bugprone-use-after-move)
}

task<> join_what_has_run() {
  task<int> child = number(1);
  co_await child;
  co_await when_all(std::move(child), number(2));
}

task<> wait_for_oneself(executor& here) {
  sync_wait(here, nothing());
  co_return;
}

task<> sleep_here() { co_await sleep_for(std::chrono::hours{1}); }

TEST_F(TaskMisuseDeathTest, awaiting_what_was_moved_from) {
  EXPECT_DEATH(run(await_what_was_moved_from()), moved_from);
}

TEST_F(TaskMisuseDeathTest, awaiting_twice) {
  EXPECT_DEATH(run(await_twice()), run_already);
}

TEST_F(TaskMisuseDeathTest, when_all_of_what_was_moved_from) {
  EXPECT_DEATH(run(join_what_was_moved_from()), moved_from);
}

TEST_F(TaskMisuseDeathTest, when_all_of_what_has_run) {
  EXPECT_DEATH(run(join_what_has_run()), run_already);
}

task<> await_a_handle_that_was_moved_from() {
  shared_task<int> first = number(1);
  const shared_task<int> second = std::move(first);
  co_await first;  // NOLINT(bugprone-use-after-move)
}

TEST_F(TaskMisuseDeathTest, awaiting_a_shared_task_that_was_moved_from) {
  constexpr const char* moved_handle =
      "violation: shared_task 0x[0-9a-f]+: it was moved from and cannot be awaited";
  EXPECT_DEATH(run(await_a_handle_that_was_moved_from()), moved_handle);
  EXPECT_DEATH(
      {
        shared_task<int> first = number(1);
        const shared_task<int> second = std::move(first);
        static_cast<void>(first.is_done());  // NOLINT(bugprone-use-after-move)
      },
      moved_handle);
}

TEST_F(TaskMisuseDeathTest, taking_the_result_of_a_shared_task_that_has_not_ended) {
  EXPECT_DEATH(
      {
        const shared_task<int> shared = number(1);
        static_cast<void>(shared.result());
      },
      "violation: shared_task 0x[0-9a-f]+: it has no result before it has ended");
}

task<int> await_and_return(task<int>& child) {
  const int result = co_await child;
  const shared_task<int> shared{std::move(child)};
  co_return result;
}

TEST_F(TaskMisuseDeathTest, sharing_what_was_moved_from_or_has_run) {
  EXPECT_DEATH(
      {
        task<int> first = number(1);
        const task<int> second = std::move(first);
        const shared_task<int> shared{std::move(first)};  // NOLINT(bugprone-use-after-move)
      },
      moved_from);
  EXPECT_DEATH(
      {
        task<int> child = number(1);
        run(await_and_return(child));
      },
      run_already);
}

TEST_F(TaskMisuseDeathTest, sync_wait_on_a_worker_of_the_same_executor) {
  EXPECT_DEATH(
      {
        thread_pool pool{1};
        sync_wait(pool, wait_for_oneself(pool));
      },
      "violation: sync_wait 0x[0-9a-f]+: it must not be called on a worker");
}

TEST_F(TaskMisuseDeathTest, spawning_what_was_moved_from) {
  EXPECT_DEATH(
      {
        testing::manual_executor ex{1};
        task_group group{ex};
        task<> first = nothing();
        const task<> second = std::move(first);
        group.spawn(std::move(first));  // NOLINT(bugprone-use-after-move)
      },
      moved_from);
}

TEST_F(TaskMisuseDeathTest, destroying_a_group_whose_tasks_run) {
  EXPECT_DEATH(
      {
        testing::manual_executor ex{1};
        task_group group{ex};
        group.spawn(nothing());
      },
      "violation: task_group 0x[0-9a-f]+: it must be joined before it is destroyed");
}

TEST_F(TaskMisuseDeathTest, sleeping_where_no_time_is_kept) {
  EXPECT_DEATH(run(sleep_here()),
               "violation: wait 0x[0-9a-f]+: a deadline needs an executor that keeps time");
}

[[noreturn]] void say_why_and_leave_with_five(const violation& v) {
  std::fputs(v.rule, stderr);
  std::_Exit(5);
}

TEST_F(TaskMisuseDeathTest, a_handler_of_the_program_is_called_instead) {
  EXPECT_EXIT(
      {
        on_violation(&say_why_and_leave_with_five);
        run(await_twice());
      },
      ::testing::ExitedWithCode(5), "it has run already");
}

}  // namespace
}  // namespace hotseat
