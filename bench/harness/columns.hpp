// bench/harness/columns.hpp — the columns of a campaign's table.
#pragma once

#include <harness/campaign.hpp>

#include <functional>
#include <string>
#include <vector>

namespace hotseat::bench {

struct column {
  std::string head;
  std::function<std::string(const campaign&, const cell&)> show;
};

/// The median of a number, with that many digits after the point.
column median_of(const std::string& number, const std::string& head, int digits,
                 const std::string& unit = "");
/// A share, as a percentage.
column percent_of(const std::string& number, const std::string& head);
/// The smallest and the largest run of a number.
column range_of(const std::string& number, int digits);
/// The multiple of the rival's score; with "~" where the difference is within noise.
column ratio_to_rival(const std::string& rival);
/// A number that the plan derives, as a percentage.
column derived_percent(const std::string& number, const std::string& head);

/// The contender and the axes, then these columns, with a gap before each new place; then
/// remarks about noise and an early end.
void print_table(const campaign& of, const std::vector<column>& columns);

}  // namespace hotseat::bench
