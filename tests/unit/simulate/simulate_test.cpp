// hotseat/tests/unit/simulate/simulate_test.cpp — what simulate() promises its users.
#include <gtest/gtest.h>

#include <hotseat/hotseat.hpp>
#include <hotseat/platform/parker.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/simulate/simulate.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace hotseat {
namespace {

using namespace std::chrono_literals;
using platform::thread;
using std::chrono::nanoseconds;

/// 2 nodes of 2 caches of 2 cores of 2 threads: 16 CPUs.
machine_description small() {
  machine_description m;
  m.nodes = 2;
  m.caches_per_node = 2;
  m.cores_per_cache = 2;
  m.threads_per_core = 2;
  return m;
}

// CPUs of that machine.
constexpr unsigned here = 0;
constexpr unsigned same_cache = 1;
constexpr unsigned sibling = 2;  // of `here`
constexpr unsigned same_node = 4;
constexpr unsigned far_away = 8;

/// Runs each function in a thread on the given CPU, all at the same time.
using job = std::pair<unsigned, std::function<void()>>;
void together(const std::vector<job>& jobs) {
  std::vector<thread> threads;
  for (const auto& [cpu, body] : jobs) {
    threads.emplace_back([&cpu, &body] {
      platform::settle_on(cpu);
      // Threads start one after the other.
      while (platform::now().time_since_epoch() < 1ms) platform::relax();
      body();
    });
  }
  for (thread& each : threads) each.join();
}

nanoseconds time_of(const std::function<void()>& body) {
  const nanoseconds start = virtual_time();
  body();
  return virtual_time() - start;
}

struct alignas(64) counter {
  platform::atomic<std::uint64_t> value{0};

  void add(int times) {
    for (int i = 0; i < times; ++i) value.fetch_add(1, std::memory_order_relaxed);
  }
};

/// How long two threads take to add to counters, a thousand times each.
nanoseconds time_to_add(counter& mine, counter& theirs, unsigned their_cpu) {
  nanoseconds time{};
  simulate(small(), 1, [&] {
    together({{here, [&] { time = time_of([&] { mine.add(1000); }); }},
              {their_cpu, [&] { theirs.add(1000); }}});
  });
  return time;
}

template <class Mutex>
task<> add_often(Mutex& m, std::uint64_t& sum, int times) {
  for (int i = 0; i < times; ++i) {
    co_await m.lock();
    {
      const activity_scope in{activity::section};
      ++sum;
      work(100ns);
    }
    co_await m.unlock();
    const activity_scope outside{activity::parallel};
    work(1us);
  }
}

/// Tasks that add to one sum, on a pool of this many workers.
struct mutex_program {
  unsigned workers = 8;
  int tasks = 50;
  int times = 20;
  std::uint64_t sum = 0;
  worker_stats stats{};

  simulation_counts run(const machine_description& machine, std::uint64_t seed) {
    return simulate(machine, seed, [&] {
      thread_pool pool{{.threads = workers, .machine = topology_of(machine)}};
      mutex m;
      std::vector<task<>> all;
      for (int i = 0; i < tasks; ++i) all.push_back(add_often(m, sum, times));
      sync_wait(pool, when_all(std::move(all)));
      stats = pool.stats().total();
    });
  }
};

void expect_same(const simulation_counts& a, const simulation_counts& b) {
  EXPECT_EQ(a.transfers, b.transfers);
  EXPECT_EQ(a.waited, b.waited);
  EXPECT_EQ(a.events, b.events);
  EXPECT_EQ(a.accesses, b.accesses);
  EXPECT_EQ(a.end, b.end);
  EXPECT_EQ(a.worker_time, b.worker_time);
}

TEST(Simulate, the_same_seed_makes_the_same_run) {
  mutex_program program;
  const simulation_counts first = program.run(small(), 1);
  const std::vector<int> something_else(1000);
  expect_same(program.run(small(), 1), first);
  expect_same(program.run(small(), 1), first);
}

TEST(Simulate, the_same_seed_makes_the_same_run_after_others) {
  mutex_program program;
  const simulation_counts first = program.run(small(), 1);
  mutex_program other{.workers = 3, .tasks = 7};
  other.run(small(), 2);
  std::vector<std::vector<int>> kept;
  simulate(small(), 1, [&] { kept.assign(10, std::vector<int>(100, 7)); });
  expect_same(program.run(small(), 1), first);
  EXPECT_EQ(std::accumulate(kept[9].begin(), kept[9].end(), 0), 700);
}

TEST(Simulate, another_seed_makes_another_run) {
  mutex_program program;
  EXPECT_NE(program.run(small(), 1).end, program.run(small(), 2).end);
}

TEST(Simulate, a_line_that_is_alone_costs_a_hit) {
  const machine_description m = small();
  simulate(m, 1, [&] {
    counter own;
    own.add(1);
    const double each = m.instructions + m.update;
    EXPECT_EQ(time_of([&] { own.add(1000); }).count(), static_cast<long>(1000 * each));
  });
}

TEST(Simulate, what_shares_a_line_by_accident_costs_as_what_is_shared) {
  struct alignas(64) two {
    platform::atomic<std::uint64_t> a{0};
    platform::atomic<std::uint64_t> b{0};
  };
  counter mine;
  counter theirs;
  two both;
  nanoseconds apart = time_to_add(mine, theirs, same_cache);
  nanoseconds shared{};
  const auto add = [](platform::atomic<std::uint64_t>& to) {
    for (int i = 0; i < 1000; ++i) to.fetch_add(1, std::memory_order_relaxed);
  };
  simulate(small(), 1, [&] {
    together({{here, [&] { shared = time_of([&] { add(both.a); }); }},
              {same_cache, [&] { add(both.b); }}});
  });
  EXPECT_GT(shared, 5 * apart);
}

TEST(Simulate, updates_of_one_word_go_one_after_the_other) {
  const machine_description m = small();
  const auto time_of_all = [&](std::vector<unsigned> cpus) {
    counter shared;
    nanoseconds longest{};
    const simulation_counts seen = simulate(m, 1, [&] {
      std::vector<job> jobs;
      for (const unsigned cpu : cpus) {
        jobs.emplace_back(cpu, [&] {
          const nanoseconds time = time_of([&] { shared.add(500); });
          longest = std::max(longest, time);
        });
      }
      together(jobs);
    });
    EXPECT_EQ(shared.value.newest(), 500 * cpus.size());
    if (cpus.size() > 1) EXPECT_GT(seen.waited, 100U);
    return longest;
  };
  const nanoseconds two = time_of_all({0, 1});
  const nanoseconds four = time_of_all({0, 1, 4, 5});
  EXPECT_GT(time_of_all({0, 1}), 3 * time_of_all({0}));
  EXPECT_GT(four, 2 * two);
}

TEST(Simulate, distance_matters) {
  counter shared;
  const nanoseconds cache = time_to_add(shared, shared, same_cache);
  const nanoseconds node = time_to_add(shared, shared, same_node);
  const nanoseconds remote = time_to_add(shared, shared, far_away);
  EXPECT_GT(node, 2 * cache);
  EXPECT_GT(remote, 3 * node / 2);
}

TEST(Simulate, siblings_share_their_lines) {
  counter shared;
  counter one;
  counter other;
  EXPECT_LT(time_to_add(shared, shared, sibling), time_to_add(shared, shared, same_cache));
  EXPECT_NEAR(static_cast<double>(time_to_add(shared, shared, sibling).count()),
              static_cast<double>(time_to_add(one, other, sibling).count()), 300);
}

TEST(Simulate, siblings_slow_each_other_down) {
  const machine_description m = small();
  const auto time_beside = [&](unsigned cpu) {
    nanoseconds time{};
    simulate(m, 1, [&] {
      together({{here, [&] { time = time_of([] { work(100us); }); }},
                {cpu, [] { work(200us); }}});
    });
    return static_cast<double>(time.count());
  };
  // Work varies by 5 % to either side.
  EXPECT_NEAR(time_beside(same_cache), 100'000, 5000);
  EXPECT_NEAR(time_beside(sibling), 100'000 * m.sibling_slowdown, 7500);
}

TEST(Simulate, sleeping_and_waking_take_what_the_description_says) {
  const machine_description m = small();
  nanoseconds woken_at{};
  nanoseconds woke_at{};
  nanoseconds wake_time{};
  simulate(m, 1, [&] {
    platform::parker bed;
    together({{here,
               [&] {
                 bed.park();
                 woken_at = virtual_time();
               }},
              {same_cache, [&] {
                 work(50us);
                 woke_at = virtual_time();
                 wake_time = time_of([&] { bed.unpark(); });
               }}});
  });
  const auto latency = static_cast<double>((woken_at - woke_at).count());
  EXPECT_NEAR(latency, m.wake_latency, 0.2 * m.wake_latency + 200);
  EXPECT_NEAR(static_cast<double>(wake_time.count()), m.wake, 200);
}

TEST(Simulate, time_spent_asleep_is_counted) {
  mutex_program alone{.workers = 4, .tasks = 1, .times = 200};
  const simulation_counts seen = alone.run(small(), 1);
  ASSERT_EQ(seen.worker_time.size(), 4U);
  platform::simulated::time_by_activity time{};
  for (const auto& one : seen.worker_time) {
    for (std::size_t i = 0; i < time.size(); ++i) time[i] += one[i];
  }
  const auto share = [&](activity how) {
    const auto all = std::accumulate(time.begin(), time.end(), 0.0);
    return static_cast<double>(time[static_cast<std::size_t>(how)]) / all;
  };
  // One of four workers has work, ten times as much outside the section as inside.
  EXPECT_GT(share(activity::asleep), 0.5);
  EXPECT_NEAR(share(activity::parallel) / share(activity::section), 10, 1);
  EXPECT_GT(share(activity::searching), 0);
}

TEST(Simulate, time_is_counted_for_each_worker) {
  const simulation_counts seen = simulate(small(), 1, [&] {
    thread_pool pool{{.threads = 4, .machine = topology_of(small())}};
    sync_wait(pool, [&]() -> task<> {
      const activity_scope in{activity::section};
      work(1ms);
      co_return;
    }());
  });
  ASSERT_EQ(seen.worker_time.size(), 4U);
  int busy = 0;
  for (const auto& one : seen.worker_time) {
    const auto in_section = one[static_cast<std::size_t>(activity::section)];
    if (in_section == 0) continue;
    ++busy;
    EXPECT_GE(in_section / 1000, nanoseconds{1ms}.count());
  }
  EXPECT_EQ(busy, 1);
}

TEST(Simulate, a_deadline_ends_a_sleep) {
  simulate(small(), 1, [&] {
    platform::parker bed;
    const platform::clock::time_point due = platform::now() + 3ms;
    const nanoseconds start = virtual_time();
    EXPECT_FALSE(bed.park_until(due));
    EXPECT_GE(virtual_time() - start, 3ms - 100ns);
    EXPECT_LT(virtual_time() - start, 3ms + 10us);
  });
}

TEST(Simulate, an_hour_of_sleep_takes_no_time) {
  const simulation_counts seen = simulate(small(), 1, [&] {
    thread_pool pool{{.threads = 2, .machine = topology_of(small())}};
    sync_wait(pool, sleep_for(1h));
  });
  EXPECT_GT(seen.end / 1000, nanoseconds{1h}.count());
  EXPECT_LT(seen.events, 100'000U);
}

TEST(Simulate, a_deadlock_is_reported) {
  const auto never = [] {
    platform::parker bed;
    bed.park();
  };
  try {
    simulate(small(), 1, never);
    FAIL() << "it cannot end";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string{error.what()}.find("nobody will wake them"), std::string::npos);
  }
  mutex_program program;
  program.run(small(), 1);
  EXPECT_EQ(program.sum, 1000U);
}

TEST(Simulate, an_exception_of_the_program_arrives_outside) {
  EXPECT_THROW(simulate(small(), 1, [] { throw std::out_of_range{"that far"}; }),
               std::out_of_range);
}

TEST(Simulate, an_exception_that_leaves_a_thread_is_reported) {
  const auto program = [] {
    thread other{[] { throw std::out_of_range{"that far"}; }};
    other.join();
  };
  try {
    simulate(small(), 1, program);
    FAIL() << "an exception must leave the simulation";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string{error.what()}.find("that far"), std::string::npos);
  }
}

TEST(Simulate, a_simulation_does_not_start_another) {
  simulate(small(), 1, [] { EXPECT_THROW(simulate(small(), 1, [] {}), std::logic_error); });
}

TEST(Simulate, threads_end_and_can_be_joined_late) {
  int ended = 0;
  simulate(small(), 1, [&] {
    thread early{[&] { ++ended; }};
    thread late{[&] {
      work(10ms);
      ++ended;
    }};
    work(1ms);
    late.join();
    EXPECT_EQ(ended, 2);
    EXPECT_GE(virtual_time(), 9ms);
    early.join();
  });
}

TEST(Simulate, a_pool_of_256_workers_excludes_as_it_must) {
  mutex_program program{.workers = 256, .tasks = 600, .times = 5};
  const simulation_counts seen = program.run(machines::two_sockets(), 1);
  EXPECT_EQ(program.sum, 3000U);
  EXPECT_GT(program.stats.exchanges, 1000U);
  EXPECT_GT(seen.transfers[3], 0U);  // The sockets talk to each other.
}

TEST(Simulate, the_machines_are_as_large_as_they_say) {
  EXPECT_EQ(machines::two_sockets().cpus(), 256U);
  EXPECT_EQ(machines::two_sockets().cores(), 128U);
  EXPECT_EQ(machines::four_sockets().cpus(), 64U);
  const topology seen = topology_of(machines::two_sockets());
  EXPECT_EQ(seen.cpus().size(), 256U);
  EXPECT_EQ(seen.node_count(), 2U);
  EXPECT_EQ(seen.cache_count(), 16U);
  EXPECT_EQ(seen.core_count(), 128U);
}

TEST(Simulate, impossible_machines_are_refused) {
  const auto is_refused = [](auto&& change) {
    machine_description m = small();
    change(m);
    try {
      simulate(m, 1, [] {});
      return false;
    } catch (const std::invalid_argument&) {
      return true;
    }
  };
  using description = machine_description&;
  EXPECT_FALSE(is_refused([](description) {}));
  EXPECT_TRUE(is_refused([](description m) { m.nodes = 0; }));
  EXPECT_TRUE(is_refused([](description m) { m.threads_per_core = 0; }));
  EXPECT_TRUE(is_refused([](description m) { m.nodes = 200; }));
  EXPECT_TRUE(is_refused([](description m) { m.nodes = 0x4000'0000; }));
  EXPECT_TRUE(is_refused([](description m) { m.hit = -1; }));
  EXPECT_TRUE(
      is_refused([](description m) { m.wake = std::numeric_limits<double>::quiet_NaN(); }));
  EXPECT_TRUE(is_refused([](description m) { m.from_node = 1e12; }));
  EXPECT_TRUE(is_refused([](description m) { m.spin_hint = 0; }));
  EXPECT_TRUE(is_refused([](description m) { m.sibling_slowdown = 0.5; }));
}

TEST(Simulate, the_pool_counts_what_it_does) {
  mutex_program program{.workers = 8, .tasks = 100, .times = 20};
  const simulation_counts seen = program.run(small(), 1);
  EXPECT_EQ(program.sum, 2000U);
  EXPECT_GE(program.stats.tasks_run, 100U);
  EXPECT_GT(program.stats.exchanges, 0U);
  EXPECT_GT(program.stats.steals[0] + program.stats.steals[1] + program.stats.steals[2],
            0U);
  EXPECT_GT(seen.accesses, seen.events);
  EXPECT_GT(seen.transfers[1] + seen.transfers[2] + seen.transfers[3], 100U);
}

TEST(Simulate, a_section_keeps_its_lines_on_one_core_when_tasks_are_exchanged) {
  const auto transfers = []<class Handoff>() {
    alignas(64) std::array<std::byte, 64 * 16> data{};
    const simulation_counts seen = simulate(small(), 1, [&] {
      thread_pool pool{{.threads = 8, .machine = topology_of(small())}};
      basic_mutex<Handoff> m;
      const auto body = [&]() -> task<> {
        for (int i = 0; i < 20; ++i) {
          co_await m.lock();
          use_memory(data.data(), data.size(), true);
          co_await m.unlock();
          work(2us);
        }
      };
      std::vector<task<>> all;
      for (int i = 0; i < 100; ++i) all.push_back(body());
      sync_wait(pool, when_all(std::move(all)));
    });
    return seen.transfers[1] + seen.transfers[2] + seen.transfers[3];
  };
  EXPECT_LT(transfers.template operator()<handoff::exchange>(),
            transfers.template operator()<handoff::dispatch>() / 2);
}

TEST(Simulate, seam_calls_take_their_prices) {
  const machine_description m = small();
  simulate(m, 1, [&] {
    alignas(64) std::array<std::byte, 128> frame{};
    platform::on_resume(frame.data());
    const auto price = [](const std::function<void()>& of) {
      return static_cast<double>(time_of(of).count());
    };
    EXPECT_NEAR(price([&] { platform::on_resume(frame.data()); }),
                m.task_switch + 4 * m.hit, 1);
    EXPECT_NEAR(price([] { (void)platform::now(); }), m.read_clock, 1);
    EXPECT_NEAR(price([] { platform::relax(); }), m.spin_hint, 1);
    EXPECT_NEAR(price([] { platform::heavy_fence(); }), m.heavy_fence + m.heavy_fence_each,
                1);
    platform::var<int> field{1};
    field = 2;
    EXPECT_NEAR(price([&] { field = 3; }), m.hit, 1);
  });
}

TEST(Simulate, a_store_is_on_its_way_while_the_thread_goes_on) {
  const machine_description m = small();
  simulate(m, 1, [&] {
    alignas(64) std::array<std::byte, 128> memory{};
    platform::atomic<int> counter{0};
    counter.fetch_add(1);
    EXPECT_NEAR(
        static_cast<double>(time_of([&] { use_memory(memory.data(), 64, true); }).count()),
        m.hit, 1);
    // A read-modify-write comes after all stores before it.
    EXPECT_GE(static_cast<double>(time_of([&] { counter.fetch_add(1); }).count()),
              m.from_memory - m.hit);
  });
}

TEST(Simulate, what_was_sent_for_early_enough_is_there) {
  const machine_description m = small();
  simulate(m, 1, [&] {
    alignas(64) std::array<std::byte, 128> memory{};
    const auto load = [&](std::size_t line) {
      return static_cast<double>(
          time_of([&] { use_memory(&memory[64 * line], 64, false); }).count());
    };
    platform::prefetch(memory.data());
    work(1us);
    EXPECT_NEAR(load(0), m.hit, 1);
    platform::prefetch(&memory[64]);
    EXPECT_GT(load(1), m.from_memory / 2) << "it is still on its way";
  });
}

TEST(Simulate, outside_a_simulation_nothing_takes_time) {
  counter own;
  own.add(10);
  work(1s);
  EXPECT_EQ(virtual_time(), 0ns);
  EXPECT_EQ(own.value.newest(), 10U);
}

}  // namespace
}  // namespace hotseat
