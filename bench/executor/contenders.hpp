// bench/executor/contenders.hpp — who runs the tasks.
#pragma once

#include <executor/workload.hpp>

#include <functional>
#include <string>
#include <vector>

namespace hotseat::bench {

struct executor_contender {
  std::string name;
  std::string workload;
  std::function<measurement(const executor_settings&)> run;
};

/// Ours: fork and join; and turns and wake-ups, by hand-off where there is one.
void add_forking(std::vector<executor_contender>& all);
void add_switching(std::vector<executor_contender>& all);
/// Adds nothing where oneTBB was not found.
void add_forking_by_tbb(std::vector<executor_contender>& all);

}  // namespace hotseat::bench
