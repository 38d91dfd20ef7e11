// bench/support/report.hpp — results as JSON.
#pragma once

#include <hotseat/runtime/stats.hpp>
#include <support/statistics.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace hotseat::bench {

inline nlohmann::json to_json_value(const summary& of) {
  return {{"median", of.median}, {"min", of.min}, {"max", of.max}};
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

/// Throws if `path` cannot be written; asked before measuring, not after.  Leaves no trace.
inline void require_writable(const std::string& path) {
  if (path.empty()) return;
  const bool existed = std::filesystem::exists(path);
  const bool is_open = std::ofstream{path, std::ios::app}.is_open();
  if (!is_open) throw std::runtime_error{fmt::format("cannot write {}", path)};
  if (!existed) std::filesystem::remove(path);
}

/// Does nothing without a path.
inline void write_report(const std::string& path, const nlohmann::json& report) {
  if (path.empty()) return;
  std::ofstream file{path};
  file << report.dump(1) << '\n';
  file.flush();
  if (!file) throw std::runtime_error{fmt::format("cannot write {}", path)};
}

}  // namespace hotseat::bench
