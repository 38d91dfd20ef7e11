// hotseat/tests/unit/core/assert_test.cpp — a violation names the object and the rule.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <hotseat/core/assert.hpp>
#include <hotseat/platform/config.hpp>

namespace hotseat {
namespace {

[[noreturn]] void exit_with_three(const violation& v) {
  const bool is_right = std::strcmp(v.object, "thing") == 0 && v.address != nullptr &&
                        std::strcmp(v.rule, "it must be so") == 0;
  std::_Exit(is_right ? 3 : 4);
}

void only_look(const violation&) { std::fputs("looked\n", stderr); }

class Assert : public ::testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
  int object_ = 0;
};
using AssertDeathTest = Assert;

TEST_F(Assert, what_holds_changes_nothing) {
  require(true, "thing", &object_, "it must be so");
  invariant(true, "thing", &object_, "it must be so");
  SUCCEED();
}

TEST_F(AssertDeathTest, what_does_not_hold_stops_with_object_address_and_rule) {
  EXPECT_DEATH(require(false, "thing", &object_, "it must be so"),
               "hotseat: violation: thing 0x[0-9a-f]+: it must be so");
}

TEST_F(AssertDeathTest, an_invariant_stops_checked_builds_only) {
  if constexpr (config::checks_invariants) {
    EXPECT_DEATH(invariant(false, "thing", &object_, "it must be so"), "it must be so");
  } else {
    invariant(false, "thing", &object_, "it must be so");
  }
}

TEST_F(AssertDeathTest, a_handler_gets_the_violation_and_may_end_the_program_itself) {
  EXPECT_EXIT(
      {
        on_violation(&exit_with_three);
        require(false, "thing", &object_, "it must be so");
      },
      ::testing::ExitedWithCode(3), "");
}

TEST_F(AssertDeathTest, a_handler_that_returns_is_followed_by_abort) {
  EXPECT_EXIT(
      {
        on_violation(&only_look);
        require(false, "thing", &object_, "it must be so");
      },
      ::testing::KilledBySignal(SIGABRT), "looked");
}

TEST_F(AssertDeathTest, no_handler_means_the_first_one) {
  EXPECT_DEATH(
      {
        on_violation(&exit_with_three);
        on_violation(nullptr);
        require(false, "thing", &object_, "it must be so");
      },
      "hotseat: violation: thing");
}

TEST_F(Assert, replacing_a_handler_returns_the_former_one) {
  const violation_handler first = on_violation(&only_look);
  EXPECT_NE(first, nullptr);
  EXPECT_EQ(on_violation(first), &only_look);
  EXPECT_EQ(on_violation(first), first);
}

}  // namespace
}  // namespace hotseat
