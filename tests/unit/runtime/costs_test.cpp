// hotseat/tests/unit/runtime/costs_test.cpp — the constants of the scheduler fit together.
// Layer: runtime.
#include <hotseat/platform/seam.hpp>
#include <hotseat/runtime/detail/costs.hpp>

#include <gtest/gtest.h>

namespace hotseat::detail {
namespace {

TEST(Costs, microseconds_become_ticks_of_this_machine) {
  EXPECT_EQ(to_ticks(0), 0U);
  EXPECT_NEAR(static_cast<double>(to_ticks(1000)), 1000 * platform::ticks_per_microsecond(),
              1);
}

TEST(Costs, lower_bounds_are_below_upper_ones) {
  const costs all;
  EXPECT_LT(all.short_patience, all.patience);
  EXPECT_LT(all.shortest_rest, all.longest_rest);
  EXPECT_LT(all.shortest_gathering, all.longest_gathering);
}

TEST(Costs, taking_a_busy_cpu_costs_more_than_stealing) {
  const costs all;
  EXPECT_LT(all.move, all.steal);
  EXPECT_LT(all.steal, all.busy_cpu);
}

}  // namespace
}  // namespace hotseat::detail
