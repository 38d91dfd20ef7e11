// hotseat/tests/unit/runtime/topology_test.cpp — order of CPUs, detection, quotas, pinning.
// Layer: runtime.  Synthetic machines stand in for the ones we do not have.
#include <hotseat/runtime/topology.hpp>
#include <support/hwloc.hpp>

#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace hotseat {
namespace {

using detail::allowed_cpus;
using testing::has_hwloc;
using testing::refusal_of;
using cpu_list = std::vector<unsigned>;

constexpr const char* without_hwloc = "built without hwloc";
constexpr double unlimited = std::numeric_limits<double>::infinity();

cpu_list column(const topology& machine, unsigned cpu::* field) {
  cpu_list result;
  for (const cpu& each : machine.cpus()) result.push_back(each.*field);
  return result;
}

bool is_dense(const cpu_list& ids, unsigned count) {
  const std::set<unsigned> distinct{ids.begin(), ids.end()};
  return distinct.size() == count && *distinct.rbegin() + 1 == count;
}

/// What holds for every topology, whatever its source.
void expect_well_formed(const topology& machine) {
  const std::vector<cpu>& cpus = machine.cpus();
  ASSERT_FALSE(cpus.empty());
  EXPECT_TRUE(is_dense(column(machine, &cpu::node), machine.node_count()));
  EXPECT_TRUE(is_dense(column(machine, &cpu::cache), machine.cache_count()));
  EXPECT_TRUE(is_dense(column(machine, &cpu::core), machine.core_count()));
  EXPECT_TRUE(std::ranges::is_sorted(cpus, {}, &cpu::node));
  EXPECT_TRUE(std::ranges::is_sorted(cpus, {}, &cpu::cache));
  std::set<std::array<unsigned, 3>> places;  // One for each core: levels nest.
  for (const cpu& each : cpus) places.insert({each.core, each.cache, each.node});
  EXPECT_EQ(places.size(), machine.core_count());
  EXPECT_GE(machine.default_worker_count(), 1U);
  EXPECT_LE(machine.default_worker_count(), cpus.size());
  EXPECT_EQ(machine.describe().find('\n'), std::string::npos);
}

TEST(Topology, a_flat_machine_is_one_node_with_one_cache) {
  const topology machine = topology::flat(4);
  expect_well_formed(machine);
  EXPECT_FALSE(machine.is_real());
  EXPECT_EQ(machine.cpu_quota(), unlimited);
  EXPECT_EQ(machine.default_worker_count(), 4U);
  EXPECT_EQ(machine.describe(), "4 cpus, 4 cores, 1 cache domain, 1 node (flat)");
  EXPECT_EQ(topology::flat(0).cpus().size(), 1U);
}

TEST(Topology, a_described_machine_is_renumbered_densely) {
  EXPECT_THROW((void)topology::described({}), std::invalid_argument);
  const topology machine =
      topology::described({{7, 100, 10, 8}, {3, 200, 20, 5}, {9, 300, 30, 8}});
  expect_well_formed(machine);
  EXPECT_EQ(column(machine, &cpu::os_index), (cpu_list{7, 9, 3}));
  EXPECT_EQ(topology::described({{0, 0, 0, 0}, {1, 0, 0, 1}}).cache_count(), 2U);
}

TEST(Topology, a_quota_is_rounded_up_to_workers) {
  const std::vector<cpu> four{{0, 0, 0, 0}, {1, 1, 0, 0}, {2, 2, 0, 0}, {3, 3, 0, 0}};
  for (const auto& [quota, workers] :
       {std::pair{0.01, 1U}, {1.5, 2U}, {3.0, 3U}, {99., 4U}}) {
    EXPECT_EQ(topology::described(four, quota).default_worker_count(), workers);
  }
  EXPECT_THROW((void)topology::described(four, 0), std::invalid_argument);
}

TEST(Topology, second_hyperthreads_come_after_all_first_ones_of_their_cache) {
  const topology machine = topology::described(
      {{0, 0, 0, 0}, {1, 0, 0, 0}, {2, 1, 0, 0}, {3, 2, 0, 0}, {4, 2, 0, 0}, {5, 3, 1, 0}});
  expect_well_formed(machine);
  EXPECT_EQ(column(machine, &cpu::os_index), (cpu_list{0, 2, 3, 1, 4, 5}));
  EXPECT_EQ(column(machine, &cpu::core), (cpu_list{0, 1, 2, 0, 2, 3}));
}

TEST(Topology, a_synthetic_machine_has_the_structure_of_its_description) {
  if (!has_hwloc()) GTEST_SKIP() << without_hwloc;
  const topology machine = topology::synthetic("numa:2 l3:4 core:16 pu:1");
  expect_well_formed(machine);
  ASSERT_EQ(machine.cpus().size(), 128U);
  for (unsigned i = 0; i < 128; ++i) {
    EXPECT_EQ(machine.cpus()[i], (cpu{i, i, i / 16, i / 64}));
  }
  EXPECT_FALSE(machine.is_real());
  EXPECT_EQ(machine.default_worker_count(), 128U);
}

TEST(Topology, the_cache_domain_is_the_largest_cache_shared_by_cores) {
  if (!has_hwloc()) GTEST_SKIP() << without_hwloc;
  const std::vector<std::pair<const char*, const char*>> machines{
      {"pu:1", "1 cpu, 1 core, 1 cache domain, 1 node"},
      {"numa:2 l3:4 core:16 pu:1", "128 cpus, 128 cores, 8 cache domains, 2 nodes"},
      {"numa:2 l3:1 core:4 pu:2", "16 cpus, 8 cores, 2 cache domains, 2 nodes"},
      {"core:2 pu:2(indexes=40,30,20,10)", "4 cpus, 2 cores, 1 cache domain, 1 node"},
      // Without L3.
      {"l2:2 core:4 pu:1", "8 cpus, 8 cores, 2 cache domains, 1 node"},
      {"pack:2 l2:4 core:1 pu:2", "16 cpus, 8 cores, 2 cache domains, 1 node"},
      {"numa:2 l2:4 l1:1 core:1 pu:1", "8 cpus, 8 cores, 2 cache domains, 2 nodes"},
      {"pack:4 l3:1 core:1 pu:1", "4 cpus, 4 cores, 1 cache domain, 1 node"},
      // A cache across nodes, memory at two levels, two kinds of memory.
      {"l3:1 numa:2 core:2 pu:1", "4 cpus, 4 cores, 2 cache domains, 2 nodes"},
      {"[numa] pack:2 [numa] core:4 pu:1", "8 cpus, 8 cores, 2 cache domains, 2 nodes"},
      {"pack:2 [numa] [numa] l3:2 pu:2", "8 cpus, 8 cores, 4 cache domains, 2 nodes"},
  };
  for (const auto& [description, shape] : machines) {
    const topology machine = topology::synthetic(description);
    expect_well_formed(machine);
    EXPECT_EQ(machine.describe(),
              std::string{shape} + " (synthetic \"" + description + "\")");
  }
}

TEST(Topology, a_nonsense_description_is_refused_by_name) {
  for (const std::string text :
       {"nonsense", "", " ", "pu:0", "pu:-1", "numa:2", "[numa", "pu:2 core:3", "core:2(",
        "2:3", "pu:99999999999999999999"}) {
    EXPECT_NE(refusal_of(text).find('"' + text + '"'), std::string::npos) << text;
  }
}

TEST(Topology, a_description_of_too_many_cpus_is_refused_before_it_is_built) {
  for (const char* text : {"core:99999999 pu:99999999", "numa:4294967295 pu:1", "64 64 64",
                           "pu:0x10000", "pack:64 [numa(memory=1GB)] l3:64 core:2 pu:1"}) {
    EXPECT_TRUE(refusal_of(text).ends_with(has_hwloc() ? "too many CPUs" : "hwloc"));
  }
  EXPECT_EQ(refusal_of("numa:8(memory=999999) l3:16 core:16 pu:2").empty(), has_hwloc());
}

/// The real machine; restores this thread's affinity mask at the end of a test.
struct mask_guard {
  mask_guard() {
    unsetenv("HWLOC_SYNTHETIC");
    sched_getaffinity(0, sizeof before, &before);
  }
  ~mask_guard() { sched_setaffinity(0, sizeof before, &before); }
  mask_guard(const mask_guard&) = delete;
  mask_guard& operator=(const mask_guard&) = delete;
  cpu_set_t before{};
};

TEST(Topology, this_machine_offers_the_cpus_of_the_affinity_mask) {
  const mask_guard guard;
  const topology machine = topology::detect();
  expect_well_formed(machine);
  EXPECT_EQ(machine.is_real(), has_hwloc());
  cpu_list found = column(machine, &cpu::os_index);
  std::ranges::sort(found);
  EXPECT_EQ(found, allowed_cpus());
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(found.back(), &only);
  ASSERT_EQ(sched_setaffinity(0, sizeof only, &only), 0);
  EXPECT_EQ(topology::detect().cpus(), (std::vector<cpu>{{found.back(), 0, 0, 0}}));
}

/// Runs `check` in a child process with another environment.
template <class F>
void in_environment(const char* name, const std::string& value, const char* said, F check) {
  const auto run = [&] {
    unsetenv("HWLOC_SYNTHETIC");
    setenv(name, value.c_str(), 1);
    std::_Exit(check(topology::detect()) && !::testing::Test::HasFailure() ? 0 : 1);
  };
  EXPECT_EXIT(run(), ::testing::ExitedWithCode(0), ::testing::MatchesRegex(said)) << value;
}

constexpr const char* one_line = "hotseat: [^\n]*HWLOC_SYNTHETIC[^\n]*\n";

TEST(TopologyDeathTest, a_synthetic_machine_from_the_environment_is_not_real) {
  if (!has_hwloc()) GTEST_SKIP() << without_hwloc;
  in_environment("HWLOC_SYNTHETIC", "numa:2 l3:4 core:16 pu:1", "", [](const topology& it) {
    return it.cpus().size() == 128 && it.cache_count() == 8 && !it.is_real() &&
           it.cpu_quota() == unlimited && !pin_this_thread(it, 0, pinning::core);
  });
}

TEST(TopologyDeathTest, nonsense_in_HWLOC_SYNTHETIC_leaves_this_machine_and_one_line) {
  for (const std::string& text : {std::string{"nonsense"}, std::string{" "},
                                  std::string{"numa:2\nl3:"}, std::string(99'999, 'A')}) {
    in_environment("HWLOC_SYNTHETIC", text, one_line, [](const topology& it) {
      expect_well_formed(it);
      return it.cpus().size() == allowed_cpus().size() && it.is_real() == has_hwloc() &&
             it.cpus() == topology::detect().cpus();
    });
  }
}

bool is_flat(const topology& it) {
  return it.describe().ends_with("(this machine, structure unknown)") && !it.is_real();
}

TEST(TopologyDeathTest, what_hwloc_cannot_build_leaves_a_flat_machine_and_one_line) {
  in_environment("HWLOC_SYNTHETIC", "core:99999999 pu:99999999", one_line, is_flat);
  if (has_hwloc()) {
    in_environment("HWLOC_COMPONENTS", "stop", "hotseat: hwloc [^\n]*\n", is_flat);
  }
}

/// The quota found with these files, (name, text), below the cgroup root.
double quota_with(const std::string& membership,
                  std::initializer_list<std::pair<std::string, const char*>> files) {
  std::string name = ::testing::TempDir() + "hotseat.XXXXXX";
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error{"mkdtemp"};
  const std::filesystem::path top = name;
  const auto write = [&](const std::filesystem::path& file, const std::string& text) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream{file} << text;
  };
  if (!membership.empty()) write(top / "membership", membership);
  for (const auto& [file, text] : files) write(top / "root" / file, text);
  const double result = detail::cgroup_cpu_quota(top / "root", top / "membership");
  std::filesystem::remove_all(top);
  return result;
}

TEST(CgroupQuota, the_tightest_v2_limit_on_the_way_to_the_root_counts) {
  EXPECT_EQ(quota_with("0::/job\n", {{"job/cpu.max", "150000 100000\n"}}), 1.5);
  EXPECT_EQ(quota_with("0::/job\n", {{"job/cpu.max", "max 100000\n"}}), unlimited);
  EXPECT_EQ(quota_with("0::/a/b:c", {{"a/cpu.max", "2 1"}, {"a/b:c/cpu.max", "3 1"}}), 2);
  EXPECT_EQ(quota_with("9:cpu:/\n0::/x\n", {{"unified/x/cpu.max", "5000 10000"}}), 0.5);
  // The host's path, a group outside the namespace, no membership: the visible root is
  // used.
  for (const char* membership : {"0::/docker/4711\n", "0::/../../sibling\n", ""}) {
    EXPECT_EQ(quota_with(membership, {{"cpu.max", "250000 100000"}}), 2.5);
  }
}

TEST(CgroupQuota, a_v1_limit_is_read_from_its_two_files) {
  const char* const groups = "5:memory:/x\n4:cpu,cpuacct:/job\n2:cpuset:/\n0::/\n";
  for (const std::string at : {"cpu/job/cpu.cfs_", "cpu,cpuacct/job/cpu.cfs_"}) {
    for (const auto& [used, quota] : {std::pair{"75000\n", 1.5}, {"-1\n", unlimited}}) {
      const auto period = std::pair{at + "period_us", "50000\n"};
      EXPECT_EQ(quota_with(groups, {{at + "quota_us", used}, period}), quota);
    }
  }
}

TEST(CgroupQuota, what_is_missing_or_garbage_does_not_limit) {
  EXPECT_EQ(quota_with("", {}), unlimited);
  EXPECT_EQ(quota_with("0::/job\n", {}), unlimited);
  for (const char* text : {"", "garbage", "150000", "150000 0", "0 100000", "-1 100000",
                           "5 -5", "1e5 1", "99999999999999999999 1", "5x 1", "nan nan"}) {
    EXPECT_EQ(quota_with("what\n:\n\n1:x\n0::/\n", {{"cpu.max", text}}), unlimited) << text;
  }
}

TEST(Pinning, a_thread_may_run_on_all_cpus_that_share_the_named_level) {
  const mask_guard guard;
  const topology machine = topology::detect();
  if (!machine.is_real()) GTEST_SKIP() << "nothing to pin to";
  const auto last = static_cast<unsigned>(machine.cpus().size() - 1);
  for (const auto& [level, field] : {std::pair{pinning::core, &cpu::core},
                                     {pinning::cache, &cpu::cache},
                                     {pinning::node, &cpu::node}}) {
    std::set<unsigned> expected;
    for (const cpu& each : machine.cpus()) {
      if (each.*field == machine.cpus()[last].*field) expected.insert(each.os_index);
    }
    EXPECT_TRUE(pin_this_thread(machine, last, level));
    EXPECT_EQ(allowed_cpus(), cpu_list(expected.begin(), expected.end()));
  }
}

TEST(Pinning, what_cannot_be_done_is_refused_and_changes_nothing) {
  const cpu_list before = allowed_cpus();
  EXPECT_FALSE(pin_this_thread(topology::detect(), 1'000'000, pinning::core));
  EXPECT_FALSE(pin_this_thread(topology::flat(2), 0, pinning::node));
  EXPECT_TRUE(pin_this_thread(topology::flat(1), 99, pinning::none));
  EXPECT_EQ(allowed_cpus(), before);
}

}  // namespace
}  // namespace hotseat
