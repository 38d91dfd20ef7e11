// hotseat/tests/unit/sched/wait_limits_test.cpp — until when a task waits; and a wait ends
// once: granted, too late, or told to stop.
#include <gtest/gtest.h>

#include <chrono>
#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/waiter_line.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/sched/wait_limits.hpp>
#include <hotseat/sched/worker_scope.hpp>
#include <optional>
#include <stop_token>
#include <support/manual_executor.hpp>
#include <support/probes.hpp>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>

namespace hotseat {
namespace {

using namespace std::chrono_literals;
using testing::manual_executor;
using time = platform::clock::time_point;

// --- The limits.

static_assert(std::is_convertible_v<std::stop_token, wait_limits>);
static_assert(std::is_convertible_v<std::chrono::nanoseconds, wait_limits>);
static_assert(std::is_convertible_v<std::chrono::duration<float>, wait_limits>);
static_assert(std::is_convertible_v<time, wait_limits>);
static_assert(std::is_convertible_v<std::chrono::system_clock::time_point, wait_limits>);
static_assert(!std::is_convertible_v<int, wait_limits>, "of what unit?");
static_assert(!std::is_convertible_v<bool, wait_limits>);
static_assert(std::is_nothrow_constructible_v<wait_limits, std::stop_token>);
static_assert(std::is_nothrow_constructible_v<wait_limits, std::chrono::hours>);

TEST(WaitLimits, there_may_be_none) {
  const wait_limits none;
  EXPECT_EQ(none.due, std::nullopt);
  EXPECT_FALSE(none.stop.stop_possible());
}

TEST(WaitLimits, a_duration_counts_from_now) {
  const time before = platform::now();
  const wait_limits limits = 2h;
  EXPECT_GE(limits.due, before + 2h);
  EXPECT_LE(limits.due, platform::now() + 2h);
  EXPECT_FALSE(limits.stop.stop_possible());
}

TEST(WaitLimits, a_duration_is_rounded_up_to_what_our_clock_can_tell) {
  const time before = platform::now();
  const wait_limits limits = std::chrono::duration<double>{1.5};
  EXPECT_GE(limits.due, before + 1500ms);
  EXPECT_LE(limits.due, platform::now() + 1501ms);
}

TEST(WaitLimits, a_duration_that_is_over_ends_now_and_one_without_end_never) {
  const time before = platform::now();
  const wait_limits over = -1h;
  EXPECT_GE(over.due, before);
  EXPECT_LE(over.due, platform::now());
  const wait_limits never = std::chrono::hours::max();
  EXPECT_EQ(never.due, time::max());
}

TEST(WaitLimits, a_time_of_our_own_clock_is_that_time) {
  const time due = platform::now() + 3s;
  const wait_limits limits = due;
  EXPECT_EQ(limits.due, due);
}

TEST(WaitLimits, a_time_of_another_clock_is_as_far_from_now) {
  const time before = platform::now();
  const wait_limits limits = std::chrono::system_clock::now() + 1h;
  EXPECT_GT(limits.due, before + 59min);
  EXPECT_LT(limits.due, platform::now() + 61min);
}

TEST(WaitLimits, a_token_may_come_alone_or_with_a_time) {
  const std::stop_source source;
  const wait_limits alone = source.get_token();
  EXPECT_EQ(alone.due, std::nullopt);
  EXPECT_EQ(alone.stop, source.get_token());
  const wait_limits with_duration{1h, source.get_token()};
  EXPECT_TRUE(with_duration.due.has_value());
  EXPECT_EQ(with_duration.stop, source.get_token());
  const wait_limits with_time{platform::now(), source.get_token()};
  EXPECT_TRUE(with_time.due.has_value());
  EXPECT_EQ(with_time.stop, source.get_token());
}

// For the standard library's names.
static_assert(detail::any_duration<std::chrono::duration<double>>);
static_assert(!detail::any_duration<time> && !detail::any_duration<int>);
static_assert(detail::any_time<time> && detail::any_time<std::chrono::sys_days>);
static_assert(!detail::any_time<std::chrono::hours> && !detail::any_time<wait_limits>);

// --- The end.

static_assert(!std::is_copy_constructible_v<detail::early_end>);

/// A place that can leave its line.
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
class EarlyEnd : public ::testing::Test {
 protected:
  detail::early_end& make(wait_limits limits) {
    return wait.emplace(static_cast<line_waiter&>(who), &place::leave, std::move(limits));
  }
  void join() {
    who.task = task.handle();
    who.home = &ex;
    line.push_back(who);
  }
  /// Returns whether the task is suspended now.
  [[nodiscard]] bool begin(wait_limits limits) {
    const worker_scope scope{ex};
    make(std::move(limits)).prepare();
    join();
    return wait->arm();
  }
  /// Returns whether the caller, which grants, must make the task run.
  [[nodiscard]] bool grant() { return line.pop_front().settle(outcome::granted); }
  [[nodiscard]] bool is_made_ready() const { return ex.is_ready(task.handle()); }

  const time in_an_hour = platform::now() + 1h;
  manual_executor ex{1};
  waiter_line line;
  std::stop_source source;
  testing::owned task = testing::do_nothing();
  place who{line};
  std::optional<detail::early_end> wait;
};

TEST_F(EarlyEnd, without_limits_the_wait_lasts_until_it_is_granted) {
  ASSERT_TRUE(begin({}));
  EXPECT_TRUE(ex.clock.is_empty());
  EXPECT_TRUE(grant());
  EXPECT_EQ(wait->how_it_ended(), outcome::granted);
}

TEST_F(EarlyEnd, does_not_come_after_a_grant) {
  ASSERT_TRUE(begin({in_an_hour, source.get_token()}));
  ASSERT_TRUE(grant());
  ex.clock.ring_all();
  source.request_stop();
  EXPECT_FALSE(is_made_ready());
  EXPECT_EQ(wait->how_it_ended(), outcome::granted);
}

TEST_F(EarlyEnd, the_alarm_takes_the_task_out_of_the_line_and_sends_it_home) {
  ASSERT_TRUE(begin({in_an_hour, {}}));
  ex.clock.advance_to(in_an_hour - 1ns);
  EXPECT_FALSE(is_made_ready());
  ex.clock.advance_to(in_an_hour);
  EXPECT_TRUE(is_made_ready());
  EXPECT_TRUE(line.empty());
  EXPECT_EQ(wait->how_it_ended(), outcome::left);
  EXPECT_FALSE(wait->is_cut_short());
}

TEST_F(EarlyEnd, a_stop_request_takes_the_task_out_of_the_line_and_sends_it_home) {
  ASSERT_TRUE(begin({source.get_token()}));
  source.request_stop();
  EXPECT_TRUE(is_made_ready());
  EXPECT_TRUE(line.empty());
  EXPECT_EQ(wait->how_it_ended(), outcome::left);
}

TEST_F(EarlyEnd, alarm_and_stop_request_end_the_wait_once) {
  ASSERT_TRUE(begin({in_an_hour, source.get_token()}));
  ex.clock.ring_all();
  source.request_stop();
  EXPECT_EQ(ex.requests().size(), 1U);
}

TEST_F(EarlyEnd, a_stop_request_from_before_ends_the_wait_without_a_suspension) {
  source.request_stop();
  EXPECT_FALSE(begin({in_an_hour, source.get_token()}));
  EXPECT_FALSE(is_made_ready());
  EXPECT_TRUE(line.empty());
  EXPECT_EQ(wait->how_it_ended(), outcome::left);
}

TEST_F(EarlyEnd, an_alarm_that_rings_at_once_ends_the_wait_without_a_suspension) {
  ex.clock.on_set = [this] { ex.clock.ring_all(); };
  EXPECT_FALSE(begin({platform::now(), {}}));
  EXPECT_FALSE(is_made_ready());
  EXPECT_EQ(wait->how_it_ended(), outcome::left);
}

TEST_F(EarlyEnd, a_closed_clock_ends_the_wait_without_a_suspension_and_says_so) {
  ex.clock.close();
  EXPECT_FALSE(begin({in_an_hour, {}}));
  EXPECT_EQ(wait->how_it_ended(), outcome::left);
  EXPECT_TRUE(wait->is_cut_short());
}

TEST_F(EarlyEnd, a_clock_that_is_being_closed_cuts_the_wait_short) {
  ASSERT_TRUE(begin({in_an_hour, {}}));
  ex.clock.close();
  EXPECT_TRUE(is_made_ready());
  EXPECT_TRUE(wait->is_cut_short());
}

TEST_F(EarlyEnd, a_task_that_is_granted_while_it_arms_goes_on_by_itself) {
  ex.clock.on_set = [this] { EXPECT_FALSE(grant()); };
  EXPECT_FALSE(begin({in_an_hour, source.get_token()}));
  EXPECT_EQ(wait->how_it_ended(), outcome::granted);
}

TEST_F(EarlyEnd, does_not_come_when_it_is_disarmed) {
  ASSERT_TRUE(begin({in_an_hour, source.get_token()}));
  wait->disarm();
  wait->disarm();
  EXPECT_TRUE(ex.clock.is_empty());
  source.request_stop();
  EXPECT_TRUE(who.is_in_line);
}

TEST_F(EarlyEnd, the_destructor_disarms) {
  ASSERT_TRUE(begin({in_an_hour, source.get_token()}));
  wait.reset();
  EXPECT_TRUE(ex.clock.is_empty());
  source.request_stop();
  EXPECT_TRUE(who.is_in_line);
}

/// Leaves its line slowly.
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

TEST_F(EarlyEnd, disarm_waits_for_an_end_that_is_under_way_on_another_thread) {
  slow_place slow;
  slow.task = task.handle();
  slow.home = &ex;
  detail::early_end ending{slow, &slow_place::leave, {source.get_token()}};
  ASSERT_TRUE(ending.arm());
  std::thread stopper{[&] { source.request_stop(); }};
  while (!slow.is_leaving.load(std::memory_order_acquire)) platform::yield_core();
  ending.disarm();
  EXPECT_TRUE(slow.has_left);
  EXPECT_TRUE(is_made_ready());
  stopper.join();
}

TEST_F(EarlyEnd, a_clock_that_cannot_start_throws_before_anything_has_happened) {
  ex.clock.on_start = [] {
    throw std::system_error{
        std::make_error_code(std::errc::resource_unavailable_try_again)};
  };
  const worker_scope scope{ex};
  EXPECT_THROW(make({in_an_hour, {}}).prepare(), std::system_error);
}

TEST_F(EarlyEnd, only_a_deadline_needs_an_executor) {
  make({source.get_token()}).prepare();
  EXPECT_EQ(executor::current(), nullptr);
}

TEST_F(EarlyEnd, is_attempted_when_its_time_has_come) {
  ASSERT_TRUE(begin({in_an_hour, source.get_token()}));
  EXPECT_FALSE(wait->was_attempted());
  ex.clock.ring_all();
  EXPECT_TRUE(wait->was_attempted());
}

TEST_F(EarlyEnd, is_attempted_even_if_it_comes_too_late) {
  ASSERT_TRUE(begin({in_an_hour, source.get_token()}));
  ASSERT_TRUE(grant());
  EXPECT_FALSE(wait->was_attempted());
  source.request_stop();
  EXPECT_TRUE(wait->was_attempted());
  EXPECT_EQ(wait->how_it_ended(), outcome::granted);
}

}  // namespace
}  // namespace hotseat
