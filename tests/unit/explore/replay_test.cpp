// hotseat/tests/unit/explore/replay_test.cpp — a failing schedule fails again in the same
// way, step by step.
#include <gtest/gtest.h>

#include <hotseat/explore/explore.hpp>

#include <array>
#include <cstdint>
#include <set>
#include <string>

#include "support/planted_bugs.hpp"

namespace hotseat {
namespace {

using planted::bug;
using planted::form;

/// The part of a report about the schedule itself: all but the number of schedules before
/// it.
std::string steps_of(const explore_result& result) {
  return result.report.substr(result.report.find("the last steps"));
}

explore_result fail_with_seed(const bug& one, strategy how, std::uint64_t seed) {
  return explore(
      {.name = one.name, .how = how, .schedules = 1'000'000, .seed = seed, .prints = false},
      [&] { one.program(form::wrong); });
}

explore_result replay(const bug& one, const std::string& text) {
  return explore({.name = one.name, .prints = false, .replay = text},
                 [&] { one.program(form::wrong); });
}

void expect_same(const bug& one, const explore_result& first) {
  ASSERT_TRUE(first.has_failed()) << one.name;
  EXPECT_EQ(first.report.find("NOT THE SAME"), std::string::npos) << first.report;
  const explore_result second = replay(one, first.replay);
  const explore_result third = replay(one, first.replay);
  EXPECT_EQ(second.schedules, 1U);
  EXPECT_EQ(second.failure, first.failure) << one.name;
  EXPECT_EQ(second.what, first.what);
  EXPECT_EQ(second.replay, first.replay);
  EXPECT_EQ(steps_of(second), steps_of(first)) << first.replay;
  EXPECT_EQ(third.report, second.report);
  EXPECT_NE(steps_of(first).find("thread-"), std::string::npos) << first.report;
}

TEST(Replay, a_hundred_failing_seeds_replay_identically) {
  constexpr std::array strategies{strategy::random_walk, strategy::priorities,
                                  strategy::mixed};
  std::set<std::string> different;
  std::uint64_t seed = 1;
  for (int i = 0; i < 100; ++i, seed += 1000) {
    const auto number = static_cast<std::size_t>(i);
    const bug& one = planted::all[number % planted::all.size()];
    const explore_result first =
        fail_with_seed(one, strategies[number / planted::all.size() % 3], seed);
    expect_same(one, first);
    different.insert(one.name + first.replay);
  }
  EXPECT_EQ(different.size(), 100U);
}

TEST(Replay, what_an_exhaustive_search_has_found_replays_identically) {
  for (const bug& one : planted::all) {
    expect_same(one, fail_with_seed(one, strategy::exhaustive, 1));
  }
}

}  // namespace
}  // namespace hotseat
