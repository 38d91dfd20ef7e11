// hotseat/tests/unit/explore/planted_test.cpp — the explorer finds planted bugs, and only
// those.
#include <gtest/gtest.h>

#include <hotseat/explore/explore.hpp>

#include <cstdio>
#include <string>

#include "support/planted_bugs.hpp"

namespace hotseat {
namespace {

using planted::bug;
using planted::form;

class Planted : public ::testing::TestWithParam<bug> {};

explore_result explore_one(const bug& one, form f, strategy how, std::uint64_t schedules) {
  return explore(
      {.name = one.name, .how = how, .schedules = schedules, .prints = f == form::right},
      [&] { one.program(f); });
}

/// A use after free may be found at the use or at the free, whichever comes second.
bool is_found(const explore_result& result, const bug& one) {
  return result.failure == one.how || (one.how == explore_result::kind::use_after_free &&
                                       result.failure == explore_result::kind::race);
}

TEST_P(Planted, the_bug_is_found) {
  const explore_result result =
      explore_one(GetParam(), form::wrong, strategy::mixed, 1'000'000);
  EXPECT_TRUE(is_found(result, GetParam())) << result.report;
  RecordProperty("schedules", std::to_string(result.schedules));
  std::printf("  %-36s %7llu schedules\n", GetParam().name,
              static_cast<unsigned long long>(result.schedules));
}

TEST_P(Planted, the_bug_is_found_by_an_exhaustive_search) {
  const explore_result result =
      explore_one(GetParam(), form::wrong, strategy::exhaustive, 10'000'000);
  EXPECT_TRUE(is_found(result, GetParam())) << result.report;
}

TEST_P(Planted, without_the_bug_nothing_is_found) {
  EXPECT_FALSE(explore_one(GetParam(), form::right, strategy::mixed, 20'000).has_failed());
  const explore_result all =
      explore_one(GetParam(), form::right, strategy::exhaustive, 10'000'000);
  EXPECT_FALSE(all.has_failed());
  EXPECT_TRUE(all.is_complete);
}

INSTANTIATE_TEST_SUITE_P(Bugs, Planted, ::testing::ValuesIn(planted::all),
                         [](const auto& which) { return std::string{which.param.name}; });

}  // namespace
}  // namespace hotseat
