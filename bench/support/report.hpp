// bench/support/report.hpp — results as JSON.
#pragma once

#include <hotseat/runtime/stats.hpp>
#include <support/files.hpp>
#include <support/machine.hpp>
#include <support/statistics.hpp>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace hotseat::bench {

/// Median, smallest, largest, and the value of each run in order.
inline nlohmann::json to_json_value(std::vector<double> runs) {
  const summary of = summarize(runs);
  return {
      {"median", of.median}, {"min", of.min}, {"max", of.max}, {"runs", std::move(runs)}};
}

/// Includes what is known at the end.
inline nlohmann::json to_json_value(const machine_facts& of) {
  nlohmann::json all{{"cpus", usable_cpus()}};
  for (const auto& [name, value] : of.finish()) all[name] = value;
  return all;
}

inline nlohmann::json to_json_value(const worker_stats& of) {
  return {{"tasks_run", of.tasks_run},
          {"local_pops", of.local_pops},
          {"injected", of.injected},
          {"steals", of.steals},
          {"tasks_stolen", of.tasks_stolen},
          {"blocks_granted", of.blocks_granted},
          {"parks", of.parks},
          {"wake_ups", of.wake_ups},
          {"exchanges", of.exchanges},
          {"longest_chain", of.longest_chain},
          {"chains_cut", of.chains_cut},
          {"back_offs", of.back_offs}};
}

/// Formats a result file for readers: a line for each number of a cell, with all its runs;
/// six digits.  `depth` is that of `value` in the file.
inline void append_json(std::string& to, const nlohmann::json& value,
                        std::size_t depth = 0) {
  constexpr std::size_t deepest_line = 3;
  if (value.is_number_float()) {
    to += fmt::format("{:.6g}", value.get<double>());
  } else if (!value.is_structured() || value.empty()) {
    to += value.dump();
  } else {
    const bool is_open = depth < deepest_line;
    const std::string gap = is_open ? "\n" + std::string(depth + 1, ' ') : "";
    const char* before = "";
    to += value.is_object() ? '{' : '[';
    for (const auto& [key, member] : value.items()) {
      to += before + gap;
      if (value.is_object()) to += nlohmann::json(key).dump() + ": ";
      append_json(to, member, depth + 1);
      before = is_open ? "," : ", ";
    }
    if (is_open) to += "\n" + std::string(depth, ' ');
    to += value.is_object() ? '}' : ']';
  }
}

/// Does nothing without a path.
inline void write_report(const std::string& path, const nlohmann::json& report) {
  if (path.empty()) return;
  std::string text;
  append_json(text, report);
  std::ofstream file{path};
  file << text << '\n';
  file.flush();
  if (!file) throw std::runtime_error{"cannot write " + path};
}

}  // namespace hotseat::bench
