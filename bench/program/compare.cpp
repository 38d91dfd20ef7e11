#include <harness/samples.hpp>
#include <program/commands.hpp>
#include <support/statistics.hpp>
#include <support/table.hpp>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace hotseat::bench {

namespace {

using nlohmann::json;

json read(const std::string& path) {
  std::ifstream file{path};
  if (!file) throw std::runtime_error{fmt::format("cannot read {}", path)};
  json report = json::parse(file, nullptr, false);
  if (report.is_discarded() || !report.is_object() || !report.contains("cells") ||
      !report.contains("axes") || !report.contains("score")) {
    throw std::runtime_error{fmt::format("{} is not a result of hotseat-bench", path)};
  }
  return report;
}

/// Contender and place of a cell, as text: the key that both files share.
std::vector<std::string> place_of(const json& cell, const json& axes) {
  std::vector<std::string> place{cell.at("contender").get<std::string>()};
  for (const json& axis : axes) {
    const json& value = cell.at(axis.get<std::string>());
    place.push_back(value.is_number() ? fmt::format("{}", value.get<double>())
                                      : value.get<std::string>());
  }
  return place;
}

std::vector<double> scores_of(const json& cell, const std::string& score) {
  if (cell.at(score).contains("runs")) return cell.at(score).at("runs");
  std::vector<double>
      scores;  // Some companions have a list of runs, each with its numbers.
  for (const json& run : cell.at("runs")) scores.push_back(run.at(score).get<double>());
  return scores;
}

class compare_command final : public command {
 public:
  [[nodiscard]] std::string name() const override { return "compare"; }
  [[nodiscard]] std::string about() const override {
    return "two result files of one benchmark; exit code 1 if something became slower";
  }

  void declare(option_list& options) override {
    options.required("OLD", old_, "result file");
    options.required("NEW", new_, "result file");
    options.number("--tolerance", tolerance_,
                   "percent; smaller losses count as none, even if they are not noise", 0.0,
                   100.0);
  }

  int run() override {
    const json before = read(old_);
    const json after = read(new_);
    try {
      return compare(before, after);
    } catch (const json::exception& error) {
      throw std::runtime_error{
          fmt::format("not a whole result of hotseat-bench: {}", error.what())};
    }
  }

  [[nodiscard]] bool is_benchmark() const override { return false; }

 private:
  [[nodiscard]] int compare(const json& before, const json& after) const {
    if (before.at("benchmark") != after.at("benchmark") ||
        before.at("axes") != after.at("axes") || before.at("score") != after.at("score")) {
      throw std::runtime_error{
          fmt::format("{} and {} are not of one benchmark", old_, new_)};
    }
    const json& axes = before.at("axes");
    const auto score = before.at("score").get<std::string>();
    std::map<std::vector<std::string>, std::vector<double>> old_scores;
    for (const json& cell : before.at("cells")) {
      old_scores[place_of(cell, axes)] = scores_of(cell, score);
    }

    table::row heads{"contender"};
    for (const json& axis : axes) heads.push_back(axis.get<std::string>());
    heads.insert(heads.end(), {"old " + score, "new " + score, "new / old", ""});
    table lines{heads};
    int slower = 0;
    int missing = 0;
    for (const json& cell : after.at("cells")) {
      table::row line = place_of(cell, axes);
      const auto found = old_scores.find(line);
      if (found == old_scores.end()) {
        ++missing;
        continue;
      }
      const std::vector<double> now = scores_of(cell, score);
      const double old_median = summarize(found->second).median;
      const double new_median = summarize(now).median;
      const double ratio = new_median / old_median;
      const char* verdict = "";
      if (!are_told_apart(found->second, now)) {
        verdict = "~ noise";
      } else if (ratio < 1 - tolerance_ / 100) {
        verdict = "slower";
        ++slower;
      } else if (ratio > 1 + tolerance_ / 100) {
        verdict = "faster";
      }
      line.insert(line.end(),
                  {fmt::format("{:.3f}", old_median), fmt::format("{:.3f}", new_median),
                   fmt::format("{:.2f}x", ratio), verdict});
      lines.add(line);
    }
    lines.print();
    fmt::print("\n{} slower by more than {} %\n", slower, tolerance_);
    if (missing != 0) fmt::print("{} cells are in {} only\n", missing, new_);
    return slower == 0 ? 0 : 1;
  }

  std::string old_;
  std::string new_;
  double tolerance_ = 3;
};

}  // namespace

command_pointer make_compare_command() { return std::make_unique<compare_command>(); }

}  // namespace hotseat::bench
