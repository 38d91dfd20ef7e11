// hotseat/tests/unit/core/waiter_line_test.cpp — first in, first out, except for waiters
// that leave.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <deque>
#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/waiter_line.hpp>
#include <random>
#include <vector>

namespace hotseat {
namespace {

using order = std::deque<line_waiter*>;

/// The linked waiters, oldest first.
order walk(const waiter_line& line) {
  order result;
  for (waiter* w = line.front(); w != nullptr; w = w->next) {
    result.push_back(static_cast<line_waiter*>(w));
  }
  return result;
}

void push_all(waiter_line& line, const std::vector<line_waiter*>& arrivals) {
  for (line_waiter* const w : arrivals) line.push_back(*w);
}

TEST(WaiterLine, starts_empty) {
  const waiter_line line;
  EXPECT_TRUE(line.empty());
  EXPECT_EQ(line.front(), nullptr);
}

TEST(WaiterLine, waiters_leave_in_order_of_arrival) {
  std::array<line_waiter, 3> w;
  waiter_line line;
  for (line_waiter& each : w) line.push_back(each);
  for (line_waiter& each : w) {
    EXPECT_EQ(line.front(), &each);
    EXPECT_EQ(&line.pop_front(), &each);
  }
  EXPECT_TRUE(line.empty());
}

TEST(WaiterLine, L1_in_line_is_marked_exactly_while_it_is_linked) {
  std::array<line_waiter, 3> w;
  waiter_line line;
  EXPECT_FALSE(w[0].is_in_line);
  for (line_waiter& each : w) line.push_back(each);
  for (const line_waiter& each : w) EXPECT_TRUE(each.is_in_line);
  line.remove(w[1]);
  EXPECT_FALSE(w[1].is_in_line);
  static_cast<void>(line.pop_front());
  EXPECT_FALSE(w[0].is_in_line);
  EXPECT_TRUE(w[2].is_in_line);
  line.remove(w[2]);
  EXPECT_FALSE(w[2].is_in_line);
  EXPECT_TRUE(line.empty());
}

TEST(WaiterLine, any_waiter_may_leave_and_the_order_of_the_others_stays) {
  for (std::size_t leaver = 0; leaver < 4; ++leaver) {
    std::array<line_waiter, 5> w;
    waiter_line line;
    order expected;
    for (std::size_t i = 0; i < 4; ++i) {
      line.push_back(w[i]);
      if (i != leaver) expected.push_back(&w[i]);
    }
    line.remove(w[leaver]);
    EXPECT_EQ(walk(line), expected);
    line.push_back(w[4]);
    expected.push_back(&w[4]);
    EXPECT_EQ(walk(line), expected) << "the next arrival is behind the last";
  }
}

// The next departure links back every waiter that joined since the last one.
TEST(WaiterLine, L2_back_links_reach_all_waiters_that_joined_before_a_departure) {
  std::array<line_waiter, 8> w;
  waiter_line line;
  const auto expect_links_back = [&] {
    const order all = walk(line);
    for (std::size_t i = 1; i < all.size(); ++i) EXPECT_EQ(all[i]->prev, all[i - 1]);
  };
  for (std::size_t i = 0; i < 4; ++i) line.push_back(w[i]);
  line.remove(w[3]);  // The youngest; all waiters up to it were linked.
  expect_links_back();
  push_all(line, {&w[4], &w[5]});
  line.remove(w[1]);
  expect_links_back();
  static_cast<void>(line.pop_front());
  line.push_back(w[6]);
  line.remove(w[2]);  // The head; its back link is that of a waiter that is gone.
  expect_links_back();
  EXPECT_EQ(walk(line), (order{&w[4], &w[5], &w[6]}));
}

TEST(WaiterLine, L2_no_back_link_counts_once_the_last_linked_waiter_is_gone) {
  std::array<line_waiter, 4> w;
  waiter_line line;
  line.push_back(w[0]);
  line.push_back(w[1]);
  line.remove(w[1]);  // Links w[1] back to w[0].
  EXPECT_EQ(&line.pop_front(), &w[0]);
  for (std::size_t i = 1; i < 4; ++i) line.push_back(w[i]);
  line.remove(w[2]);
  EXPECT_EQ(walk(line), (order{&w[1], &w[3]}));
}

TEST(WaiterLine, L2_a_link_left_from_another_line_does_not_matter) {
  std::array<line_waiter, 3> w;
  waiter_line former;
  for (line_waiter& each : w) former.push_back(each);
  for (line_waiter& each : w) former.remove(each);
  waiter_line line;
  for (const std::size_t i : {2U, 1U, 0U}) line.push_back(w[i]);
  line.remove(w[1]);
  EXPECT_EQ(walk(line), (order{&w[2], &w[0]}));
}

TEST(WaiterLine, agrees_with_a_deque_over_many_random_steps) {
  std::mt19937 random{42};
  std::vector<line_waiter> waiters(40);
  order model;
  waiter_line line;
  const auto outsiders = [&](std::size_t wanted) {
    std::vector<line_waiter*> found;
    const std::size_t first = random() % waiters.size();
    for (std::size_t i = 0; i < waiters.size() && found.size() < wanted; ++i) {
      line_waiter& w = waiters[(first + i) % waiters.size()];
      if (!w.is_in_line) found.push_back(&w);
    }
    return found;
  };
  for (int step = 0; step < 50'000; ++step) {
    switch (random() % 4) {
      case 0:
        for (line_waiter* const w : outsiders(1)) {
          line.push_back(*w);
          model.push_back(w);
        }
        break;
      case 1: {
        const std::vector<line_waiter*> arrivals = outsiders(random() % 5);
        push_all(line, arrivals);
        model.insert(model.end(), arrivals.begin(), arrivals.end());
        break;
      }
      case 2:
        if (model.empty()) break;
        ASSERT_EQ(&line.pop_front(), model.front());
        model.pop_front();
        break;
      default: {
        if (model.empty()) break;
        const auto leaver =
            model.begin() + static_cast<std::ptrdiff_t>(random() % model.size());
        line.remove(**leaver);
        model.erase(leaver);
        break;
      }
    }
    ASSERT_EQ(walk(line), model);
    const auto marked = std::count_if(waiters.begin(), waiters.end(),
                                      [](const line_waiter& w) { return w.is_in_line; });
    ASSERT_EQ(marked, static_cast<std::ptrdiff_t>(model.size()));
  }
}

}  // namespace
}  // namespace hotseat
