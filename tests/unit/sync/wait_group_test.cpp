// hotseat/tests/unit/sync/wait_group_test.cpp — waits until a changing number of things is
// done.  What it shares with other gates is in tests/conformance.
#include <gtest/gtest.h>

#include <concepts>
#include <hotseat/sched/handoff.hpp>
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

static_assert(std::same_as<wait_group, basic_wait_group<handoff::exchange>>);

template <class Handoff>
class WaitGroup : public ::testing::Test {
 protected:
  void start(owned& task) {
    task.start_on(ex);
    ex.run_all();
  }
  basic_wait_group<Handoff> g;
  manual_executor ex{2};
  std::string log;
};
TYPED_TEST_SUITE(WaitGroup, testing::handoffs);

TYPED_TEST(WaitGroup, is_constant_initialized_and_nothing_is_to_be_waited_for) {
  static constinit basic_wait_group<TypeParam> constant;
  owned a = wait_for_ever(constant, this->log, 'a');
  a.start_on(this->ex);
  ASSERT_TRUE(this->ex.step());
  EXPECT_EQ(this->log, "a");
  EXPECT_EQ(this->ex.requests().size(), 1U);
}

TYPED_TEST(WaitGroup, waits_until_as_many_are_done_as_were_added) {
  this->g.add();
  this->g.add(2);
  owned a = wait_for_ever(this->g, this->log, 'a');
  this->start(a);
  this->g.done_dispatch();
  this->g.add();  // While somebody waits.
  this->g.done_dispatch(2);
  this->ex.run_all();
  EXPECT_EQ(this->log, "");
  this->g.done_dispatch();
  this->ex.run_all();
  EXPECT_EQ(this->log, "a");
}

TYPED_TEST(WaitGroup, says_how_many_are_not_done_and_how_many_it_lets_out) {
  EXPECT_EQ(this->g.remaining(), 0U);
  this->g.add(3);
  EXPECT_EQ(this->g.remaining(), 3U);
  owned a = wait_for_ever(this->g, this->log, 'a');
  this->start(a);
  EXPECT_EQ(this->g.done_dispatch(2), 0U);
  EXPECT_EQ(this->g.remaining(), 1U);
  EXPECT_EQ(this->g.done_dispatch(), 1U);
  this->ex.run_all();
}

TYPED_TEST(WaitGroup, can_be_used_again) {
  for (int round = 0; round < 3; ++round) {
    this->g.add(2);
    owned a = wait_for_ever(this->g, this->log, 'a');
    this->start(a);
    this->g.done_dispatch(2);
    this->ex.run_all();
    EXPECT_TRUE(a.done());
  }
}

TYPED_TEST(WaitGroup, who_was_let_out_goes_on_whatever_is_added_before_it_runs) {
  this->g.add();
  owned a = wait_for_ever(this->g, this->log, 'a');
  this->start(a);
  this->g.done_dispatch();
  this->g.add();
  owned b = wait_for_ever(this->g, this->log, 'b');
  this->start(b);
  EXPECT_EQ(this->log, "a");
  this->g.done_dispatch();
  this->ex.run_all();
  EXPECT_EQ(this->log, "ab");
}

}  // namespace
}  // namespace hotseat
