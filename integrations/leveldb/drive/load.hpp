// hotseat/rebound/drive/load.hpp — readers and writers of one database, for a given time.
#pragma once

#include <drive/crew.hpp>
#include <hotseat/runtime/stats.hpp>

#include <leveldb/db.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hotseat::rebound {

struct load_settings {
  runs_on kind = runs_on::threads;
  unsigned workers = 0;       ///< For fibers.  0: as many as CPUs.
  std::size_t readers = 0;    ///< Each gets random records, and checks them.
  std::size_t writers = 0;    ///< Each puts new versions of random records.
  std::size_t fillers = 0;    ///< Each puts new records, in order.
  std::uint64_t records = 0;  ///< The database holds records 0 to records - 1.
  double seconds = 1;
  std::uint64_t seed = 1;
  std::size_t yield_every =
      0;  ///< Operations after which a fiber lets others run; 0: never.
};

struct load_outcome {
  double seconds = 0;
  double cpu_seconds = 0;
  std::vector<std::uint64_t> reads;   ///< Of each reader.
  std::vector<std::uint64_t> writes;  ///< Of each writer and filler.
  std::uint64_t wrong = 0;            ///< Values that were never written for their key.
  std::uint64_t failed = 0;           ///< Operations that LevelDB refused.
  std::string first_error;
  std::optional<worker_stats> stats;  ///< Of the pool, if there was one.
};

[[nodiscard]] load_outcome run_load(leveldb::DB& database, const load_settings& settings);

}  // namespace hotseat::rebound
