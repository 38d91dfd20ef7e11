// hotseat/tests/unit/runtime/theft_ledger_test.cpp — when a thief rests, and for how long.
// Layer: runtime.  Times are small numbers here: the ledger knows no clock.
#include <hotseat/runtime/detail/costs.hpp>
#include <hotseat/runtime/detail/theft_ledger.hpp>

#include <gtest/gtest.h>

#include <cstdint>

namespace hotseat::detail {
namespace {

class TheftLedger : public ::testing::Test {
 protected:
  static costs small() {
    costs all;
    all.steal = 30;
    all.move = 10;
    all.busy_cpu = 2000;
    all.shortest_rest = 200;
    all.longest_rest = 10'000;
    return all;
  }

  /// A theft that took `theft`, after which the thief ran `tasks` in `gain`.
  void steal(std::uint64_t theft, std::uint64_t tasks, std::uint64_t gain,
             bool are_cpus_busy = false) {
    ledger.note_theft(now, now + theft, tasks_run, are_cpus_busy);
    now += theft + gain;
    tasks_run += tasks;
    ledger.settle(now, tasks_run);
  }

  const costs all = small();
  theft_ledger ledger{all};
  std::uint64_t now = 1000;
  std::uint64_t tasks_run = 7;
};

TEST_F(TheftLedger, a_thief_that_has_stolen_nothing_need_not_rest) {
  EXPECT_EQ(ledger.rest(), 0U);
  ledger.settle(now, tasks_run);
  EXPECT_EQ(ledger.rest(), 0U);
}

TEST_F(TheftLedger, a_theft_that_gained_what_it_cost_is_followed_by_no_rest) {
  steal(10, 2, 30 + 2 * 10);
  EXPECT_EQ(ledger.rest(), 0U);
}

TEST_F(TheftLedger, a_theft_that_gained_less_is_followed_by_a_rest) {
  steal(10, 2, 30 + 2 * 10 - 1);
  EXPECT_EQ(ledger.rest(), all.shortest_rest);
}

TEST_F(TheftLedger, half_the_time_of_a_slow_theft_is_what_each_task_costs) {
  steal(100, 2, 30 + 2 * 50 - 1);
  EXPECT_EQ(ledger.rest(), all.shortest_rest);
}

TEST_F(TheftLedger, taking_the_cpu_of_a_busy_worker_must_be_worth_it_too) {
  steal(10, 1, all.busy_cpu - 1, true);
  EXPECT_EQ(ledger.rest(), all.shortest_rest);
}

TEST_F(TheftLedger, rests_double_up_to_a_bound) {
  for (std::uint64_t expected = all.shortest_rest; expected < all.longest_rest;
       expected *= 2) {
    steal(10, 1, 0);
    EXPECT_EQ(ledger.rest(), expected);
  }
  for (int i = 0; i < 5; ++i) steal(10, 1, 0);
  EXPECT_EQ(ledger.rest(), all.longest_rest);
}

TEST_F(TheftLedger, after_a_good_theft_the_rest_is_halved_and_not_longer_than_the_gain) {
  for (int i = 0; i < 4; ++i) steal(10, 1, 0);
  ASSERT_EQ(ledger.rest(), 1600U);
  steal(10, 1, 5000);
  EXPECT_EQ(ledger.rest(), 800U);
  steal(10, 1, 300);
  EXPECT_EQ(ledger.rest(), 300U);
  steal(10, 1, 5000);
  EXPECT_EQ(ledger.rest(), 0U) << "below the shortest rest it is none";
}

TEST_F(TheftLedger, a_theft_is_settled_once) {
  steal(10, 1, 0);
  ledger.settle(now + 1, tasks_run);
  EXPECT_EQ(ledger.rest(), all.shortest_rest);
}

}  // namespace
}  // namespace hotseat::detail
