// hotseat/tests/unit/sync/phase_state_test.cpp — how many arrivals a barrier still expects.
#include <gtest/gtest.h>

#include <deque>
#include <hotseat/core/line_waiter.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sync/detail/phase_state.hpp>
#include <support/spinning.hpp>
#include <support/threads.hpp>
#include <support/waiters.hpp>
#include <vector>

namespace hotseat::detail {
namespace {

using testing::listed;

class PhaseState : public ::testing::Test {
 protected:
  line_waiter& arrive(phase_state& phases) {
    line_waiter& w = waiters.emplace_back();
    EXPECT_FALSE(phases.arrive_or_enqueue(w));
    return w;
  }
  bool arrive_last(phase_state& phases) {
    return phases.arrive_or_enqueue(waiters.emplace_back());
  }
  std::deque<line_waiter> waiters;
};

TEST_F(PhaseState, one_alone_is_always_the_last) {
  phase_state phases{1};
  for (int phase = 0; phase < 3; ++phase) {
    EXPECT_TRUE(arrive_last(phases));
    EXPECT_TRUE(listed(phases.end_phase()).empty());
    EXPECT_EQ(phases.missing(), 1U);
  }
}

TEST_F(PhaseState, H1_a_phase_ends_when_as_many_have_arrived_as_it_expected) {
  phase_state phases{3};
  arrive(phases);
  EXPECT_EQ(phases.missing(), 2U);
  arrive(phases);
  EXPECT_TRUE(arrive_last(phases));
  EXPECT_EQ(listed(phases.end_phase()).size(), 2U);
  EXPECT_EQ(phases.missing(), 3U);
}

TEST_F(PhaseState, H2_no_task_is_let_out_before_the_last_ends_the_phase) {
  phase_state phases{2};
  line_waiter& a = arrive(phases);
  EXPECT_TRUE(arrive_last(phases));
  EXPECT_TRUE(a.is_in_line);
  EXPECT_TRUE(phases.is_waited());
  EXPECT_EQ(listed(phases.end_phase()), (std::vector<waiter*>{&a}));
  EXPECT_FALSE(phases.is_waited());
}

TEST_F(PhaseState, H3_the_end_of_a_phase_lets_out_all_in_order_of_arrival) {
  phase_state phases{4};
  for (int phase = 0; phase < 3; ++phase) {
    line_waiter& a = arrive(phases);
    line_waiter& b = arrive(phases);
    line_waiter& c = arrive(phases);
    EXPECT_TRUE(arrive_last(phases));
    EXPECT_EQ(listed(phases.end_phase()), (std::vector<waiter*>{&a, &b, &c}));
  }
}

TEST_F(PhaseState, H4_a_task_that_leaves_early_has_arrived) {
  phase_state phases{3};
  line_waiter& a = arrive(phases);
  EXPECT_TRUE(phases.leave(a));
  EXPECT_FALSE(phases.is_waited());
  EXPECT_EQ(phases.missing(), 2U);
  line_waiter& b = arrive(phases);
  EXPECT_TRUE(arrive_last(phases));
  EXPECT_EQ(listed(phases.end_phase()), (std::vector<waiter*>{&b}));
  EXPECT_EQ(phases.missing(), 3U) << "it is expected again";
}

TEST_F(PhaseState, H4_even_while_the_completion_runs) {
  phase_state phases{3};
  line_waiter& a = arrive(phases);
  line_waiter& b = arrive(phases);
  EXPECT_TRUE(arrive_last(phases));
  EXPECT_TRUE(phases.leave(a));
  EXPECT_EQ(listed(phases.end_phase()), (std::vector<waiter*>{&b}));
  EXPECT_FALSE(phases.leave(b)) << "it has been let out";
}

TEST_F(PhaseState, a_task_that_drops_arrives_once_more_and_is_not_expected_again) {
  phase_state phases{3};
  EXPECT_FALSE(phases.arrive_and_drop());
  EXPECT_EQ(phases.missing(), 2U);
  line_waiter& a = arrive(phases);
  EXPECT_TRUE(arrive_last(phases));
  EXPECT_EQ(listed(phases.end_phase()), (std::vector<waiter*>{&a}));
  EXPECT_EQ(phases.missing(), 2U);
}

TEST_F(PhaseState, a_task_that_drops_may_be_the_last) {
  phase_state phases{2};
  line_waiter& a = arrive(phases);
  EXPECT_TRUE(phases.arrive_and_drop());
  EXPECT_EQ(listed(phases.end_phase()), (std::vector<waiter*>{&a}));
  EXPECT_TRUE(phases.arrive_and_drop());
  EXPECT_TRUE(listed(phases.end_phase()).empty());
  EXPECT_EQ(phases.missing(), 0U) << "no task takes part any more";
}

// Plain data, so that ThreadSanitizer sees a missing edge.
TEST_F(PhaseState, the_last_sees_what_came_before_all_arrivals) {
  constexpr int threads = 4;
  constexpr int rounds = 1'000;
  using place = testing::spinning<line_waiter>;
  phase_state phases{threads};
  std::vector<int> data(threads);
  int ended = 0;
  testing::on_threads(threads, [&](int t) {
    for (int round = 1; round <= rounds; ++round) {
      place self;
      data[static_cast<std::size_t>(t)] = round;
      if (!phases.arrive_or_enqueue(self)) {
        self.await_turn_elsewhere();
      } else {
        for (const int seen : data) EXPECT_EQ(seen, round);
        ++ended;
        testing::let_in<line_waiter>(phases.end_phase());
      }
      EXPECT_GE(ended, round);
      // No thread writes `ended` and `data` again before all have looked.
      place again;
      if (!phases.arrive_or_enqueue(again)) {
        again.await_turn_elsewhere();
      } else {
        testing::let_in<line_waiter>(phases.end_phase());
      }
    }
  });
  EXPECT_EQ(ended, rounds);
}

}  // namespace
}  // namespace hotseat::detail
