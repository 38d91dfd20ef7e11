// hotseat/tests/unit/task/sleep_test.cpp — not before the time has come, unless told to
// stop.
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <hotseat/platform/seam.hpp>
#include <hotseat/runtime/thread_pool.hpp>
#include <hotseat/sched/current.hpp>
#include <hotseat/task/sleep.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/task.hpp>
#include <hotseat/task/task_group.hpp>
#include <hotseat/task/when_all.hpp>
#include <hotseat/task/when_any.hpp>
#include <memory>
#include <optional>
#include <stop_token>
#include <support/probes.hpp>
#include <support/refused_threads.hpp>
#include <system_error>
#include <utility>
#include <vector>

namespace hotseat {
namespace {

using namespace std::chrono_literals;

task<bool> sleep_then_look(platform::clock::duration time, bool& is_late_enough) {
  const auto start = platform::now();
  const bool has_rung = co_await sleep_for(time);
  is_late_enough = platform::now() >= start + time;
  co_return has_rung;
}

TEST(Sleep, continues_when_the_time_has_come_and_not_before) {
  thread_pool pool{1};
  bool is_late_enough = false;
  EXPECT_TRUE(sync_wait(pool, sleep_then_look(3ms, is_late_enough)));
  EXPECT_TRUE(is_late_enough);
}

task<bool> sleep_till(platform::clock::time_point due) {
  co_return co_await sleep_until(due);
}

TEST(Sleep, a_time_that_has_passed_does_not_suspend) {
  testing::immediate_executor now;  // It keeps no time.
  EXPECT_TRUE(sync_wait(now, sleep_till(platform::now() - 1s)));
}

template <class Time>
task<bool> sleep_till_any(Time due) {
  co_return co_await sleep_until(due);
}

TEST(Sleep, the_time_may_be_that_of_any_clock) {
  testing::immediate_executor now;  // It keeps no time.
  EXPECT_TRUE(sync_wait(now, sleep_till_any(std::chrono::system_clock::now() - 1s)));
  thread_pool pool{1};
  EXPECT_TRUE(sync_wait(pool, sleep_till_any(std::chrono::system_clock::now() + 1ms)));
  EXPECT_TRUE(sync_wait(pool, sleep_till_any(platform::now() + 0.5ms)));
}

task<bool> sleep_long(std::chrono::hours time) { co_return co_await sleep_for(time); }

TEST(Sleep, a_stop_request_before_the_sleep_ends_it_at_once) {
  thread_pool pool{1};
  std::stop_source source;
  source.request_stop();
  EXPECT_FALSE(sync_wait(pool, sleep_long(1h), source.get_token()));
}

task<bool> only_a_loser() { co_return co_await sleep_for(1h); }
task<bool> quick() { co_return co_await sleep_for(1ms); }

TEST(Sleep, a_stop_request_wakes_the_sleeper) {
  thread_pool pool{2};
  const auto first = sync_wait(pool, when_any(only_a_loser(), quick()));
  EXPECT_EQ(first.index, 1U);
  EXPECT_TRUE(first.value);
}

TEST(Sleep, for_longer_than_the_clock_can_say_is_for_ever) {
  thread_pool pool{1};
  std::stop_source source;
  source.request_stop();
  EXPECT_FALSE(sync_wait(pool, sleep_long(std::chrono::hours::max()), source.get_token()));
}

task<> sleep_and_note(std::optional<bool>& has_rung) { has_rung = co_await sleep_for(1h); }

TEST(Sleep, a_pool_that_is_destroyed_wakes_its_sleepers_early) {
  std::optional<bool> has_rung;
  auto pool = std::make_unique<thread_pool>(2U);
  task_group group{*pool};
  group.spawn(sleep_and_note(has_rung));
  pool.reset();
  ASSERT_TRUE(has_rung.has_value());
  EXPECT_FALSE(*has_rung);
}

testing::owned sleep_on(std::optional<bool>& has_rung) {
  has_rung = co_await sleep_for(1h);
}

TEST(Sleep, the_alarm_sends_the_sleeper_home) {
  testing::manual_executor ex;
  std::optional<bool> has_rung;
  testing::owned sleeper = sleep_on(has_rung);
  sleeper.start_on(ex);
  ex.run_all();
  EXPECT_FALSE(ex.clock.is_empty());
  ex.clock.ring_all();
  EXPECT_TRUE(ex.is_ready(sleeper.handle()));
  ex.run_all();
  EXPECT_EQ(has_rung, false) << "by the time of the day, it was woken an hour too early";
}

TEST(Sleep, a_sleeper_that_is_destroyed_takes_its_alarm_along) {
  testing::manual_executor ex;
  std::optional<bool> has_rung;
  {
    testing::owned sleeper = sleep_on(has_rung);
    sleeper.start_on(ex);
    ex.run_all();
  }
  EXPECT_TRUE(ex.clock.is_empty());
  EXPECT_FALSE(has_rung.has_value());
}

TEST(Sleep, a_closed_clock_lets_no_task_fall_asleep) {
  testing::manual_executor ex;
  ex.clock.close();
  std::optional<bool> has_rung;
  testing::owned sleeper = sleep_on(has_rung);
  sleeper.start_on(ex);
  ASSERT_TRUE(ex.step());
  EXPECT_EQ(has_rung, false);
}

task<std::uint32_t> sleep_with_locks() {
  detail::current().locks_held = 2;
  co_await sleep_for(1ms);
  const std::uint32_t after = detail::current().locks_held;
  detail::current().locks_held = 0;
  co_return after;
}

TEST(Sleep, the_sleeper_keeps_its_count_of_locks) {
  thread_pool pool{2};
  EXPECT_EQ(sync_wait(pool, sleep_with_locks()), 2U);
}

task<> sleep_a_little(int milliseconds, bool& is_late_enough) {
  const auto due = platform::now() + std::chrono::milliseconds{milliseconds};
  co_await sleep_until(due);
  is_late_enough = platform::now() >= due;
}

TEST(Sleep, a_thousand_sleepers_all_wake_up) {
  thread_pool pool{2};
  const auto results = std::make_unique<bool[]>(1000);
  std::vector<task<>> tasks;
  for (int i = 0; i < 1000; ++i) {
    tasks.push_back(sleep_a_little(i % 7, results[static_cast<std::size_t>(i)]));
  }
  sync_wait(pool, when_all(std::move(tasks)));
  for (std::size_t i = 0; i < 1000; ++i) EXPECT_TRUE(results[i]);
}

task<bool> try_to_sleep() {
  bool has_slept = false;
  try {
    has_slept = co_await sleep_for(1ms);
  } catch (const std::system_error&) {
    co_return false;
  }
  co_return has_slept;
}

TEST(Sleep, no_thread_for_the_clock_is_an_exception_and_the_next_sleep_tries_again) {
  thread_pool pool{1};
  {
    const testing::refused_threads refusing;
    EXPECT_FALSE(sync_wait(pool, try_to_sleep()));
  }
  EXPECT_TRUE(sync_wait(pool, try_to_sleep()));
}

}  // namespace
}  // namespace hotseat
