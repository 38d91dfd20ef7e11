// hotseat/tests/unit/task/synchronized_test.cpp — a value that can be accessed only in a
// section.
#include <gtest/gtest.h>

#include <chrono>
#include <hotseat/core/waiter.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/synchronized.hpp>
#include <hotseat/task/task.hpp>
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

testing::owned occupy(synchronized<int>& value, waiter_queue& line) {
  auto section = [&line](int&) -> task<> { co_await testing::stand_in(line); };
  co_await value.with(section);
}

TEST(Synchronized, a_try_calls_at_once_or_not_at_all) {
  testing::manual_executor ex;
  synchronized<int> value;
  const auto raise_it = [](int& i) { return ++i; };
  const std::optional<int> first = value.try_with(raise_it);
  EXPECT_EQ(first, 1);
  EXPECT_TRUE(value.try_with([](int& i) { ++i; }));

  waiter_queue pause;
  testing::owned inside = occupy(value, pause);
  inside.start_on(ex);
  ex.run_all();
  EXPECT_EQ(value.try_with(raise_it), std::nullopt);
  EXPECT_FALSE(value.try_with([](int& i) { ++i; }));
  dispatch_task(pause.pop_front());
  ex.run_all();
  EXPECT_EQ(value.try_with(raise_it), 3);
}

TEST(Synchronized, a_section_with_limits_is_called_in_time_or_not_at_all) {
  testing::manual_executor ex;
  testing::immediate_executor now;
  synchronized<int> value;
  const auto raise_it = [](int& i) { return ++i; };
  EXPECT_EQ(sync_wait(now, value.with(1h, raise_it)), 1);

  waiter_queue pause;
  testing::owned inside = occupy(value, pause);
  inside.start_on(ex);
  ex.run_all();
  std::stop_source stopped;
  stopped.request_stop();
  EXPECT_EQ(sync_wait(now, value.with(stopped.get_token(), raise_it)), std::nullopt);
  EXPECT_FALSE(sync_wait(now, value.with(stopped.get_token(), [](int& i) { ++i; })));
  dispatch_task(pause.pop_front());
  ex.run_all();
  EXPECT_EQ(sync_wait(now, value.with({1h, stopped.get_token()}, raise_it)), 2);
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
    ex.run_all();  // It waits behind this task.
    throw std::runtime_error{"inside"};
  };
  EXPECT_THROW(static_cast<void>(value.try_with(fail)), std::runtime_error);
  EXPECT_TRUE(ex.is_ready(next.handle())) << "dispatched";
  ex.run_all();
  EXPECT_EQ(value.try_with([](int& i) { return i; }), 1);
}

}  // namespace
}  // namespace hotseat
