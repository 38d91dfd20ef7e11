// hotseat/tests/unit/core/line_waiter_test.cpp — which side makes a task run when its wait
// ends.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/spin_lock.hpp>
#include <hotseat/core/waiter_line.hpp>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace hotseat {
namespace {

turn nothing_was_run(line_waiter&) noexcept { return turn::owns; }

TEST(LineWaiter, starts_in_no_line_and_is_nothing_special) {
  line_waiter w;
  EXPECT_FALSE(w.is_in_line);
  EXPECT_EQ(w.special, nullptr);
  EXPECT_FALSE(w.is_delegated());
}

TEST(LineWaiter, a_waiter_without_limits_is_always_run_by_the_thread_that_took_it_out) {
  line_waiter plain;
  EXPECT_TRUE(plain.settle(outcome::granted));

  line_waiter delegated;
  special_wait special;
  special.on_turn = &nothing_was_run;
  delegated.special = &special;
  EXPECT_TRUE(delegated.is_delegated());
  EXPECT_TRUE(delegated.settle(outcome::granted));
}

TEST(LineWaiter, limits_alone_do_not_delegate) {
  line_waiter w;
  special_wait special;
  special.has_limits = true;
  w.special = &special;
  EXPECT_FALSE(w.is_delegated());
}

// Both the owner and the leaver want each waiter; both check the mark first.
TEST(LineWaiter, W1_a_waiter_is_taken_out_of_a_line_once) {
  constexpr std::size_t count = 2000;
  std::vector<line_waiter> waiters(count);
  spin_lock guard;
  waiter_line line;  // Under guard, like the marks.
  for (line_waiter& w : waiters) line.push_back(w);
  std::size_t left = 0;
  std::thread leaver{[&] {
    for (std::size_t i = count; i-- > 0;) {
      const std::lock_guard inside{guard};
      if (!waiters[i].is_in_line) continue;
      line.remove(waiters[i]);
      ++left;
    }
  }};
  std::size_t granted = 0;
  for (bool is_over = false; !is_over;) {
    const std::lock_guard inside{guard};
    is_over = line.empty();
    if (is_over) continue;
    static_cast<void>(line.pop_front());
    ++granted;
  }
  leaver.join();
  EXPECT_EQ(left + granted, count);
  for (const line_waiter& w : waiters) EXPECT_FALSE(w.is_in_line);
}

class SpecialWait : public ::testing::TestWithParam<outcome> {
 protected:
  SpecialWait() {
    special.has_limits = true;
    w.special = &special;
  }
  line_waiter w;
  special_wait special;
};

TEST_P(SpecialWait, W2_settling_a_suspended_task_makes_it_run) {
  EXPECT_TRUE(special.may_suspend());
  EXPECT_TRUE(w.settle(GetParam()));
  EXPECT_EQ(special.how, GetParam());
}

TEST_P(SpecialWait, W2_a_task_settled_while_it_arms_continues_by_itself) {
  EXPECT_FALSE(w.settle(GetParam()));
  EXPECT_FALSE(special.may_suspend());
  EXPECT_EQ(special.how, GetParam());
}

INSTANTIATE_TEST_SUITE_P(AnyEnd, SpecialWait,
                         ::testing::Values(outcome::granted, outcome::left));

// Exactly one side runs the task, and it sees what the other did before (S and M).
TEST(SpecialWaitRace, W2_the_second_of_the_two_makes_the_task_run) {
  constexpr std::size_t rounds = 500;
  struct round {
    special_wait special;
    int frame = 0;                   // Written by the task before it suspends.
    std::optional<int> seen_at_end;  // What the settling side read.
    bool runs_by_itself = false;
  };
  std::vector<round> all(rounds);
  for (round& each : all) each.special.has_limits = true;
  std::thread settler{[&] {
    for (round& each : all) {
      if (each.special.settle(outcome::left)) each.seen_at_end = each.frame;
    }
  }};
  for (round& each : all) {
    each.frame = 7;
    each.runs_by_itself = !each.special.may_suspend();
    if (each.runs_by_itself) EXPECT_EQ(each.special.how, outcome::left);
  }
  settler.join();
  for (const round& each : all) {
    EXPECT_NE(each.runs_by_itself, each.seen_at_end.has_value());
    if (each.seen_at_end) EXPECT_EQ(*each.seen_at_end, 7);
  }
}

}  // namespace
}  // namespace hotseat
