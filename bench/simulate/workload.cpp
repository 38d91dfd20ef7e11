// bench/simulate/workload.cpp — tasks, their map, and what is counted while they run.
#include <hotseat/hotseat.hpp>
#include <simulate/counted.hpp>
#include <simulate/workload.hpp>
#include <support/handoffs.hpp>
#include <support/observed_lock.hpp>
#include <support/random.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>
#include <utility>
#include <vector>

namespace hotseat::bench {

namespace {

using std::chrono::nanoseconds;

/// Where the nodes of a search tree would be: the time goes into moving their lines.
class tree_of_lines {
 public:
  std::size_t find(std::uint64_t key) const {
    std::size_t node = 0;
    for (unsigned level = 0; level < levels; ++level) {
      use_memory(&nodes_[node], sizeof(line), false);
      node = 2 * node + 1 + (key >> level & 1U);
    }
    return node;
  }
  void insert(std::uint64_t key) {
    const std::size_t node = find(key);
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

/// What the mutex protects.  The code here looks at it outside virtual time.
struct guarded {
  tree_of_lines map;
  std::size_t writers = 0;
  std::size_t readers = 0;
  std::size_t overlaps = 0;
  std::uint64_t sections = 0;
  nanoseconds left_at{0};
  nanoseconds occupied{0};
  std::vector<double> queuing_ns;
  std::vector<double> wait_ns;

  void write(std::uint64_t key, nanoseconds asked_at, bool has_waited,
             const simulated_settings& settings) {
    const activity_scope in{activity::section};
    const nanoseconds entered_at = virtual_time();
    wait_ns.push_back(static_cast<double>((entered_at - asked_at).count()));
    if (writers++ != 0 || readers != 0) ++overlaps;
    if (has_waited) {
      queuing_ns.push_back(static_cast<double>((entered_at - left_at).count()));
    }
    if (settings.has_map) map.insert(key);
    work(nanoseconds{settings.section_ns});
    ++sections;
    --writers;
    left_at = virtual_time();
    occupied += left_at - entered_at;
  }

  void read(std::uint64_t key, const simulated_settings& settings) {
    const activity_scope in{activity::section};
    ++readers;
    if (writers != 0) ++overlaps;
    if (settings.has_map) static_cast<void>(map.find(key));
    work(nanoseconds{settings.section_ns});
    ++sections;
    --readers;
    left_at = std::max(left_at, virtual_time());
  }
};

template <class Mutex>
task<> use_often(Mutex& m, guarded& data, const simulated_settings& settings,
                 std::uint64_t index) {
  random_source random{settings.seed, index};
  for (std::uint32_t i = 0; i < settings.iterations; ++i) {
    const std::uint64_t key = random.next();
    bool is_writer = true;
    if constexpr (requires { m.lock_shared(); }) {
      is_writer = static_cast<double>(random.next() >> 11U) * 0x1p-53 < settings.writers;
      if (!is_writer) {
        co_await m.lock_shared();
        data.read(key, settings);
        co_await m.unlock_shared();
      }
    }
    if (is_writer) {
      const nanoseconds asked_at = virtual_time();
      const bool has_waited = co_await observed_lock<Mutex>{m};
      data.write(key, asked_at, has_waited, settings);
      co_await m.unlock();
    }
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
  return {at(0.5), at(0.9), at(0.99), at(0.999), values.back()};
}

struct raw_outcome {
  simulation_counts counts;
  nanoseconds time{0};
  nanoseconds occupied{0};
  std::uint64_t sections = 0;
  std::size_t overlaps = 0;
  std::vector<double> queuing_ns;
  std::vector<double> wait_ns;
  worker_stats stats;
};

template <class Mutex>
struct shared_form_of;
template <class Handoff, class State>
struct shared_form_of<basic_mutex<Handoff, State>> {
  using type = basic_shared_mutex<Handoff>;
};
/// For readers and writers, with the same hand-off.
template <class Mutex>
using shared_form = typename shared_form_of<Mutex>::type;

template <class Mutex>
void run_on_pool(const simulated_settings& settings, raw_outcome& result) {
  thread_pool pool{{.threads = settings.workers, .machine = topology_of(settings.machine)}};
  Mutex m;
  guarded data;
  std::vector<task<>> all;
  for (std::size_t i = 0; i < settings.tasks; ++i) {
    all.push_back(use_often(m, data, settings, i));
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
  result.wait_ns = std::move(data.wait_ns);
  result.stats = pool.stats().total();
}

}  // namespace

simulated_outcome run_simulated(const simulated_settings& settings) {
  const auto start = std::chrono::steady_clock::now();
  raw_outcome raw;
  simulate(settings.machine, settings.seed, [&] {
    with_mutex_named(settings.handoff, "lock_free", [&]<class Mutex>() {
      if (settings.writers < 0) return run_on_pool<Mutex>(settings, raw);
      run_on_pool<shared_form<Mutex>>(settings, raw);
    });
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
  result.wait_ns = percentiles_of(std::move(raw.wait_ns));
  result.transfers = transfers_of(raw.counts, sections);
  for (const auto& one : raw.counts.worker_time) {
    result.worker_shares.push_back(shares_of(one));
  }
  result.shares = shares_of(total_of(raw.counts));
  result.stats = raw.stats;
  result.events = raw.counts.events;
  result.seconds_to_simulate =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace hotseat::bench
