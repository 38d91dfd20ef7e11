// bench/harness/columns.hpp — what the table of a campaign shows.
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

/// The median of a number, with so many digits after the point.
column median_of(const std::string& number, const std::string& head, int digits,
                 const std::string& unit = "");
/// A number that is a share, in percent.
column percent_of(const std::string& number, const std::string& head);
/// The smallest and the largest run of a number.
column range_of(const std::string& number, int digits);
/// How many times the rival's score; with "~" where that is within noise.
column ratio_to_rival(const std::string& rival);
/// A number that the plan derives, in percent.
column derived_percent(const std::string& number, const std::string& head);

/// The contender and the axes, then these columns, with a gap before each new place; then
/// what is to be said about noise and an early end.
void print_table(const campaign& of, const std::vector<column>& columns);

}  // namespace hotseat::bench
