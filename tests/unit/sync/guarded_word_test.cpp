// hotseat/tests/unit/sync/guarded_word_test.cpp — a number, and the guard of a line.
#include <gtest/gtest.h>

#include <cstdint>
#include <hotseat/sync/detail/guarded_word.hpp>
#include <support/threads.hpp>

namespace hotseat::detail {
namespace {

constexpr auto always = [](std::uint64_t) { return true; };
constexpr auto add_one = [](std::uint64_t value) { return value + 1; };

TEST(GuardedWord, changes_without_the_guard_while_no_task_waits) {
  guarded_word word{5};
  EXPECT_TRUE(word.try_change(always, add_one));
  EXPECT_EQ(word.value(), 6U);
  EXPECT_FALSE(word.try_change([](std::uint64_t value) { return value > 6; }, add_one));
  EXPECT_EQ(word.acquire_value(), 6U);
}

TEST(GuardedWord, holds_the_largest_value) {
  guarded_word word{guarded_word::max_value};
  EXPECT_EQ(word.value(), guarded_word::max_value);
  EXPECT_EQ(word.guard(), guarded_word::max_value);
  word.unguard(guarded_word::max_value, true);
  EXPECT_EQ(word.value(), guarded_word::max_value);
  EXPECT_TRUE(word.is_waited());
}

TEST(GuardedWord, G1_changes_need_the_guard_while_a_task_waits) {
  guarded_word word{1};
  EXPECT_EQ(word.guard(), 1U);
  EXPECT_FALSE(word.try_change(always, add_one));
  word.unguard(2, true);
  EXPECT_FALSE(word.try_change(always, add_one));
  EXPECT_EQ(word.guard(), 2U);
  word.unguard(3, false);
  EXPECT_TRUE(word.try_change(always, add_one));
  EXPECT_EQ(word.value(), 4U);
}

TEST(GuardedWord, G1_changes_that_let_no_task_in_are_made_beside_the_line) {
  guarded_word word{1};
  EXPECT_EQ(word.guard(), 1U);
  EXPECT_FALSE(word.try_change_beside_line(always, add_one)) << "not while it is guarded";
  word.unguard(1, true);
  EXPECT_TRUE(word.try_change_beside_line(always, add_one));
  EXPECT_EQ(word.value(), 2U);
  EXPECT_TRUE(word.is_waited()) << "the line is still there";
  EXPECT_FALSE(word.try_change_beside_line([](std::uint64_t) { return false; }, add_one));
}

TEST(GuardedWord, G2_releasing_the_guard_says_whether_a_task_waits) {
  guarded_word word{0};
  EXPECT_FALSE(word.is_waited());
  static_cast<void>(word.guard());
  word.unguard(0, true);
  EXPECT_TRUE(word.is_waited());
  static_cast<void>(word.guard());
  word.unguard(0, false);
  EXPECT_FALSE(word.is_waited());
}

TEST(GuardedWord, both_ways_to_change_exclude_each_other) {
  constexpr int rounds = 20'000;
  guarded_word word{0};
  std::uint64_t guarded_changes = 0;  // Under the guard.
  testing::on_threads(4, [&word, &guarded_changes] {
    for (int round = 0; round < rounds; ++round) {
      if (word.try_change(always, add_one)) continue;
      const std::uint64_t value = word.guard();
      ++guarded_changes;
      word.unguard(value + 1, round % 8 == 0);
    }
  });
  EXPECT_EQ(word.value(), 4U * rounds);
  EXPECT_LE(guarded_changes, 4U * rounds);
}

}  // namespace
}  // namespace hotseat::detail
