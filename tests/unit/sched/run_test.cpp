// hotseat/tests/unit/sched/run_test.cpp — a chain of transfers takes no stack.
#include <gtest/gtest.h>

#include <coroutine>
#include <cstdint>
#include <hotseat/platform/config.hpp>
#include <hotseat/sched/current.hpp>
#include <hotseat/sched/run.hpp>
#include <string>
#include <support/probes.hpp>

namespace hotseat {
namespace {

testing::owned ping(const std::coroutine_handle<>& to, int& left) {
  while (left > 0) {
    --left;
    co_await testing::transfer{to};
  }
}

testing::owned say(std::string& log, char what, const std::coroutine_handle<>& next) {
  log += what;
  if (next) co_await testing::transfer{next};
}

testing::owned leave_in_slot(std::string& log, char what, std::coroutine_handle<> next) {
  log += what;
  detail::current().run_next = next;
  co_return;
}

TEST(Run, transfer_continues_with_the_other_task_when_this_one_has_suspended) {
  std::string log;
  const std::coroutine_handle<> nobody;
  const testing::owned last = say(log, 'b', nobody);
  const std::coroutine_handle<> next = last.handle();
  const testing::owned first = say(log, 'a', next);
  run_until_idle(first.handle());
  EXPECT_EQ(log, "ab");
  EXPECT_TRUE(last.done());
  EXPECT_FALSE(first.done());
}

TEST(Run, runs_what_each_suspension_leaves_in_the_slot) {
  std::string log;
  const testing::owned third = leave_in_slot(log, 'c', nullptr);
  const testing::owned second = leave_in_slot(log, 'b', third.handle());
  const testing::owned first = leave_in_slot(log, 'a', second.handle());
  run_until_idle(first.handle());
  EXPECT_EQ(log, "abc");
  EXPECT_FALSE(detail::current().run_next) << "the slot is empty afterwards";
}

testing::owned change_locks(std::uint32_t& before) {
  before = detail::current().locks_held;
  detail::current().locks_held = 9;
  co_return;
}

TEST(Run, what_is_nested_starts_without_locks_and_leaves_the_count_as_it_was) {
  std::uint32_t before = 77;
  const testing::owned task = change_locks(before);
  detail::current().locks_held = 2;
  run_nested(task.handle());
  EXPECT_EQ(before, 0U);
  EXPECT_EQ(detail::current().locks_held, 2U);
  detail::current().locks_held = 0;
}

TEST(Run, of_nothing_is_nothing) {
  run_until_idle(nullptr);
  EXPECT_FALSE(detail::current().run_next);
}

// At a hundred bytes a hop, this would need more stack than a thread has.
TEST(Run, a_million_transfers_take_no_stack) {
  int left = config::sanitizes_thread ? 200'000 : 1'000'000;
  std::coroutine_handle<> a;
  std::coroutine_handle<> b;
  const testing::owned first = ping(b, left);
  const testing::owned second = ping(a, left);
  a = first.handle();
  b = second.handle();
  run_until_idle(a);
  EXPECT_EQ(left, 0);
}

}  // namespace
}  // namespace hotseat
