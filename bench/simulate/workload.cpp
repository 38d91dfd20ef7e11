// bench/simulate/workload.cpp — tasks, their map, and what is counted meanwhile.
#include <hotseat/hotseat.hpp>
#include <simulate/workload.hpp>
#include <support/handoffs.hpp>
#include <support/observed_lock.hpp>
#include <support/random.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

namespace hotseat::bench {

namespace {

using std::chrono::nanoseconds;

/// Where the nodes of a search tree would be: what takes time is that their lines travel.
class tree_of_lines {
 public:
  void insert(std::uint64_t key) {
    std::size_t node = 0;
    for (unsigned level = 0; level < levels; ++level) {
      use_memory(&nodes_[node], sizeof(line), false);
      node = 2 * node + 1 + (key >> level & 1U);
    }
    use_memory(&nodes_[node], sizeof(line), true);      // The new node's parent,
    use_memory(&nodes_[node / 2], sizeof(line), true);  // and one to be balanced.
  }

 private:
  static constexpr unsigned levels = 12;
  struct alignas(64) line {
    std::array<std::byte, 64> bytes;
  };
  std::vector<line> nodes_{std::size_t{2} << levels};
};

/// What the mutex protects.  Whoever looks at it here does so outside of virtual time.
struct guarded {
  tree_of_lines map;
  std::size_t inside = 0;
  std::size_t overlaps = 0;
  std::uint64_t sections = 0;
  nanoseconds left_at{0};
  nanoseconds occupied{0};
  std::vector<double> queuing_ns;
};

template <class Mutex>
task<> insert_often(Mutex& m, guarded& data, const simulated_settings& settings,
                    std::uint64_t index) {
  random_source random{settings.seed, index};
  for (std::uint32_t i = 0; i < settings.iterations; ++i) {
    const bool has_waited = co_await observed_lock<Mutex>{m};
    {
      const activity_scope in{activity::section};
      const nanoseconds entered_at = virtual_time();
      if (data.inside++ != 0) ++data.overlaps;
      if (has_waited) {
        data.queuing_ns.push_back(static_cast<double>((entered_at - data.left_at).count()));
      }
      data.map.insert(random.next());
      work(nanoseconds{settings.section_ns});
      ++data.sections;
      --data.inside;
      data.left_at = virtual_time();
      data.occupied += data.left_at - entered_at;
    }
    co_await m.unlock();
    const activity_scope in{activity::parallel};
    work(nanoseconds{settings.parallel_ns});
  }
}

percentiles percentiles_of(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const auto at = [&](double share) {
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
  };
  return {at(0.5), at(0.9), at(0.99), values.back()};
}

/// What has been counted from one moment to another.
simulation_counts between(const simulation_counts& start, simulation_counts end) {
  for (std::size_t i = 0; i < end.transfers.size(); ++i) {
    end.transfers[i] -= start.transfers[i];
  }
  for (std::size_t i = 0; i < end.time.size(); ++i) end.time[i] -= start.time[i];
  end.events -= start.events;
  return end;
}

struct raw_outcome {
  simulation_counts counts;
  nanoseconds time{0};
  nanoseconds occupied{0};
  std::uint64_t sections = 0;
  std::size_t overlaps = 0;
  std::vector<double> queuing_ns;
  worker_stats stats;
};

template <class Mutex>
void run_on_pool(const simulated_settings& settings, raw_outcome& result) {
  thread_pool pool{{.threads = settings.workers, .machine = topology_of(settings.machine)}};
  Mutex m;
  guarded data;
  std::vector<task<>> all;
  for (std::size_t i = 0; i < settings.tasks; ++i) {
    all.push_back(insert_often(m, data, settings, i));
  }
  const simulation_counts before = platform::simulated::so_far();
  const nanoseconds start = virtual_time();
  sync_wait(pool, when_all(std::move(all)));
  result.time = virtual_time() - start;
  result.counts = between(before, platform::simulated::so_far());
  result.occupied = data.occupied;
  result.sections = data.sections;
  result.overlaps = data.overlaps;
  result.queuing_ns = std::move(data.queuing_ns);
  result.stats = pool.stats().total();
}

}  // namespace

simulated_outcome run_simulated(const simulated_settings& settings) {
  const auto start = std::chrono::steady_clock::now();
  raw_outcome raw;
  simulate(settings.machine, settings.seed, [&] {
    with_mutex_named(settings.handoff, "lock_free",
                     [&]<class Mutex>() { run_on_pool<Mutex>(settings, raw); });
  });
  const std::uint64_t expected = settings.tasks * std::uint64_t{settings.iterations};
  if (raw.overlaps != 0 || raw.sections != expected) {
    throw std::logic_error{"the mutex did not exclude, or sections are missing"};
  }

  simulated_outcome result;
  const auto sections = static_cast<double>(raw.sections);
  const auto time = static_cast<double>(raw.time.count());
  result.mops = 1e3 * sections / time;
  result.ns_each = time / sections;
  result.occupancy = static_cast<double>(raw.occupied.count()) / time;
  result.delegated = static_cast<double>(raw.queuing_ns.size()) / sections;
  result.queuing_ns = percentiles_of(std::move(raw.queuing_ns));
  for (std::size_t i = 0; i < result.transfers.size(); ++i) {
    result.transfers[i] = static_cast<double>(raw.counts.transfers[i]) / sections;
  }
  const auto all = std::accumulate(raw.counts.time.begin(), raw.counts.time.end(), 0.0);
  for (std::size_t i = 0; i < result.shares.size(); ++i) {
    result.shares[i] = static_cast<double>(raw.counts.time[i]) / all;
  }
  result.stats = raw.stats;
  result.events = raw.counts.events;
  result.seconds_to_simulate =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace hotseat::bench
