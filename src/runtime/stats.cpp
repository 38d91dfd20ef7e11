// hotseat/runtime/stats.cpp — adding up counters.
#include <hotseat/runtime/stats.hpp>

#include <algorithm>

namespace hotseat {

worker_stats& worker_stats::operator+=(const worker_stats& other) noexcept {
  tasks_run += other.tasks_run;
  local_pops += other.local_pops;
  injected += other.injected;
  for (std::size_t i = 0; i < steals.size(); ++i) {
    steals[i] += other.steals[i];
    tasks_stolen[i] += other.tasks_stolen[i];
  }
  blocks_granted += other.blocks_granted;
  parks += other.parks;
  wake_ups += other.wake_ups;
  exchanges += other.exchanges;
  longest_chain = std::max(longest_chain, other.longest_chain);
  chains_cut += other.chains_cut;
  back_offs += other.back_offs;
  return *this;
}

worker_stats pool_stats::total() const noexcept {
  worker_stats sum;
  for (const worker_stats& worker : workers) sum += worker;
  return sum;
}

}  // namespace hotseat
