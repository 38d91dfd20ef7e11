// hotseat/tests/unit/sync/permit_state_test.cpp — permits, and waiters that want some.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <hotseat/core/waiter.hpp>
#include <hotseat/sync/detail/permit_state.hpp>
#include <random>
#include <support/waiters.hpp>
#include <vector>

namespace hotseat::detail {
namespace {

using testing::listed;

class PermitState : public ::testing::Test {
 protected:
  permit_waiter& enqueue(std::uint64_t wants) {
    permit_waiter& w = waiters.emplace_back();
    w.wants = wants;
    EXPECT_FALSE(state.acquire_or_enqueue(w));
    return w;
  }
  permit_state state{0};
  std::deque<permit_waiter> waiters;
};

TEST_F(PermitState, takes_what_is_there_and_no_more) {
  EXPECT_EQ(listed(state.release(3)).size(), 0U);
  EXPECT_FALSE(state.try_acquire(4));
  EXPECT_TRUE(state.try_acquire(2));
  EXPECT_EQ(state.available(), 1U);
  permit_waiter one;
  EXPECT_TRUE(state.acquire_or_enqueue(one));
  EXPECT_EQ(state.available(), 0U);
}

TEST_F(PermitState, nothing_is_always_there) {
  EXPECT_TRUE(state.try_acquire(0));
  permit_waiter nothing;
  nothing.wants = 0;
  EXPECT_TRUE(state.acquire_or_enqueue(nothing));
}

TEST_F(PermitState, P1_permits_are_neither_lost_nor_made) {
  constexpr std::uint64_t all = 10;
  static_cast<void>(state.release(all));
  std::mt19937 random{1};
  std::uint64_t granted = 0;
  std::vector<permit_waiter*> line;
  const auto take = [&](waiter_queue heirs) {
    for (waiter* const heir : listed(heirs)) {
      ASSERT_EQ(heir, line.front());
      granted += line.front()->wants;
      line.erase(line.begin());
    }
  };
  for (int step = 0; step < 20'000; ++step) {
    const std::uint64_t n = 1 + random() % 4;
    switch (random() % 4) {
      case 0:
        if (state.try_acquire(n)) granted += n;
        break;
      case 1: {
        permit_waiter& w = waiters.emplace_back();
        w.wants = n;
        if (state.acquire_or_enqueue(w)) {
          granted += n;
        } else {
          line.push_back(&w);
        }
        break;
      }
      case 2:
        if (granted >= n) {
          granted -= n;
          take(state.release(n));
        }
        break;
      default:
        if (!line.empty()) {
          const std::size_t which = random() % line.size();
          permit_waiter& w = *line[which];
          line.erase(line.begin() + static_cast<std::ptrdiff_t>(which));
          waiter_queue heirs;
          EXPECT_TRUE(state.leave(w, heirs));
          take(heirs);
        }
    }
    ASSERT_EQ(state.available() + granted, all);
    // P2
    ASSERT_TRUE(line.empty() || line.front()->wants > state.available());
    ASSERT_EQ(state.is_waited(), !line.empty());
  }
}

TEST_F(PermitState, P2_the_first_in_line_wants_more_than_there_is) {
  static_cast<void>(state.release(1));
  const permit_waiter& two = enqueue(2);
  EXPECT_EQ(state.available(), 1U);
  EXPECT_EQ(listed(state.release(1)),
            std::vector<waiter*>{const_cast<permit_waiter*>(&two)});
  EXPECT_EQ(state.available(), 0U);
}

TEST_F(PermitState, P3_a_large_request_is_not_overtaken_by_small_ones) {
  permit_waiter& large = enqueue(5);
  permit_waiter& small = enqueue(1);
  EXPECT_EQ(listed(state.release(4)).size(), 0U);
  EXPECT_FALSE(state.try_acquire(1));
  EXPECT_EQ(listed(state.release(2)), (std::vector<waiter*>{&large, &small}));
  EXPECT_EQ(state.available(), 0U);
}

TEST_F(PermitState, the_number_can_be_replaced) {
  EXPECT_TRUE(listed(state.replace(1)).empty());
  EXPECT_TRUE(listed(state.replace(1)).empty());
  EXPECT_EQ(state.available(), 1U);
  EXPECT_TRUE(listed(state.replace(0)).empty());
  permit_waiter& a = enqueue(1);
  permit_waiter& b = enqueue(1);
  EXPECT_TRUE(listed(state.replace(0)).empty());
  EXPECT_EQ(listed(state.replace(1)), std::vector<waiter*>{&a});
  EXPECT_EQ(state.available(), 0U);
  EXPECT_EQ(listed(state.replace(2)), std::vector<waiter*>{&b});
  EXPECT_EQ(state.available(), 1U);
}

TEST_F(PermitState, a_departure_lets_in_the_waiters_behind_it) {
  static_cast<void>(state.release(2));
  permit_waiter& large = enqueue(5);
  permit_waiter& a = enqueue(1);
  permit_waiter& b = enqueue(1);
  waiter_queue heirs;
  EXPECT_TRUE(state.leave(large, heirs));
  EXPECT_EQ(listed(heirs), (std::vector<waiter*>{&a, &b}));
  EXPECT_FALSE(state.leave(a, heirs));
  EXPECT_TRUE(heirs.empty());
  EXPECT_FALSE(state.is_waited());
}

}  // namespace
}  // namespace hotseat::detail
