// bench/shared_mutex/contenders.hpp — who takes part in the reader-writer benchmark.
#pragma once

#include <shared_mutex/workload.hpp>

#include <functional>
#include <string>
#include <vector>

namespace hotseat::bench {

struct shared_mutex_contender {
  std::string name;
  std::function<shared_mutex_outcome(const shared_mutex_settings&)> run;
};

/// The same number of iterations by one thread, without a lock: what the ideal is made of.
inline constexpr const char* one_reader_writer_name = "one thread, no lock";

/// The baseline, the hand-offs of tasks on a pool, and as many threads as there are
/// workers, with std::shared_mutex.
std::vector<shared_mutex_contender> shared_mutex_contenders();

}  // namespace hotseat::bench
