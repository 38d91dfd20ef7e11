// hotseat/tests/unit/simulate/lines_test.cpp — what hits, transfers and waits cost.
#include <platform/simulated/lines.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <vector>

namespace hotseat::platform::simulated {
namespace {

constexpr duration ns = 1000;

/// 2 nodes of 2 caches of 2 cores.
machine_description small() {
  machine_description m;
  m.nodes = 2;
  m.caches_per_node = 2;
  m.cores_per_cache = 2;
  m.hit = 1;
  m.update = 5;
  m.from_cache = 20;
  m.from_node = 80;
  m.from_remote = 200;
  m.from_memory = 90;
  return m;
}

class Lines : public ::testing::Test {
 protected:
  duration load(unsigned core, duration now = 0) {
    return table.use(&memory[0], access::load, core, now);
  }
  duration store(unsigned core, duration now = 0) {
    return table.use(&memory[0], access::store, core, now);
  }
  duration update(unsigned core, duration now = 0) {
    return table.use(&memory[0], access::update, core, now);
  }

  static constexpr duration later = 1'000'000;  // By then no core uses the line.
  line_table table{small()};
  alignas(64) std::array<std::byte, 128> memory{};
};

TEST_F(Lines, the_first_access_comes_from_memory_and_the_next_ones_hit) {
  EXPECT_EQ(load(0), 91 * ns);
  EXPECT_EQ(load(0), 1 * ns);
  EXPECT_EQ(store(0, later), 1 * ns);
  EXPECT_EQ(update(0, later), 5 * ns);
  EXPECT_EQ(table.transfers, (std::array<std::uint64_t, 5>{0, 0, 0, 0, 1}));
}

TEST_F(Lines, a_line_costs_by_the_distance_of_its_last_writer) {
  store(0);
  EXPECT_EQ(load(1, later), 21 * ns);
  store(0, 2 * later);
  EXPECT_EQ(load(2, 3 * later), 81 * ns);
  store(0, 4 * later);
  EXPECT_EQ(load(4, 5 * later), 201 * ns);
}

TEST_F(Lines, a_load_takes_the_nearest_copy) {
  store(4);
  EXPECT_EQ(load(0, later), 201 * ns);
  EXPECT_EQ(load(1, 2 * later), 21 * ns);
}

TEST_F(Lines, a_store_waits_for_the_farthest_copy_and_takes_all_away) {
  load(0);
  load(1, later);
  load(4, 2 * later);
  EXPECT_EQ(store(0, 3 * later), 201 * ns);
  EXPECT_TRUE(table.is_hit(&memory[0], access::load, 0));
  EXPECT_FALSE(table.is_hit(&memory[0], access::load, 1));
  EXPECT_FALSE(table.is_hit(&memory[0], access::load, 4));
}

TEST_F(Lines, readers_do_not_wait_for_each_other) {
  load(0);
  EXPECT_EQ(load(1), 21 * ns);
  EXPECT_EQ(load(2), 81 * ns);
  EXPECT_EQ(load(3), 21 * ns);
  EXPECT_EQ(table.waited, 0U);
}

TEST_F(Lines, writers_go_one_after_the_other) {
  update(0, 0);
  EXPECT_EQ(update(1, later), 25 * ns);
  EXPECT_EQ(update(0, later), (25 + 25) * ns);
  EXPECT_EQ(update(1, later), (50 + 25) * ns);
  EXPECT_EQ(table.waited, 2U);
}

TEST_F(Lines, a_core_that_waits_pays_for_the_arbitration) {
  machine_description m = small();
  m.arbitration = 7;
  table = line_table{m};
  update(0, 0);
  update(1, later);
  EXPECT_EQ(update(0, later), (25 + 7 + 25) * ns);
}

TEST_F(Lines, a_line_is_contended_until_no_core_has_wanted_it_for_a_moment) {
  const auto is_contended = [&](access how, duration now) {
    return table.is_contended(&memory[0], how, 0, now);
  };
  EXPECT_TRUE(is_contended(access::load, 0));  // The line is not in this core's cache.
  store(0);
  EXPECT_TRUE(is_contended(access::store, 100 * ns));
  EXPECT_FALSE(is_contended(access::load, 100 * ns));
  EXPECT_FALSE(is_contended(access::store, 10 * later));
  store(1, 10 * later);
  EXPECT_TRUE(is_contended(access::store, 20 * later));
}

TEST_F(Lines, a_prefetched_line_costs_only_the_rest_of_the_way) {
  store(0);
  table.send_for(&memory[0], 4, later);
  EXPECT_TRUE(table.is_hit(&memory[0], access::store, 4));
  EXPECT_EQ(load(4, later + 150 * ns), (50 + 1) * ns);
  EXPECT_EQ(load(4, later + 300 * ns), 1 * ns);
}

TEST_F(Lines, a_line_that_was_sent_for_can_be_taken_away) {
  store(0);
  table.send_for(&memory[0], 4, later);
  EXPECT_EQ(store(0, later + 50 * ns), (150 + 200 + 1) * ns);
  EXPECT_EQ(store(0, later + 60 * ns), 1 * ns) << "stores of this core do not wait";
}

TEST_F(Lines, two_addresses_of_one_line_are_one) {
  table.use(&memory[0], access::store, 0, 0);
  EXPECT_EQ(table.use(&memory[56], access::load, 1, later), 21 * ns);
  EXPECT_EQ(table.use(&memory[64], access::load, 1, later), 91 * ns);
}

TEST_F(Lines, a_table_that_has_grown_knows_what_it_knew) {
  std::vector<std::byte> much(64 * 200'000);
  for (std::size_t i = 0; i < much.size(); i += 64) {
    table.use(&much[i], access::store, i / 64 % 8, 0);
  }
  for (std::size_t i = 0; i < much.size(); i += 64) {
    ASSERT_TRUE(table.is_hit(&much[i], access::store, i / 64 % 8)) << i;
    ASSERT_FALSE(table.is_hit(&much[i], access::load, (i / 64 + 1) % 8)) << i;
  }
}

TEST(CoreSet, knows_its_members_in_all_words) {
  core_set set;
  EXPECT_TRUE(set.is_empty());
  set.add(0);
  set.add(300);
  EXPECT_TRUE(set.has(0));
  EXPECT_TRUE(set.has(300));
  EXPECT_FALSE(set.has(299));
  core_set other;
  other.add(300);
  EXPECT_TRUE(set.meets(other));
  EXPECT_TRUE(set.meets_not(other));
  EXPECT_FALSE(other.meets_not(set));
}

}  // namespace
}  // namespace hotseat::platform::simulated
