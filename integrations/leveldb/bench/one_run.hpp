// hotseat/rebound/bench/one_run.hpp — one lock, one workload, once.
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hotseat::rebound {

inline const std::vector<std::string> workload_names{"readrandom", "readwhilewriting",
                                                     "fillseq"};

struct run_settings {
  std::string workload = "readrandom";
  std::string lock = "stock";
  std::size_t readers = 1;  ///< How many work at the same time; writers, for fillseq.
  unsigned workers = 0;
  std::uint64_t records = 1'000'000;
  double seconds = 0.5;
  std::uint64_t seed = 1;
  std::size_t yield_every = 0;
  bool is_observed = false;
  std::string filled;   ///< A database of that many records; never written to.
  std::string scratch;  ///< A directory for what is written.
};

/// Runs in this process, which must not have used LevelDB.  Throws if a value is wrong.
[[nodiscard]] nlohmann::json run_once(const run_settings& settings);

}  // namespace hotseat::rebound
