#include <harness/campaign.hpp>
#include <harness/interrupt.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace hotseat::bench {
namespace {

/// Two contenders in two places; the score is 10 for the rival and 20 for the other one,
/// plus a little for each repetition.
plan small_plan(std::vector<std::pair<std::string, std::uint64_t>>& calls) {
  return {.benchmark = "small",
          .axes = {{"workers", "workers", ""}},
          .cells = {{"ours", {1}}, {"rival", {1}}, {"ours", {2}}, {"rival", {2}}},
          .repetitions = 4,
          .seed = 7,
          .score = "mops",
          .rival = "rival",
          .settings = {{"tasks", 3U}},
          .run =
              [&calls](const cell& which, std::uint64_t seed) {
                calls.emplace_back(which.contender + std::to_string(int(which.at[0])),
                                   seed);
                const double base = which.contender == "rival" ? 10 : 20;
                return measurement{{{"mops", base + 0.1 * double(seed)}}, {}};
              },
          .derive = {}};
}

TEST(Campaign, RunsEveryCellOnceBeforeAnyRunsTwice) {
  std::vector<std::pair<std::string, std::uint64_t>> calls;
  campaign all{small_plan(calls)};
  all.measure();
  ASSERT_EQ(calls.size(), 16U);
  for (std::size_t repetition = 0; repetition < 4; ++repetition) {
    std::vector<std::string> round;
    for (std::size_t i = 0; i < 4; ++i) {
      round.push_back(calls[4 * repetition + i].first);
      EXPECT_EQ(calls[4 * repetition + i].second, 7 + repetition) << "of the seed";
    }
    std::sort(round.begin(), round.end());
    EXPECT_EQ(round, (std::vector<std::string>{"ours1", "ours2", "rival1", "rival2"}));
  }
  EXPECT_NE(calls[0].first, calls[4].first) << "each repetition starts somewhere else";
  EXPECT_TRUE(all.is_complete());
}

TEST(Campaign, ComparesWithTheRivalOfTheSamePlace) {
  std::vector<std::pair<std::string, std::uint64_t>> calls;
  campaign all{small_plan(calls)};
  EXPECT_FALSE(all.ratio({"ours", {1}})) << "nothing was measured yet";
  all.measure();
  EXPECT_NEAR(all.ratio({"ours", {1}}).value(), 20.85 / 10.85, 1e-9);
  EXPECT_FALSE(all.ratio({"rival", {1}}));
  EXPECT_FALSE(all.ratio({"ours", {3}}));
  EXPECT_TRUE(all.is_told_apart({"ours", {2}}));
}

TEST(Campaign, CountsEqualCellsOnce) {
  std::vector<std::pair<std::string, std::uint64_t>> calls;
  plan twice = small_plan(calls);
  twice.cells.push_back({"ours", {1}});
  EXPECT_EQ(campaign{std::move(twice)}.what().cells.size(), 4U);
}

TEST(Campaign, RefusesACellThatIsNowhere) {
  std::vector<std::pair<std::string, std::uint64_t>> calls;
  plan wrong = small_plan(calls);
  wrong.cells.push_back({"ours", {}});
  EXPECT_THROW(campaign{std::move(wrong)}, std::logic_error);
}

TEST(Campaign, ReportsEachRunAndWhereItWasMade) {
  std::vector<std::pair<std::string, std::uint64_t>> calls;
  campaign all{small_plan(calls)};
  all.measure();
  const nlohmann::json report = all.report();
  EXPECT_EQ(report.at("benchmark"), "small");
  EXPECT_EQ(report.at("settings").at("tasks"), 3);
  EXPECT_EQ(report.at("settings").at("seed"), 7);
  EXPECT_TRUE(report.at("is_complete").get<bool>());
  EXPECT_TRUE(report.at("machine").contains("commit"));
  EXPECT_TRUE(report.at("machine").contains("governor"));
  EXPECT_TRUE(report.at("machine").contains("load_before"));
  ASSERT_EQ(report.at("cells").size(), 4U);
  const nlohmann::json& first = report.at("cells").at(0);
  EXPECT_EQ(first.at("contender"), "ours");
  EXPECT_EQ(first.at("workers"), 1);
  EXPECT_EQ(first.at("mops").at("runs").size(), 4U);
  EXPECT_NEAR(first.at("mops").at("median").get<double>(), 20.85, 1e-9);
  EXPECT_TRUE(first.at("is_told_apart").get<bool>());
}

TEST(Campaign, AddsUpTheHistogramsOfItsRuns) {
  std::vector<std::pair<std::string, std::uint64_t>> calls;
  plan counted = small_plan(calls);
  counted.run = [](const cell&, std::uint64_t) {
    return measurement{{{"mops", 1}}, {{"waits", histogram{{10, 100}, 1}}}};
  };
  campaign all{std::move(counted)};
  all.measure();
  const nlohmann::json report = all.report();
  const nlohmann::json& waits = report.at("cells").at(0).at("waits");
  EXPECT_EQ(waits.at("upper").front(), 10) << "empty buckets below are left out";
  EXPECT_EQ(waits.at("count").front(), 4);
  EXPECT_EQ(waits.at("count").back(), 4);
}

/// Whether results from before an interrupt in the third run are kept, and marked.
bool keeps_what_was_measured() {
  std::vector<std::pair<std::string, std::uint64_t>> calls;
  plan interrupted = small_plan(calls);
  interrupted.run = [&calls](const cell&, std::uint64_t) {
    calls.emplace_back();
    if (calls.size() == 3) std::raise(SIGINT);
    return measurement{{{"mops", 1}}, {}};
  };
  campaign all{std::move(interrupted)};
  all.measure();
  const nlohmann::json report = all.report();
  return is_interrupted() && calls.size() == 3 && !all.is_complete() &&
         !report.at("is_complete").get<bool>() && report.at("cells").size() == 3;
}

// In a separate process: the flag stays set for the rest of the program.
TEST(CampaignDeathTest, KeepsWhatWasMeasuredBeforeAnInterrupt) {
  EXPECT_EXIT(std::exit(keeps_what_was_measured() ? 0 : 1), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace hotseat::bench
