#include <harness/campaign.hpp>
#include <harness/interrupt.hpp>
#include <harness/samples.hpp>
#include <support/progress.hpp>
#include <support/report.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <utility>

namespace hotseat::bench {

namespace {

std::string label(const plan& of, const cell& which) {
  std::string text = which.contender;
  for (std::size_t i = 0; i < of.axes.size(); ++i) {
    const axis& along = of.axes[i];
    const bool is_count = along.unit.empty() && along.names.empty();
    const std::string value = text_of(along, which.at[i]);
    text += is_count ? fmt::format(", {} {}", value, along.head)
                     : fmt::format(", {} {}", along.head, value);
  }
  return text;
}

/// {"upper": [...], "count": [...]}, without the empty buckets at the low end.
nlohmann::json to_json_value(const histogram& of) {
  nlohmann::json upper = nlohmann::json::array();
  nlohmann::json count = nlohmann::json::array();
  for (std::size_t i = 0; i < of.counts().size(); ++i) {
    if (count.empty() && of.counts()[i] == 0) continue;
    upper.push_back(histogram::upper_end(i));
    count.push_back(of.counts()[i]);
  }
  return {{"upper", std::move(upper)}, {"count", std::move(count)}};
}

}  // namespace

std::string text_of(const axis& along, double value) {
  if (!along.names.empty()) return along.names.at(static_cast<std::size_t>(value));
  return along.unit.empty() ? fmt::format("{}", value)
                            : fmt::format("{} {}", value, along.unit);
}

campaign::campaign(plan wanted) : plan_{std::move(wanted)} {
  std::vector<cell> once;
  for (const cell& each : plan_.cells) {
    if (each.at.size() != plan_.axes.size()) {
      throw std::logic_error{"a cell without a value for each axis"};
    }
    if (std::find(once.begin(), once.end(), each) == once.end()) once.push_back(each);
  }
  plan_.cells = std::move(once);
}

void campaign::measure() {
  const interrupt_guard guard;
  const foreign_load others;
  const std::size_t count = plan_.cells.size();
  progress bar{count * plan_.repetitions};
  for (unsigned repetition = 0; repetition < plan_.repetitions; ++repetition) {
    const std::size_t first = repetition * count / plan_.repetitions;
    for (std::size_t i = 0; i < count && !is_interrupted(); ++i) {
      const cell& next = plan_.cells[(first + i) % count];
      bar.begin(label(plan_, next));
      outcomes_[next].push_back(plan_.run(next, plan_.seed + repetition));
      bar.step();
    }
  }
  foreign_load_ = others.share();
}

bool campaign::is_complete() const {
  return std::all_of(plan_.cells.begin(), plan_.cells.end(), [this](const cell& each) {
    return has(each) && outcomes_.at(each).size() == plan_.repetitions;
  });
}

std::vector<double> campaign::values(const cell& which, std::string_view number) const {
  std::vector<double> all;
  for (const measurement& each : outcomes_.at(which)) all.push_back(each.at(number));
  return all;
}

summary campaign::of(const cell& which, std::string_view number) const {
  return summarize(values(which, number));
}

cell campaign::rival_of(const cell& which) const { return {plan_.rival, which.at}; }

std::optional<double> campaign::ratio(const cell& which) const {
  const cell rival = rival_of(which);
  if (which == rival || !has(rival) || !has(which)) return std::nullopt;
  const double theirs = of(rival, plan_.score).median;
  if (theirs == 0) return std::nullopt;
  return of(which, plan_.score).median / theirs;
}

bool campaign::is_told_apart(const cell& which) const {
  return are_told_apart(values(which, plan_.score), values(rival_of(which), plan_.score));
}

std::vector<cell> campaign::measured() const {
  std::vector<cell> those;
  for (const cell& each : plan_.cells) {
    if (has(each)) those.push_back(each);
  }
  return those;
}

std::string campaign::noise() const {
  std::size_t compared = 0;
  std::size_t alike = 0;
  for (const cell& each : measured()) {
    if (!ratio(each)) continue;
    ++compared;
    if (!is_told_apart(each)) ++alike;
  }
  std::string text =
      fmt::format("other processes used {:.0f} % of the machine{}", 100 * foreign_load_,
                  foreign_load_ > quiet_enough ? ": noisy, repeat it" : "");
  if (alike != 0) {
    text += fmt::format("; {} of {} comparisons with {} are within noise (~)", alike,
                        compared, plan_.rival);
  }
  return text;
}

nlohmann::json campaign::report_on(const cell& which) const {
  nlohmann::json result{{"contender", which.contender}};
  for (std::size_t i = 0; i < plan_.axes.size(); ++i) {
    const axis& along = plan_.axes[i];
    if (along.names.empty()) {
      result[along.name] = which.at[i];
    } else {
      result[along.name] = text_of(along, which.at[i]);
    }
  }
  const std::vector<measurement>& runs = outcomes_.at(which);
  for (const auto& [name, value] : runs.front().numbers) {
    result[name] = to_json_value(values(which, name));
  }
  for (std::size_t i = 0; i < runs.front().histograms.size(); ++i) {
    histogram all;
    for (const measurement& each : runs) all += each.histograms[i].second;
    result[runs.front().histograms[i].first] = to_json_value(all);
  }
  if (plan_.derive) {
    for (const auto& [name, value] : plan_.derive(*this, which)) result[name] = value;
  }
  if (const std::optional<double> compared = ratio(which)) {
    result["ratio_to_" + plan_.rival] = *compared;
    result["is_told_apart"] = is_told_apart(which);
  }
  return result;
}

nlohmann::json campaign::report() const {
  nlohmann::json cells = nlohmann::json::array();
  for (const cell& each : measured()) cells.push_back(report_on(each));
  nlohmann::json axes = nlohmann::json::array();
  for (const axis& each : plan_.axes) axes.push_back(each.name);
  nlohmann::json settings;
  for (const auto& [name, value] : plan_.settings) {
    std::visit([&](const auto& known) { settings[name] = known; }, value);
  }
  settings["repetitions"] = plan_.repetitions;
  settings["seed"] = plan_.seed;
  return {{"benchmark", plan_.benchmark},
          {"machine", to_json_value(machine_)},
          {"settings", std::move(settings)},
          {"axes", std::move(axes)},
          {"score", plan_.score},
          {"rival", plan_.rival},
          {"is_complete", is_complete()},
          {"foreign_load", foreign_load_},
          {"is_quiet", foreign_load_ <= quiet_enough},
          {"cells", std::move(cells)}};
}

void campaign::write(const std::string& path) const { write_report(path, report()); }

}  // namespace hotseat::bench
