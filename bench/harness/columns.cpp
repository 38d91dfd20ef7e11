#include <harness/columns.hpp>
#include <support/table.hpp>

#include <fmt/core.h>

#include <cstddef>
#include <optional>

namespace hotseat::bench {

column median_of(const std::string& number, const std::string& head, int digits,
                 const std::string& unit) {
  return {head, [=](const campaign& all, const cell& which) {
            const double median = all.of(which, number).median;
            return unit.empty() ? fmt::format("{:.{}f}", median, digits)
                                : fmt::format("{:.{}f} {}", median, digits, unit);
          }};
}

column percent_of(const std::string& number, const std::string& head) {
  return {head, [=](const campaign& all, const cell& which) {
            return fmt::format("{:.0f} %", 100 * all.of(which, number).median);
          }};
}

column range_of(const std::string& number, int digits) {
  return {"min - max", [=](const campaign& all, const cell& which) {
            const summary values = all.of(which, number);
            return fmt::format("{:.{}f} - {:.{}f}", values.min, digits, values.max, digits);
          }};
}

column ratio_to_rival(const std::string& rival) {
  return {"/ " + rival, [](const campaign& all, const cell& which) -> std::string {
            const std::optional<double> ratio = all.ratio(which);
            if (!ratio) return "";
            return fmt::format("{}{:.2f}x", all.is_told_apart(which) ? "" : "~", *ratio);
          }};
}

column derived_percent(const std::string& number, const std::string& head) {
  return {head, [=](const campaign& all, const cell& which) -> std::string {
            for (const auto& [name, value] : all.what().derive(all, which)) {
              if (name == number) return fmt::format("{:.0f} %", 100 * value);
            }
            return "";
          }};
}

void print_table(const campaign& of, const std::vector<column>& columns) {
  table::row heads{"contender"};
  for (const axis& each : of.what().axes) heads.push_back(each.head);
  for (const column& each : columns) heads.push_back(each.head);
  table lines{heads};
  const std::vector<cell> cells = of.measured();
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const cell& which = cells[i];
    if (i != 0 && which.at != cells[i - 1].at) lines.add_gap();
    table::row line{which.contender};
    for (std::size_t along = 0; along < which.at.size(); ++along) {
      line.push_back(text_of(of.what().axes[along], which.at[along]));
    }
    for (const column& each : columns) line.push_back(each.show(of, which));
    lines.add(line);
  }
  lines.print();
  fmt::print("\n{}\n", of.noise());
  if (!of.is_complete()) {
    fmt::print("interrupted: medians of the completed runs, not of {}\n",
               of.what().repetitions);
  }
}

}  // namespace hotseat::bench
