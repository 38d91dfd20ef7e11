// hotseat/tests/support/scenario.hpp — one test of tests/model/: a program that must not
// fail.
#pragma once

#include <gtest/gtest.h>

#include <hotseat/explore/explore.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

namespace hotseat::testing {

/// What to give HOTSEAT_REPLAY: "Suite.test".
inline std::string scenario_name() {
  const ::testing::TestInfo* const test =
      ::testing::UnitTest::GetInstance()->current_test_info();
  return std::string{test->test_suite_name()} + "." + test->name();
}

/// The report of a failure goes to stderr, the number of schedules into the XML of gtest.
inline explore_result run_scenario(explore_options options,
                                   const std::function<void()>& program) {
  options.name = scenario_name();
  const explore_result result = explore(options, program);
  ::testing::Test::RecordProperty("schedules", std::to_string(result.schedules));
  ::testing::Test::RecordProperty("steps", std::to_string(result.steps));
  EXPECT_FALSE(result.has_failed()) << result.what;
  return result;
}

/// As many schedules as asked for, chosen at random in several ways.
inline void expect_good(std::uint64_t schedules, const std::function<void()>& program,
                        explore_options options = {}) {
  options.schedules = schedules;
  run_scenario(std::move(options), program);
}

/// All schedules with at most two unusual decisions.
inline void expect_always_good(const std::function<void()>& program,
                               explore_options options = {}) {
  options.how = strategy::exhaustive;
  options.schedules = 20'000'000;
  EXPECT_TRUE(run_scenario(std::move(options), program).is_complete);
}

}  // namespace hotseat::testing
