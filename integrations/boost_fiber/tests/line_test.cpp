// integrations/boost_fiber/tests/line_test.cpp — the order of the waiters in a line.
#include <hotseat/boost_fiber/detail/waiter.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

namespace hotseat::boost_fiber::detail {
namespace {

/// Waiters with homes; homes and fibers are only addresses here.
class Line : public testing::Test {
 protected:
  waiter& add(scheduler* home) {
    waiter& one = make(home);
    line_.push_back(one);
    return one;
  }
  waiter& make(scheduler* home) {
    all_.push_back(std::make_unique<waiter>(*context::active()));
    all_.back()->home = home;
    return *all_.back();
  }
  waiter* take() {
    waiter* const one = line_.first();
    if (one != nullptr) line_.pop(*one);
    return one;
  }
  scheduler* home(std::size_t i) { return reinterpret_cast<scheduler*>(&places_[i]); }

  line line_;
  std::array<long, 4> places_{};
  std::vector<std::unique_ptr<waiter>> all_;
};

TEST_F(Line, L1_a_cohort_is_served_in_order_of_arrival) {
  waiter& a = add(home(0));
  waiter& b = add(home(0));
  waiter& c = add(home(0));
  EXPECT_EQ(take(), &a);
  EXPECT_EQ(take(), &b);
  EXPECT_EQ(take(), &c);
  EXPECT_TRUE(line_.is_empty());
}

TEST_F(Line, L2_each_home_has_one_cohort) {
  waiter& a = add(home(0));
  waiter& b = add(home(1));
  waiter& c = add(nullptr);
  waiter& d = add(home(1));
  EXPECT_EQ(line_.first_of(home(1)), &b);
  EXPECT_EQ(line_.first_of(nullptr), &c);
  EXPECT_EQ(line_.first_of(home(2)), nullptr);
  line_.pop(b);
  EXPECT_EQ(line_.first_of(home(1)), &d);
  EXPECT_EQ(take(), &a);
  EXPECT_EQ(take(), &d);
  EXPECT_EQ(take(), &c);
}

TEST_F(Line, a_cohort_can_be_moved_back) {
  waiter& a = add(home(0));
  waiter& b = add(home(1));
  waiter& c = add(home(0));
  line_.move_back(a);
  EXPECT_EQ(take(), &b);
  EXPECT_EQ(take(), &a);
  EXPECT_EQ(take(), &c);
  EXPECT_TRUE(line_.is_empty());
}

TEST_F(Line, one_that_came_too_late_is_first_again) {
  waiter& a = add(home(0));
  waiter& b = add(home(1));
  waiter& late = make(home(1));
  line_.push_front(late);
  waiter& alone = make(home(2));
  line_.push_front(alone);
  EXPECT_EQ(take(), &alone);
  EXPECT_EQ(take(), &late);
  EXPECT_EQ(take(), &b);
  EXPECT_EQ(take(), &a);
  EXPECT_TRUE(line_.is_empty());
}

TEST_F(Line, one_can_leave_from_anywhere) {
  for (std::size_t leaves = 0; leaves < 3; ++leaves) {
    add(home(1));
    std::vector<waiter*> cohort;
    for (int i = 0; i < 3; ++i) cohort.push_back(&add(home(0)));
    EXPECT_TRUE(line_.remove(*cohort[leaves]));
    EXPECT_FALSE(line_.remove(*cohort[leaves]));
    waiter& last = add(home(0));
    cohort.erase(cohort.begin() + static_cast<std::ptrdiff_t>(leaves));
    cohort.push_back(&last);
    take();
    for (waiter* const each : cohort) EXPECT_EQ(take(), each);
    EXPECT_TRUE(line_.is_empty());
  }
}

}  // namespace
}  // namespace hotseat::boost_fiber::detail
