// hotseat/tests/unit/sync/wait_group_test.cpp — waits until a changing number of things is
// done.  What all gates share is in tests/conformance.
#include <gtest/gtest.h>

#include <hotseat/sync/wait_group.hpp>
#include <string>
#include <support/gate_kinds.hpp>
#include <support/manual_executor.hpp>
#include <support/probes.hpp>

namespace hotseat {
namespace {

using testing::manual_executor;
using testing::owned;
using testing::wait_for_ever;

class WaitGroup : public ::testing::Test {
 protected:
  void start(owned& task) {
    task.start_on(ex);
    ex.run_all();
  }
  wait_group g;
  manual_executor ex{2};
  std::string log;
};

TEST_F(WaitGroup, is_constant_initialized_and_nothing_is_to_be_waited_for) {
  static constinit wait_group constant;
  owned a = wait_for_ever(constant, log, 'a');
  a.start_on(ex);
  ASSERT_TRUE(ex.step());
  EXPECT_EQ(log, "a");
  EXPECT_EQ(ex.requests().size(), 1U);
}

TEST_F(WaitGroup, waits_until_as_many_are_done_as_were_added) {
  g.add();
  g.add(2);
  owned a = wait_for_ever(g, log, 'a');
  start(a);
  g.done_dispatch();
  g.add();  // While a task waits.
  g.done_dispatch(2);
  ex.run_all();
  EXPECT_EQ(log, "");
  g.done_dispatch();
  ex.run_all();
  EXPECT_EQ(log, "a");
}

TEST_F(WaitGroup, says_how_many_are_not_done_and_how_many_it_lets_out) {
  EXPECT_EQ(g.remaining(), 0U);
  g.add(3);
  EXPECT_EQ(g.remaining(), 3U);
  owned a = wait_for_ever(g, log, 'a');
  start(a);
  EXPECT_EQ(g.done_dispatch(2), 0U);
  EXPECT_EQ(g.remaining(), 1U);
  EXPECT_EQ(g.done_dispatch(), 1U);
  ex.run_all();
}

TEST_F(WaitGroup, can_be_used_again) {
  for (int round = 0; round < 3; ++round) {
    g.add(2);
    owned a = wait_for_ever(g, log, 'a');
    start(a);
    g.done_dispatch(2);
    ex.run_all();
    EXPECT_TRUE(a.done());
  }
}

TEST_F(WaitGroup, a_task_that_is_let_out_goes_on_whatever_is_added_before_it_runs) {
  g.add();
  owned a = wait_for_ever(g, log, 'a');
  start(a);
  g.done_dispatch();
  g.add();
  owned b = wait_for_ever(g, log, 'b');
  start(b);
  EXPECT_EQ(log, "a");
  g.done_dispatch();
  ex.run_all();
  EXPECT_EQ(log, "ab");
}

}  // namespace
}  // namespace hotseat
