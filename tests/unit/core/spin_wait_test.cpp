// hotseat/tests/unit/core/spin_wait_test.cpp — spins for a while, then gives the core away.
#include <gtest/gtest.h>

#include <hotseat/core/spin_wait.hpp>
#include <hotseat/platform/config.hpp>

namespace hotseat::detail {
namespace {

TEST(SpinWait, gives_the_core_away_once_it_has_looked_often_enough) {
  spin_wait wait;
  for (int turns = 1; turns < config::spin_turns; ++turns) {
    EXPECT_FALSE(wait.has_yielded(0));
    wait();
  }
  EXPECT_FALSE(wait.has_yielded(0));
  wait();
  EXPECT_TRUE(wait.has_yielded(0));
  EXPECT_FALSE(wait.has_yielded(1));
  wait();
  EXPECT_TRUE(wait.has_yielded(1));
}

}  // namespace
}  // namespace hotseat::detail
