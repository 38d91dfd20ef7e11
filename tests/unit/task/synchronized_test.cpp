// hotseat/tests/unit/task/synchronized_test.cpp — a value that can only be touched in a
// section.
#include <gtest/gtest.h>

#include <chrono>
#include <hotseat/core/waiter_queue.hpp>
#include <hotseat/platform/clock.hpp>
#include <hotseat/runtime/thread_pool.hpp>
#include <hotseat/sched/blocking.hpp>
#include <hotseat/sched/dispatch.hpp>
#include <hotseat/sched/reschedule.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/synchronized.hpp>
#include <hotseat/task/task.hpp>
#include <hotseat/task/when_all.hpp>
#include <memory>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <support/manual_executor.hpp>
#include <support/probes.hpp>
#include <utility>
#include <vector>

namespace hotseat {
namespace {

using namespace std::chrono_literals;

TEST(Synchronized, starts_with_the_value_it_is_given) {
  synchronized<int> zero;
  EXPECT_EQ(zero.with_blocking([](int& i) { return i; }), 0);
  synchronized<std::string> text{std::string{"text"}};
  EXPECT_EQ(text.with_blocking([](std::string& s) { return s.size(); }), 4U);
  synchronized<std::vector<int>> three{std::in_place, 3U, 7};
  EXPECT_EQ(three.with_blocking([](std::vector<int>& v) { return v.at(2); }), 7);
  synchronized<std::unique_ptr<int>> owner{std::make_unique<int>(4)};
  EXPECT_EQ(owner.with_blocking([](std::unique_ptr<int>& p) { return *p; }), 4);
}

TEST(Synchronized, a_section_that_throws_leaves_it_unlocked) {
  synchronized<int> value;
  const auto fail = [](int&) { throw std::runtime_error{"inside"}; };
  EXPECT_THROW(value.with_blocking(fail), std::runtime_error);
  testing::immediate_executor now;
  EXPECT_THROW(sync_wait(now, value.with(fail)), std::runtime_error);
  EXPECT_EQ(sync_wait(now, value.with([](int& i) { return ++i; })), 1);
}

TEST(Synchronized, a_try_calls_at_once_or_not_at_all) {
  testing::manual_executor ex;
  synchronized<int> value;
  const auto raise_it = [](int& i) { return ++i; };
  const std::optional<int> first = value.try_with(raise_it);
  EXPECT_EQ(first, 1);
  EXPECT_TRUE(value.try_with([](int& i) { ++i; }));

  waiter_queue pause;
  const auto occupy = [](synchronized<int>& v, waiter_queue& line) -> testing::owned {
    auto section = [&line](int&) -> task<> { co_await testing::stand_in(line); };
    co_await v.with(section);
  };
  testing::owned inside = occupy(value, pause);
  inside.start_on(ex);
  ex.run_all();
  EXPECT_EQ(value.try_with(raise_it), std::nullopt);
  EXPECT_FALSE(value.try_with([](int& i) { ++i; }));
  dispatch_task(pause.pop_front());
  ex.run_all();
  EXPECT_EQ(value.try_with(raise_it), 3);
}

TEST(Synchronized, a_try_that_throws_leaves_it_unlocked_and_lets_the_next_in) {
  testing::manual_executor ex;
  synchronized<int> value;
  const auto raise_it = [](synchronized<int>& v) -> testing::owned {
    co_await v.with([](int& i) { ++i; });
  };
  testing::owned next = raise_it(value);
  const auto fail = [&](int&) {
    next.start_on(ex);
    ex.run_all();  // It waits behind us.
    throw std::runtime_error{"inside"};
  };
  EXPECT_THROW(static_cast<void>(value.try_with(fail)), std::runtime_error);
  EXPECT_TRUE(ex.is_ready(next.handle())) << "dispatched";
  ex.run_all();
  EXPECT_EQ(value.try_with([](int& i) { return i; }), 1);
}

testing::owned try_to_raise(synchronized<int>& value, std::stop_token stop,
                            std::vector<std::optional<int>>& results) {
  const auto raise = [](int& i) { return ++i; };
  results.push_back(co_await value.with_for(1h, raise));
  results.push_back(co_await value.with_until(platform::now() + 1h, raise));
  results.push_back(co_await value.with(stop, raise));
  const bool is_raised = co_await value.with(stop, [](int& i) { ++i; });
  results.emplace_back(is_raised ? 1 : 0);
}

TEST(Synchronized, a_section_may_be_limited) {
  testing::manual_executor ex;
  synchronized<int> value;
  std::stop_source source;
  std::vector<std::optional<int>> results;
  testing::owned in_time = try_to_raise(value, source.get_token(), results);
  in_time.start_on(ex);
  ex.run_all();
  EXPECT_EQ(results, (std::vector<std::optional<int>>{1, 2, 3, 1}));

  results.clear();
  waiter_queue pause;
  const auto occupy = [](synchronized<int>& v, waiter_queue& line) -> testing::owned {
    auto section = [&line](int&) -> task<> { co_await testing::stand_in(line); };
    co_await v.with(section);
  };
  testing::owned inside = occupy(value, pause);
  inside.start_on(ex);
  ex.run_all();
  testing::owned late = try_to_raise(value, source.get_token(), results);
  late.start_on(ex);
  for (int i = 0; i < 2; ++i) {
    ex.run_all();
    ex.clock.ring_all();
  }
  ex.run_all();
  source.request_stop();
  ex.run_all();
  EXPECT_EQ(results, (std::vector<std::optional<int>>{{}, {}, {}, 0}));
  dispatch_task(pause.pop_front());
  ex.run_all();
  EXPECT_EQ(value.with_blocking([](int& i) { return i; }), 4);
  EXPECT_EQ(block_on(value.with_for(1h, [](int& i) { return ++i; })), 5);
}

task<> raise(synchronized<long>& value, int times) {
  for (int i = 0; i < times; ++i) {
    co_await value.with([](long& v) { ++v; });
  }
}

task<long> raise_slowly(long& value) {
  const long seen = value;
  co_await reschedule();
  value = seen + 1;
  co_return value;
}

task<> raise_all_slowly(synchronized<long>& value, int times) {
  for (int i = 0; i < times; ++i) {
    co_await value.with(raise_slowly);
  }
}

TEST(Synchronized, sections_do_not_overlap_whether_they_suspend_or_not) {
  constexpr int tasks = 8;
  constexpr int times = 100;
  thread_pool pool{3};
  synchronized<long> value;
  std::vector<task<>> all;
  for (int i = 0; i < tasks; ++i) {
    all.push_back(raise(value, times));
    all.push_back(raise_all_slowly(value, times));
  }
  sync_wait(pool, when_all(std::move(all)));
  EXPECT_EQ(value.with_blocking([](long& v) { return v; }), 2 * tasks * times);
}

}  // namespace
}  // namespace hotseat
