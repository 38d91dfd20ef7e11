// hotseat/tests/support/scenario.hpp — one test of tests/model/: a program that must not
// fail.
#pragma once

#include <gtest/gtest.h>

#include <hotseat/explore/explore.hpp>

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>

namespace hotseat::testing {

/// What the running test has explored so far, in one or more programs.
struct explored_so_far {
  std::string name;  ///< What HOTSEAT_REPLAY takes: "Suite.test".
  std::uint64_t schedules = 0;
  bool is_exhaustive = true;  ///< All of it, with two preemptions or more.
};

inline explored_so_far& of_this_test() {
  static explored_so_far all;
  const ::testing::TestInfo& test =
      *::testing::UnitTest::GetInstance()->current_test_info();
  std::string name = std::string{test.test_suite_name()} + "." + test.name();
  if (all.name != name) all = {.name = std::move(name)};
  return all;
}

/// Explores under the name of the test, which fails if the program fails.  The report goes
/// to stderr, the numbers into gtest's XML, for tools/count_schedules.py.
inline explore_result run_scenario(explore_options options,
                                   const std::function<void()>& program) {
  explored_so_far& all = of_this_test();
  options.name = all.name;
  explore_result result = explore(options, program);
  EXPECT_FALSE(result.has_failed()) << result.what;
  all.schedules += result.schedules;
  all.is_exhaustive &= result.is_complete && options.preemptions >= 2;
  ::testing::Test::RecordProperty("schedules", std::to_string(all.schedules));
  ::testing::Test::RecordProperty("exhaustive", all.is_exhaustive ? 1 : 0);
  return result;
}

/// Some schedules, chosen at random in several ways.
inline void explore_some(std::uint64_t schedules, const std::function<void()>& program,
                         explore_options options = {}) {
  options.schedules = schedules;
  run_scenario(std::move(options), program);
}

/// All schedules within the bound: the search must complete, unless the environment limited
/// it.
inline void explore_all(const std::function<void()>& program,
                        explore_options options = {}) {
  options.how = strategy::exhaustive;
  options.schedules = 20'000'000;
  const explore_result result = run_scenario(std::move(options), program);
  const bool is_limited = std::getenv("HOTSEAT_EXPLORE_LIMIT") != nullptr;
  EXPECT_TRUE(result.is_complete || result.has_failed() || is_limited);
}
inline void explore_all(unsigned preemptions, const std::function<void()>& program,
                        explore_options options = {}) {
  options.preemptions = preemptions;
  explore_all(program, std::move(options));
}

}  // namespace hotseat::testing
