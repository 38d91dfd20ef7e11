// hotseat/tests/unit/runtime/victims_test.cpp — nearest first, each once.  Layer: runtime.
// Machines are described by hand, so this needs no hwloc.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <hotseat/runtime/detail/victims.hpp>
#include <map>
#include <random>
#include <utility>
#include <vector>

namespace hotseat::detail {
namespace {

topology regular_machine(unsigned nodes, unsigned caches, unsigned cores,
                         unsigned threads) {
  std::vector<cpu> cpus;
  for (unsigned i = 0; i < nodes * caches * cores * threads; ++i) {
    const unsigned core = i / threads;
    const unsigned cache = core / cores;
    cpus.push_back({i, core, cache, cache / caches});
  }
  return topology::described(std::move(cpus));
}

victim_order order_of(const topology& machine, unsigned workers, unsigned self) {
  return {machine, assign_workers(machine, workers), self};
}

std::vector<unsigned> level(const victim_order& order, distance which) {
  const auto all = order.at(which);
  return {all.begin(), all.end()};
}

std::vector<std::pair<unsigned, distance>> visits(const victim_order& order,
                                                  std::uint64_t random) {
  std::vector<std::pair<unsigned, distance>> result;
  const bool is_stopped = order.for_each(random, [&](unsigned worker, distance how_far) {
    result.emplace_back(worker, how_far);
    return false;
  });
  EXPECT_FALSE(is_stopped);
  return result;
}

TEST(AssignWorkers, workers_go_round_robin_over_the_cpus) {
  EXPECT_EQ(assign_workers(topology::flat(3), 8),
            (std::vector<unsigned>{0, 1, 2, 0, 1, 2, 0, 1}));
  EXPECT_EQ(assign_workers(topology::flat(8), 3), (std::vector<unsigned>{0, 1, 2}));
  EXPECT_TRUE(assign_workers(topology::flat(8), 0).empty());
}

TEST(Distance, is_decided_by_the_largest_thing_not_shared) {
  EXPECT_EQ(distance_between({0, 0, 0, 0}, {1, 0, 0, 0}), distance::cache);
  EXPECT_EQ(distance_between({0, 0, 0, 0}, {1, 1, 0, 0}), distance::cache);
  EXPECT_EQ(distance_between({0, 0, 0, 0}, {1, 1, 1, 0}), distance::node);
  EXPECT_EQ(distance_between({0, 0, 0, 0}, {1, 1, 1, 1}), distance::remote);
}

TEST(Victims, levels_follow_the_topology) {
  const topology machine = regular_machine(2, 2, 2, 1);
  const victim_order order = order_of(machine, 8, 2);
  EXPECT_EQ(level(order, distance::cache), (std::vector<unsigned>{3}));
  EXPECT_EQ(level(order, distance::node), (std::vector<unsigned>{0, 1}));
  EXPECT_EQ(level(order, distance::remote), (std::vector<unsigned>{4, 5, 6, 7}));
  EXPECT_EQ(order.size(), 7U);
}

TEST(Victims, each_list_begins_after_its_worker_and_wraps) {
  const topology machine = topology::flat(5);
  EXPECT_EQ(level(order_of(machine, 5, 0), distance::cache),
            (std::vector<unsigned>{1, 2, 3, 4}));
  EXPECT_EQ(level(order_of(machine, 5, 3), distance::cache),
            (std::vector<unsigned>{4, 0, 1, 2}));
}

TEST(Victims, a_worker_that_is_alone_visits_no_victim) {
  const victim_order order = order_of(topology::flat(1), 1, 0);
  EXPECT_EQ(order.size(), 0U);
  EXPECT_TRUE(visits(order, 42).empty());
  EXPECT_TRUE(visits(victim_order{}, 42).empty());
}

TEST(Victims, workers_that_share_a_cpu_are_nearest) {
  const topology machine = regular_machine(2, 1, 1, 1);
  EXPECT_EQ(level(order_of(machine, 6, 1), distance::cache), (std::vector<unsigned>{3, 5}));
  EXPECT_EQ(level(order_of(machine, 6, 1), distance::remote),
            (std::vector<unsigned>{2, 4, 0}));
}

TEST(Victims, a_pool_smaller_than_a_cache_domain_has_only_near_victims) {
  const victim_order order = order_of(regular_machine(2, 4, 16, 1), 16, 5);
  EXPECT_EQ(order.at(distance::cache).size(), 15U);
  EXPECT_TRUE(order.at(distance::node).empty());
  EXPECT_TRUE(order.at(distance::remote).empty());
}

TEST(Victims, a_synthetic_machine_gives_the_levels_of_its_description) {
  // "numa:2 l3:4 core:16 pu:1"
  const victim_order order = order_of(regular_machine(2, 4, 16, 1), 128, 100);
  EXPECT_EQ(order.at(distance::cache).size(), 15U);
  EXPECT_EQ(order.at(distance::node).size(), 48U);
  EXPECT_EQ(order.at(distance::remote).size(), 64U);
}

TEST(Victims, every_other_worker_is_visited_once_and_never_a_farther_one_first) {
  std::mt19937_64 random{4711};
  const std::vector<topology> machines{
      topology::flat(1),
      topology::flat(7),
      regular_machine(2, 4, 16, 1),
      regular_machine(2, 1, 4, 2),
      regular_machine(3, 2, 1, 2),
      topology::described({{0, 0, 0, 0}, {1, 1, 0, 0}, {2, 2, 1, 0}, {3, 3, 2, 1}})};
  for (const topology& machine : machines) {
    for (const unsigned workers : {1U, 2U, 3U, 16U, 128U, 200U}) {
      const std::vector<unsigned> assigned = assign_workers(machine, workers);
      for (unsigned self = 0; self < workers; ++self) {
        const auto seen = visits({machine, assigned, self}, random());
        std::vector<unsigned> others;
        distance farthest = distance::cache;
        for (const auto& [worker, how_far] : seen) {
          others.push_back(worker);
          ASSERT_GE(how_far, farthest);
          farthest = how_far;
          ASSERT_EQ(how_far, distance_between(machine.cpus()[assigned[self]],
                                              machine.cpus()[assigned[worker]]));
        }
        std::ranges::sort(others);
        std::vector<unsigned> expected;
        for (unsigned i = 0; i < workers; ++i) {
          if (i != self) expected.push_back(i);
        }
        ASSERT_EQ(others, expected);
      }
    }
  }
}

TEST(Victims, the_order_serves_for_waking_because_distance_is_symmetric) {
  const topology machine = regular_machine(2, 2, 2, 2);
  const std::vector<unsigned> assigned = assign_workers(machine, 24);
  for (unsigned a = 0; a < 24; ++a) {
    const victim_order from_a{machine, assigned, a};
    for (const distance how_far : distances) {
      for (const unsigned b : from_a.at(how_far)) {
        const std::vector<unsigned> back = level({machine, assigned, b}, how_far);
        EXPECT_TRUE(std::ranges::find(back, a) != back.end());
      }
    }
  }
}

TEST(Victims, the_walk_ends_at_the_first_visit_that_returns_true) {
  const victim_order order = order_of(regular_machine(2, 2, 2, 1), 8, 0);
  for (std::size_t wanted = 1; wanted <= order.size(); ++wanted) {
    std::size_t visited = 0;
    EXPECT_TRUE(order.for_each(7, [&](unsigned, distance) { return ++visited == wanted; }));
    EXPECT_EQ(visited, wanted);
  }
}

TEST(Victims, the_largest_random_number_starts_inside_the_level) {
  const victim_order order = order_of(topology::flat(100), 100, 0);
  // The last one, minus the inverse of the multiplier, hashes to all ones.
  for (const std::uint64_t random :
       {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{0} - 0xF1DE'83E1'9937'733DU}) {
    EXPECT_EQ(visits(order, random).size(), 99U);
  }
}

/// Whether each victim of a level of 20 comes first about equally often.
void expect_even_starts(const std::vector<std::uint64_t>& starts) {
  const topology machine = regular_machine(2, 2, 20, 1);
  const victim_order order = order_of(machine, 80, 25);
  std::map<distance, std::map<unsigned, unsigned>> first;
  for (const std::uint64_t random : starts) {
    distance last = distance::cache;
    bool is_first = true;
    for (const auto& [worker, how_far] : visits(order, random)) {
      if (is_first || how_far != last) ++first[how_far][worker];
      is_first = false;
      last = how_far;
    }
  }
  for (const distance how_far : distances) {
    const std::size_t size = order.at(how_far).size();
    ASSERT_EQ(first[how_far].size(), size);
    const double expected = static_cast<double>(starts.size()) / static_cast<double>(size);
    for (const auto& [worker, times] : first[how_far]) {
      EXPECT_NEAR(times, expected, expected / 4) << "worker " << worker;
    }
  }
}

TEST(Victims, random_numbers_start_everywhere_alike) {
  std::mt19937_64 random{1};
  std::vector<std::uint64_t> starts(20'000);
  std::ranges::generate(starts, random);
  expect_even_starts(starts);
}

TEST(Victims, even_a_counter_starts_everywhere_alike) {
  std::vector<std::uint64_t> starts(20'000);
  for (std::size_t i = 0; i < starts.size(); ++i) starts[i] = i;
  expect_even_starts(starts);
}

}  // namespace
}  // namespace hotseat::detail
