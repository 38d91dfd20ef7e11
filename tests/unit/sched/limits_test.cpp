// hotseat/tests/unit/sched/limits_test.cpp — a wait ends once: granted, too late, or told
// to stop.
#include <gtest/gtest.h>

#include <chrono>
#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/waiter_line.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sched/limits.hpp>
#include <optional>
#include <ratio>
#include <stop_token>
#include <support/probes.hpp>
#include <system_error>
#include <thread>
#include <type_traits>

namespace hotseat {
namespace {

using namespace std::chrono_literals;
using testing::manual_executor;
using time = platform::clock::time_point;

static_assert(!std::is_copy_constructible_v<limits>);

/// A place in a line that can be left.
struct place : line_waiter {
  explicit place(waiter_line& in) : line{in} {}
  static bool leave(line_waiter& who) noexcept {
    if (!who.is_in_line) return false;
    static_cast<place&>(who).line.remove(who);
    return true;
  }
  waiter_line& line;
};

/// Does what an operation does: prepare, join, arm.
class Limits : public ::testing::Test {
 protected:
  limits& make(wait_limits what) {
    return wait.emplace(static_cast<line_waiter&>(who), &place::leave, what);
  }
  void join() {
    who.task = task.handle();
    who.home = &ex;
    line.push_back(who);
  }
  /// Returns whether the task is suspended now.
  [[nodiscard]] bool begin(wait_limits what) {
    const testing::worker_scope scope{ex};
    make(what).prepare();
    join();
    return wait->arm();
  }
  /// Returns whether whoever grants must make the task run.
  [[nodiscard]] bool grant() { return line.pop_front().settle(outcome::granted); }
  [[nodiscard]] bool is_made_ready() const { return ex.is_ready(task.handle()); }

  const time in_an_hour = platform::now() + 1h;
  manual_executor ex{1};
  waiter_line line;
  std::stop_source source;
  testing::owned task = testing::do_nothing();
  place who{line};
  std::optional<limits> wait;
};

TEST_F(Limits, without_any_the_wait_lasts_until_it_is_granted) {
  ASSERT_TRUE(begin({}));
  EXPECT_TRUE(ex.clock.is_empty());
  EXPECT_TRUE(grant());
  EXPECT_EQ(wait->how_it_ended(), outcome::granted);
}

TEST_F(Limits, one_that_is_granted_in_time_is_not_ended_again) {
  ASSERT_TRUE(begin({in_an_hour, source.get_token()}));
  ASSERT_TRUE(grant());
  ex.clock.ring_all();
  source.request_stop();
  EXPECT_FALSE(is_made_ready());
  EXPECT_EQ(wait->how_it_ended(), outcome::granted);
}

TEST_F(Limits, the_alarm_takes_it_out_of_the_line_and_sends_it_home) {
  ASSERT_TRUE(begin({in_an_hour, {}}));
  ex.clock.advance_to(in_an_hour - 1ns);
  EXPECT_FALSE(is_made_ready());
  ex.clock.advance_to(in_an_hour);
  EXPECT_TRUE(is_made_ready());
  EXPECT_TRUE(line.empty());
  EXPECT_EQ(wait->how_it_ended(), outcome::left);
  EXPECT_FALSE(wait->is_cut_short());
}

TEST_F(Limits, a_stop_request_takes_it_out_of_the_line_and_sends_it_home) {
  ASSERT_TRUE(begin({std::nullopt, source.get_token()}));
  source.request_stop();
  EXPECT_TRUE(is_made_ready());
  EXPECT_TRUE(line.empty());
  EXPECT_EQ(wait->how_it_ended(), outcome::left);
}

TEST_F(Limits, alarm_and_stop_request_end_it_once) {
  ASSERT_TRUE(begin({in_an_hour, source.get_token()}));
  ex.clock.ring_all();
  source.request_stop();
  EXPECT_EQ(ex.requests().size(), 1U);
}

TEST_F(Limits, a_stop_request_from_before_ends_it_without_a_suspension) {
  source.request_stop();
  EXPECT_FALSE(begin({in_an_hour, source.get_token()}));
  EXPECT_FALSE(is_made_ready());
  EXPECT_TRUE(line.empty());
  EXPECT_EQ(wait->how_it_ended(), outcome::left);
}

TEST_F(Limits, an_alarm_that_rings_at_once_ends_it_without_a_suspension) {
  ex.clock.on_set = [this] { ex.clock.ring_all(); };
  EXPECT_FALSE(begin({platform::now(), {}}));
  EXPECT_FALSE(is_made_ready());
  EXPECT_EQ(wait->how_it_ended(), outcome::left);
}

TEST_F(Limits, a_clock_that_is_closed_ends_it_without_a_suspension_and_says_so) {
  ex.clock.close();
  EXPECT_FALSE(begin({in_an_hour, {}}));
  EXPECT_EQ(wait->how_it_ended(), outcome::left);
  EXPECT_TRUE(wait->is_cut_short());
}

TEST_F(Limits, a_clock_that_is_being_closed_cuts_the_wait_short) {
  ASSERT_TRUE(begin({in_an_hour, {}}));
  ex.clock.close();
  EXPECT_TRUE(is_made_ready());
  EXPECT_TRUE(wait->is_cut_short());
}

TEST_F(Limits, one_that_is_granted_while_it_arms_goes_on_by_itself) {
  ex.clock.on_set = [this] { EXPECT_FALSE(grant()); };
  EXPECT_FALSE(begin({in_an_hour, source.get_token()}));
  EXPECT_EQ(wait->how_it_ended(), outcome::granted);
}

TEST_F(Limits, nothing_ends_what_is_disarmed) {
  ASSERT_TRUE(begin({in_an_hour, source.get_token()}));
  wait->disarm();
  wait->disarm();
  EXPECT_TRUE(ex.clock.is_empty());
  source.request_stop();
  EXPECT_TRUE(who.is_in_line);
}

TEST_F(Limits, the_destructor_disarms) {
  ASSERT_TRUE(begin({in_an_hour, source.get_token()}));
  wait.reset();
  EXPECT_TRUE(ex.clock.is_empty());
  source.request_stop();
  EXPECT_TRUE(who.is_in_line);
}

/// Its time in the line is over before it has left it.
struct slow_place : line_waiter {
  static bool leave(line_waiter& who) noexcept {
    auto& self = static_cast<slow_place&>(who);
    self.is_leaving.store(true, std::memory_order_release);
    for (int i = 0; i < 100; ++i) platform::yield_core();
    self.has_left = true;
    return true;
  }
  platform::atomic<bool> is_leaving{false};
  bool has_left = false;
};

TEST_F(Limits, disarm_waits_for_an_end_that_is_under_way_on_another_thread) {
  slow_place slow;
  slow.task = task.handle();
  slow.home = &ex;
  limits ending{slow, &slow_place::leave, {std::nullopt, source.get_token()}};
  ASSERT_TRUE(ending.arm());
  std::thread stopper{[&] { source.request_stop(); }};
  while (!slow.is_leaving.load(std::memory_order_acquire)) platform::yield_core();
  ending.disarm();
  EXPECT_TRUE(slow.has_left);
  EXPECT_TRUE(is_made_ready());
  stopper.join();
}

TEST_F(Limits, no_clock_to_be_had_is_told_before_anything_has_happened) {
  ex.clock.on_start = [] {
    throw std::system_error{
        std::make_error_code(std::errc::resource_unavailable_try_again)};
  };
  const testing::worker_scope scope{ex};
  EXPECT_THROW(make({in_an_hour, {}}).prepare(), std::system_error);
}

TEST_F(Limits, only_a_deadline_needs_an_executor) {
  make({std::nullopt, source.get_token()}).prepare();
  EXPECT_EQ(executor::current(), nullptr);
}

TEST_F(Limits, are_over_as_soon_as_an_end_was_tried) {
  ASSERT_TRUE(begin({in_an_hour, source.get_token()}));
  EXPECT_FALSE(wait->is_over());
  ex.clock.ring_all();
  EXPECT_TRUE(wait->is_over());
}

TEST_F(Limits, are_over_even_if_the_end_came_too_late) {
  ASSERT_TRUE(begin({in_an_hour, source.get_token()}));
  ASSERT_TRUE(grant());
  EXPECT_FALSE(wait->is_over());
  source.request_stop();
  EXPECT_TRUE(wait->is_over());
  EXPECT_EQ(wait->how_it_ended(), outcome::granted);
}

TEST(Deadline, after_a_duration_is_not_before_it_has_passed) {
  const time before = platform::now();
  const time due = deadline_after(2h);
  EXPECT_GE(due, before + 2h);
  EXPECT_LE(due, platform::now() + 2h);
}

TEST(Deadline, of_our_own_clock_is_that_time) {
  const time due = platform::now() + 3s;
  EXPECT_EQ(deadline_at(due), due);
}

TEST(Deadline, of_another_clock_is_as_far_from_now) {
  const time before = platform::now();
  const time due = deadline_at(std::chrono::system_clock::now() + 1h);
  EXPECT_GT(due, before + 59min);
  EXPECT_LT(due, platform::now() + 61min);
}

}  // namespace
}  // namespace hotseat
