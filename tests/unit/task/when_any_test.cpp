// hotseat/tests/unit/task/when_any_test.cpp — the first result; the others are told to
// stop.
#include <gtest/gtest.h>

#include <concepts>
#include <cstddef>
#include <hotseat/runtime/thread_pool.hpp>
#include <hotseat/sched/reschedule.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/task.hpp>
#include <hotseat/task/this_task.hpp>
#include <hotseat/task/when_any.hpp>
#include <initializer_list>
#include <memory>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <support/probes.hpp>
#include <support/tasks.hpp>
#include <utility>
#include <variant>
#include <vector>

namespace hotseat {
namespace {

using testing::fail;
using testing::lend;
using testing::nothing;
using testing::number;
using testing::own;
using testing::own_for_good;
using testing::refer_to;
using testing::text;
using testing::vector_of;

using testing::manual_executor;

/// Goes on until it is told to stop.
task<int> loop_until_stopped(int& turns) {
  const std::stop_token token = co_await this_task::stop_token();
  while (!token.stop_requested()) {
    ++turns;
    co_await reschedule();
  }
  co_return -1;
}

template <class T>
testing::owned keep(task<T> t, std::optional<T>& result) {
  result.emplace(co_await t);
}

template <class T>
T run_by_turns(task<T> t) {
  manual_executor ex{1};
  std::optional<T> result;
  testing::owned driver = keep(std::move(t), result);
  driver.start_on(ex);
  ex.run_all();
  EXPECT_TRUE(driver.done());
  return std::move(result.value());
}

TEST(WhenAny, gives_the_index_and_the_value_of_the_first) {
  int turns = 0;
  const auto result = run_by_turns(when_any(loop_until_stopped(turns), number(7)));
  EXPECT_EQ(result.index, 1U);
  EXPECT_EQ(result.value, 7);
  const int& same = result;
  EXPECT_EQ(same, 7);
}

TEST(WhenAny, the_losers_are_asked_to_stop_and_awaited) {
  int turns = 0;
  int other_turns = 0;
  const auto result = run_by_turns(
      when_any(loop_until_stopped(turns), loop_until_stopped(other_turns), number(1)));
  EXPECT_EQ(result.index, 2U);
  EXPECT_GT(turns, 0) << "it ran, and the whole thing ended: so it was stopped";
}

TEST(WhenAny, a_loser_that_ends_later_does_not_change_the_result) {
  EXPECT_EQ(run_by_turns(when_any(number(1), number(2), number(3))).index, 0U);
}

TEST(WhenAny, different_types_give_a_variant_with_the_same_index) {
  int turns = 0;
  using expected = when_any_result<std::variant<int, std::string, std::monostate>>;
  const auto first =
      run_by_turns(when_any(loop_until_stopped(turns), text("two"), nothing()));
  static_assert(std::same_as<decltype(first), const expected>);
  EXPECT_EQ(first.index, first.value.index());
}

TEST(WhenAny, tasks_without_a_result_give_the_index) {
  const auto result = run_by_turns(when_any(nothing(), nothing()));
  static_assert(std::same_as<decltype(result), const when_any_result<void>>);
  EXPECT_EQ(result.index, 0U);
}

TEST(WhenAny, of_a_vector) {
  std::vector<task<int>> tasks;
  int turns = 0;
  tasks.push_back(loop_until_stopped(turns));
  tasks.push_back(number(8));
  const auto result = run_by_turns(when_any(std::move(tasks)));
  EXPECT_EQ(result.index, 1U);
  EXPECT_EQ(result.value, 8);
}

TEST(WhenAny, of_a_vector_of_tasks_without_results) {
  std::vector<task<>> tasks;
  tasks.push_back(nothing());
  EXPECT_EQ(run_by_turns(when_any(std::move(tasks))).index, 0U);
}

TEST(WhenAny, gives_what_can_only_be_moved) {
  auto result = run_by_turns(when_any(own(3), own(4)));
  EXPECT_EQ(*result.value, 3);
}

TEST(WhenAny, gives_what_can_only_be_moved_among_other_types_and_of_a_vector) {
  auto among = run_by_turns(when_any(own(3), text("two")));
  ASSERT_EQ(among.index, 0U);
  EXPECT_EQ(*std::get<0>(among.value), 3);
  auto first = run_by_turns(when_any(vector_of(own(4), own(5))));
  EXPECT_EQ(*first.value, 4);
}

TEST(WhenAny, const_results_and_rvalue_references_are_moved_out) {
  auto target = std::make_unique<int>(5);
  using expected = when_any_result<std::unique_ptr<int>>;
  const auto kept = run_by_turns(when_any(own_for_good(4), own_for_good(4)));
  const auto kept_first = run_by_turns(when_any(vector_of(own_for_good(4))));
  const auto lent = run_by_turns(when_any(vector_of(lend(target))));
  static_assert(std::same_as<decltype(kept), const expected>);
  static_assert(std::same_as<decltype(kept_first), const expected>);
  static_assert(std::same_as<decltype(lent), const expected>);
  EXPECT_EQ(*kept.value + *kept_first.value + *lent.value, 13);
}

/// Like the lists of JSON libraries: in braces, one of them becomes a list of one.
struct list_of_anything {
  list_of_anything() = default;
  list_of_anything(std::initializer_list<list_of_anything> elements)
      : size{elements.size()} {}
  std::size_t size = 0;
};
task<list_of_anything> empty_list() { co_return list_of_anything(); }

TEST(WhenAny, a_container_of_anything_is_not_put_into_another_one) {
  EXPECT_EQ(run_by_turns(when_any(empty_list(), empty_list())).value.size, 0U);
}

TEST(WhenAny, a_reference_stays_one) {
  int target = 4;
  auto result = run_by_turns(when_any(refer_to(target), refer_to(target)));
  static_assert(std::same_as<decltype(result), when_any_result<int&>>);
  EXPECT_EQ(&result.value, &target);
}

TEST(WhenAny, among_other_types_a_reference_is_wrapped) {
  int target = 4;
  const auto result = run_by_turns(when_any(refer_to(target), text("two")));
  ASSERT_EQ(result.index, 0U);
  EXPECT_EQ(&std::get<0>(result.value).get(), &target);
}

TEST(WhenAny, of_a_vector_of_references) {
  int target = 4;
  std::vector<task<int&>> tasks;
  tasks.push_back(refer_to(target));
  const auto result = run_by_turns(when_any(std::move(tasks)));
  EXPECT_EQ(&result.value, &target);
}

TEST(WhenAny, an_exception_of_the_first_is_thrown) {
  testing::immediate_executor now;
  EXPECT_THROW(sync_wait(now, when_any(fail<int>(), fail<int>())), std::runtime_error);
}

task<int> fail_when_stopped() {
  const std::stop_token token = co_await this_task::stop_token();
  while (!token.stop_requested()) co_await reschedule();
  throw std::runtime_error{"stopped"};
}

TEST(WhenAny, an_exception_of_a_loser_is_dropped) {
  EXPECT_EQ(run_by_turns(when_any(fail_when_stopped(), number(5))).value, 5);
}

TEST(WhenAny, of_an_empty_vector_throws) {
  testing::immediate_executor now;
  EXPECT_THROW(sync_wait(now, when_any(std::vector<task<int>>{})), std::invalid_argument);
}

TEST(WhenAny, a_stop_request_from_above_reaches_the_children) {
  testing::immediate_executor now;
  std::stop_source source;
  source.request_stop();
  int turns = 0;
  const auto result =
      sync_wait(now, when_any(loop_until_stopped(turns), loop_until_stopped(turns)),
                source.get_token());
  EXPECT_EQ(result.value, -1);
  EXPECT_EQ(turns, 0);
}

TEST(WhenAny, one_of_many_on_a_pool_of_threads) {
  thread_pool pool{3};
  for (int round = 0; round < 50; ++round) {
    std::vector<task<int>> tasks;
    std::vector<int> turns(4);
    for (int& each : turns) tasks.push_back(loop_until_stopped(each));
    tasks.push_back(number(round));
    const auto result = sync_wait(pool, when_any(std::move(tasks)));
    EXPECT_EQ(result.index, 4U);
    EXPECT_EQ(result.value, round);
  }
}

}  // namespace
}  // namespace hotseat
