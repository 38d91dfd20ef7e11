// hotseat/tests/unit/task/task_test.cpp — lazy, move-only, and what it yields.
#include <gtest/gtest.h>

#include <concepts>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <hotseat/core/awaitable.hpp>
#include <hotseat/platform/config.hpp>
#include <hotseat/sched/run.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/task.hpp>
#include <hotseat/task/this_task.hpp>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <support/probes.hpp>
#include <support/tasks.hpp>
#include <type_traits>
#include <utility>
#include <vector>

namespace hotseat {
namespace {

using testing::drive;
using testing::fail;
using testing::is_asked_to_stop;
using testing::nothing;
using testing::number;
using testing::own;
using testing::refer_to;
using testing::run;

static_assert(!std::is_copy_constructible_v<task<int>>);
static_assert(!std::is_copy_assignable_v<task<int>>);
static_assert(std::is_nothrow_move_constructible_v<task<int>>);
static_assert(std::is_nothrow_move_assignable_v<task<int>>);
static_assert(!std::is_default_constructible_v<task<int>>);
static_assert(std::same_as<task<>, task<void>>);
static_assert(std::same_as<await_result_t<task<int>>, int>);
static_assert(std::same_as<await_result_t<task<int&>>, int&>);
static_assert(std::same_as<await_result_t<task<>>, void>);
static_assert(awaitable<task<int>&>);

task<const int&> refer_to_const(int& target) { co_return target; }
task<std::string> convert() { co_return "text"; }

TEST(Task, gives_the_value_it_returns) {
  EXPECT_EQ(run(number(7)), 7);
  EXPECT_EQ(run(convert()), "text");
  run(nothing());
}

TEST(Task, gives_a_reference_and_not_a_copy) {
  int target = 1;
  EXPECT_EQ(&run(refer_to(target)), &target);
  EXPECT_EQ(&run(refer_to_const(target)), &target);
}

TEST(Task, gives_what_can_only_be_moved) {
  const std::unique_ptr<int> result = run(own(3));
  ASSERT_NE(result, nullptr);
  EXPECT_EQ(*result, 3);
}

TEST(Task, an_exception_reaches_the_awaiting_task) {
  EXPECT_THROW(run(fail<int>()), std::runtime_error);
  EXPECT_THROW(run(fail()), std::runtime_error);
}

task<std::string> catch_below() {
  std::string caught;
  try {
    co_await fail<int>();
  } catch (const std::runtime_error& error) {
    caught = error.what();
  }
  co_return caught;
}

TEST(Task, an_exception_can_be_caught_at_the_await) {
  EXPECT_EQ(run(catch_below()), "failed");
}

task<> note(std::vector<int>& log) {
  log.push_back(2);
  co_return;
}

task<> create_then_await(std::vector<int>& log) {
  task<> child = note(log);
  log.push_back(1);
  co_await child;
  log.push_back(3);
}

TEST(Task, nothing_runs_before_it_is_awaited) {
  std::vector<int> log;
  run(create_then_await(log));
  EXPECT_EQ(log, (std::vector<int>{1, 2, 3}));
}

task<> keep_alive(std::shared_ptr<int> life) {
  ++*life;
  co_return;
}

TEST(Task, one_that_is_never_awaited_does_nothing_and_is_destroyed) {
  const auto life = std::make_shared<int>(0);
  {
    const task<> unused = keep_alive(life);
    EXPECT_EQ(life.use_count(), 2);
  }
  EXPECT_EQ(life.use_count(), 1);
  EXPECT_EQ(*life, 0);
}

task<> wait_with(std::shared_ptr<int> life, waiter_queue& line) {
  co_await testing::stand_in(line);
  ++*life;
}

task<> wait_below(std::shared_ptr<int> life, waiter_queue& line) {
  const auto mine = life;
  co_await wait_with(life, line);
  ++*life;
}

TEST(Task, one_that_is_destroyed_while_it_waits_takes_its_children_with_it) {
  const auto life = std::make_shared<int>(0);
  waiter_queue line;
  {
    const testing::owned driver = drive(wait_below(life, line));
    driver.run();
    EXPECT_GT(life.use_count(), 2);
  }
  EXPECT_EQ(life.use_count(), 1);
  EXPECT_EQ(*life, 0);
}

TEST(Task, a_move_takes_the_coroutine_along) {
  task<int> first = number(5);
  task<int> second = std::move(first);
  EXPECT_FALSE(first.valid());  // NOLINT(bugprone-use-after-move)
  EXPECT_TRUE(second.valid());
  EXPECT_EQ(run(std::move(second)), 5);
}

TEST(Task, an_assignment_destroys_what_was_there_before) {
  const auto old_life = std::make_shared<int>(0);
  const auto new_life = std::make_shared<int>(0);
  task<> t = keep_alive(old_life);
  t = keep_alive(new_life);
  EXPECT_EQ(old_life.use_count(), 1);
  EXPECT_EQ(new_life.use_count(), 2);
  task<>& same = t;
  t = std::move(same);
  EXPECT_TRUE(t.valid());
  run(std::move(t));
  EXPECT_EQ(*new_life, 1);
}

task<std::uint64_t> add_up(std::uint64_t times) {
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < times; ++i)
    sum += static_cast<unsigned>(co_await number(1));
  co_return sum;
}

// At a hundred bytes an await, this would need more stack than a thread has.
TEST(Task, a_million_awaits_in_a_loop_take_no_stack) {
  const std::uint64_t times = config::sanitizes_thread ? 200'000 : 1'000'000;
  EXPECT_EQ(run(add_up(times)), times);
}

task<int> nest(int depth) {
  if (depth == 0) co_return 0;
  co_return 1 + co_await nest(depth - 1);
}

TEST(Task, a_deep_chain_of_awaits_takes_no_stack) {
  EXPECT_EQ(run(nest(100'000)), 100'000);
}

task<int> throw_from(int depth) {
  if (depth == 0) throw std::runtime_error{"deep"};
  co_return co_await throw_from(depth - 1);
}

TEST(Task, an_exception_climbs_the_chain) {
  EXPECT_THROW(run(throw_from(1000)), std::runtime_error);
}

task<bool> ask_below() { co_return co_await is_asked_to_stop(); }

TEST(Task, the_stop_token_travels_down) {
  testing::immediate_executor now;
  std::stop_source source;
  EXPECT_FALSE(sync_wait(now, ask_below(), source.get_token()));
  source.request_stop();
  EXPECT_TRUE(sync_wait(now, ask_below(), source.get_token()));
  EXPECT_FALSE(sync_wait(now, ask_below()));
}

testing::owned await_from_elsewhere(int& result) { result = co_await number(9); }

TEST(Task, can_be_awaited_by_a_coroutine_of_any_type) {
  int result = 0;
  const testing::owned other = await_from_elsewhere(result);
  other.run();
  EXPECT_EQ(result, 9);
}

struct counts_copies {
  int copies = 0;
  int moves = 0;
  counts_copies() = default;
  counts_copies(const counts_copies& o) noexcept : copies{o.copies + 1}, moves{o.moves} {}
  counts_copies(counts_copies&& o) noexcept : copies{o.copies}, moves{o.moves + 1} {}
  counts_copies& operator=(const counts_copies&) = default;
  counts_copies& operator=(counts_copies&&) = default;
  ~counts_copies() = default;
};

task<counts_copies> give() {
  counts_copies local;
  co_return local;
}

TEST(Task, a_result_is_moved_and_never_copied) { EXPECT_EQ(run(give()).copies, 0); }

}  // namespace
}  // namespace hotseat
