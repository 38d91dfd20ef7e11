// bench/harness/campaign.hpp — cells, each measured several times, interleaved.
// Read next: measurement.hpp (what a run yields), samples.hpp (signal or noise).
#pragma once

#include <harness/measurement.hpp>
#include <support/machine.hpp>
#include <support/statistics.hpp>

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace hotseat::bench {

/// What the contenders are compared over, e.g. the number of workers.
struct axis {
  std::string name;  ///< As in result files: "section_ns".
  std::string head;  ///< As in tables: "section".
  std::string unit;  ///< May be empty.
  /// If there are any, the axis consists of words: a value of 1 stands for the second word.
  std::vector<std::string> names{};
};

/// A value of the axis for display: with its unit, or as a word.
std::string text_of(const axis& along, double value);

/// One contender in one place.
struct cell {
  std::string contender;
  std::vector<double> at;  ///< A value for each axis of the plan.

  auto operator<=>(const cell&) const = default;
};

class campaign;

/// What the result file says about how it was measured.
using setting = std::variant<std::uint64_t, double, std::string>;

struct plan {
  std::string benchmark;
  std::vector<axis> axes;
  std::vector<cell> cells;
  unsigned repetitions = 5;
  std::uint64_t seed = 1;
  std::string score = "mops";  ///< The number to compare by; more is better.
  /// The contender that others of the same place are compared with.
  std::string rival = "dispatch";
  std::vector<std::pair<std::string, setting>> settings;
  std::function<measurement(const cell&, std::uint64_t seed)> run;
  /// Derived numbers of a cell, computed when all has been measured.  May be empty.
  std::function<std::vector<std::pair<std::string, double>>(const campaign&, const cell&)>
      derive;
};

class campaign {
 public:
  /// Throws unless each cell has a value for each axis.  Equal cells count once.
  explicit campaign(plan wanted);

  /// Measures every cell once, then all again.  Noise that lasts longer than a run affects
  /// all contenders alike; each repetition starts elsewhere in the list.  An interrupt ends
  /// it after the current run.
  void measure();

  [[nodiscard]] const plan& what() const { return plan_; }
  /// False if an interrupt ended the measurement early.
  [[nodiscard]] bool is_complete() const;
  /// Whether the cell is in the plan, and was measured at least once.
  [[nodiscard]] bool has(const cell& which) const { return outcomes_.contains(which); }
  /// REQUIRES: has(which)
  [[nodiscard]] std::vector<double> values(const cell& which,
                                           std::string_view number) const;
  [[nodiscard]] summary of(const cell& which, std::string_view number) const;

  /// The score over that of the rival in the same place, both medians.  Empty for the rival
  /// itself, and where the rival was not measured.
  [[nodiscard]] std::optional<double> ratio(const cell& which) const;
  /// Whether the cell and its rival differ by more than noise.
  [[nodiscard]] bool is_told_apart(const cell& which) const;

  /// The cells that were measured, in the plan's order.
  [[nodiscard]] std::vector<cell> measured() const;
  /// One line for display: was the machine quiet, and which comparisons mean nothing?
  [[nodiscard]] std::string noise() const;
  [[nodiscard]] nlohmann::json report() const;
  /// Writes the report; does nothing without a path.
  void write(const std::string& path) const;
  [[nodiscard]] const machine_facts& machine() const { return machine_; }

 private:
  [[nodiscard]] cell rival_of(const cell& which) const;
  [[nodiscard]] nlohmann::json report_on(const cell& which) const;

  plan plan_;
  std::map<cell, std::vector<measurement>> outcomes_;
  double foreign_load_ = 0;
  machine_facts machine_;
};

}  // namespace hotseat::bench
