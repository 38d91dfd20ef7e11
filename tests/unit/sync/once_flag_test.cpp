// hotseat/tests/unit/sync/once_flag_test.cpp — which task's turn it is to do something
// once. How it is used is in tests/unit/task/call_once_test.cpp.
#include <gtest/gtest.h>

#include <hotseat/sync/once_flag.hpp>
#include <string>
#include <support/gate_kinds.hpp>
#include <support/manual_executor.hpp>
#include <support/probes.hpp>

namespace hotseat {
namespace {

using testing::manual_executor;
using testing::owned;

/// Notes its name, as a capital if it has the turn, which the test ends.
owned enter(once_flag& flag, std::string& log, char name) {
  const bool is_our_turn = co_await flag.enter();
  log += is_our_turn ? static_cast<char>(name - 'a' + 'A') : name;
}

class OnceFlag : public ::testing::Test {
 protected:
  void start(owned& task) {
    task.start_on(ex);
    ex.run_all();
  }
  once_flag flag;
  manual_executor ex{2};
  std::string log;
};

TEST_F(OnceFlag, is_constant_initialized) {
  static constinit once_flag constant;
  EXPECT_FALSE(constant.is_done());
}

TEST_F(OnceFlag, the_first_to_come_has_the_turn_and_does_not_suspend) {
  owned a = enter(flag, log, 'a');
  a.start_on(ex);
  ASSERT_TRUE(ex.step());
  EXPECT_EQ(log, "A");
  EXPECT_FALSE(flag.is_done());
  flag.succeed_dispatch();
  EXPECT_TRUE(flag.is_done());
}

TEST_F(OnceFlag, the_others_wait_until_it_is_done) {
  owned a = enter(flag, log, 'a');
  owned b = enter(flag, log, 'b');
  owned c = enter(flag, log, 'c');
  for (owned* const task : {&a, &b, &c}) start(*task);
  EXPECT_EQ(log, "A");
  flag.succeed_dispatch();
  ex.run_all();
  EXPECT_EQ(log, "Abc");
  owned d = enter(flag, log, 'd');
  d.start_on(ex);
  ASSERT_TRUE(ex.step());
  EXPECT_EQ(log, "Abcd");
}

TEST_F(OnceFlag, after_a_failure_the_oldest_has_the_turn) {
  owned a = enter(flag, log, 'a');
  owned b = enter(flag, log, 'b');
  owned c = enter(flag, log, 'c');
  for (owned* const task : {&a, &b, &c}) start(*task);
  flag.fail_dispatch();
  ex.run_all();
  EXPECT_EQ(log, "AB");
  flag.succeed_dispatch();
  ex.run_all();
  EXPECT_EQ(log, "ABc");
}

TEST_F(OnceFlag, after_a_failure_that_no_task_saw_the_next_to_come_has_the_turn) {
  owned a = enter(flag, log, 'a');
  owned b = enter(flag, log, 'b');
  start(a);
  flag.fail_dispatch();
  start(b);
  EXPECT_EQ(log, "AB");
  flag.succeed_dispatch();
}

TEST_F(OnceFlag,
       success_lets_the_first_continue_here_and_schedules_the_rest_and_the_caller) {
  owned a = enter(flag, log, 'a');
  owned b = enter(flag, log, 'b');
  owned c = enter(flag, log, 'c');
  for (owned* const task : {&a, &b, &c}) start(*task);
  auto operation = flag.succeed();
  owned end = testing::release_and_note(operation, log, '.');
  end.start_on(ex);
  ASSERT_TRUE(ex.step(1));
  EXPECT_EQ(log, "Ab");
  ASSERT_EQ(ex.ready().size(), 2U);
  EXPECT_EQ(ex.ready()[0].task, c.handle());
  EXPECT_EQ(ex.ready()[1].task, end.handle());
  ex.run_all();
}

}  // namespace
}  // namespace hotseat
