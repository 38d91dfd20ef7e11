// hotseat/tests/unit/task/when_all_settled_test.cpp — how each of several tasks ended.
#include <gtest/gtest.h>

#include <concepts>
#include <cstddef>
#include <exception>
#include <hotseat/runtime/thread_pool.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/task.hpp>
#include <hotseat/task/when_all_settled.hpp>
#include <memory>
#include <stdexcept>
#include <string>
#include <support/tasks.hpp>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace hotseat {
namespace {

using testing::count;
using testing::fail;
using testing::nothing;
using testing::number;
using testing::own;
using testing::own_for_good;
using testing::refer_to;
using testing::run;
using testing::text;
using testing::vector_of;

std::string message_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::runtime_error& thrown) {
    return thrown.what();
  }
  return "";
}

TEST(WhenAllSettled, gives_each_result_or_exception_in_the_order_of_the_arguments) {
  const auto [a, b, c, d] =
      run(when_all_settled(number(1), fail<int>("second"), text("three"), fail("fourth")));
  static_assert(std::same_as<decltype(b), const settled<int>>);
  static_assert(std::same_as<decltype(d), const settled<void>>);
  EXPECT_TRUE(a && c);
  EXPECT_FALSE(b || d);
  EXPECT_EQ(*a, 1);
  EXPECT_EQ(c->size(), 5U);
  EXPECT_EQ(message_of(b.error()), "second");
  EXPECT_EQ(message_of(d.error()), "fourth");
  EXPECT_EQ(a.error(), nullptr);
}

TEST(WhenAllSettled, all_have_ended) {
  int ended = 0;
  const auto all = run(when_all_settled(count(ended), fail(), count(ended)));
  static_assert(std::tuple_size_v<decltype(all)> == 3);
  EXPECT_EQ(ended, 2);
  EXPECT_TRUE(std::get<0>(all).has_value());
  EXPECT_FALSE(std::get<1>(all).has_value());
}

TEST(WhenAllSettled, of_a_vector_gives_a_vector_also_of_tasks_without_results) {
  const auto numbers = run(when_all_settled(vector_of(number(1), fail<int>("b"))));
  static_assert(std::same_as<decltype(numbers), const std::vector<settled<int>>>);
  ASSERT_EQ(numbers.size(), 2U);
  EXPECT_EQ(*numbers[0], 1);
  EXPECT_EQ(message_of(numbers[1].error()), "b");
  const auto ends = run(when_all_settled(vector_of(fail("a"), nothing())));
  static_assert(std::same_as<decltype(ends), const std::vector<settled<void>>>);
  ASSERT_EQ(ends.size(), 2U);
  EXPECT_FALSE(ends[0]);
  EXPECT_TRUE(ends[1]);
}

TEST(WhenAllSettled, of_nothing_is_done_at_once) {
  EXPECT_EQ(std::tuple_size_v<decltype(run(when_all_settled()))>, 0U);
  EXPECT_TRUE(run(when_all_settled(std::vector<task<int>>{})).empty());
}

TEST(WhenAllSettled, keeps_references_and_moves_values_out) {
  int target = 4;
  auto [reference, pointer, constant] =
      run(when_all_settled(refer_to(target), own(5), own_for_good(6)));
  static_assert(std::same_as<decltype(reference), settled<int&>>);
  static_assert(std::same_as<decltype(constant), settled<std::unique_ptr<int>>>);
  EXPECT_EQ(&*reference, &target);
  EXPECT_EQ(&std::as_const(reference).value(), &target);
  const std::unique_ptr<int> taken = std::move(pointer).value();
  EXPECT_EQ(*taken + **constant, 11);
  const auto in_vector = run(when_all_settled(vector_of(refer_to(target))));
  EXPECT_EQ(&*in_vector.at(0), &target);
}

TEST(Settled, value_throws_the_exception_each_time) {
  settled<int> failed{std::make_exception_ptr(std::runtime_error{"no"})};
  const settled<void> nothing_failed{failed.error()};
  for (int i = 0; i < 2; ++i) {
    EXPECT_THROW(failed.value(), std::runtime_error);
    EXPECT_THROW(nothing_failed.value(), std::runtime_error);
  }
  EXPECT_THROW(std::move(failed).value(), std::runtime_error);
}

TEST(Settled, a_value_that_is_an_exception_pointer_is_not_confused) {
  const settled<std::exception_ptr> ended{std::in_place, std::make_exception_ptr(1)};
  EXPECT_TRUE(ended.has_value());
  EXPECT_EQ(ended.error(), nullptr);
  EXPECT_NE(*ended, nullptr);
}

TEST(Settled, is_copied_and_changed_like_a_value) {
  settled<std::string> ended{std::in_place, 2U, 'a'};
  const settled<std::string> copy = ended;
  ended.value() += 'b';
  EXPECT_EQ(*ended, "aab");
  EXPECT_EQ(copy.value(), "aa");
  static_assert(!std::is_convertible_v<settled<int>, bool>);
  settled<void>{std::in_place}.value();
}

TEST(WhenAllSettled, many_on_a_pool_of_threads) {
  thread_pool pool{3};
  std::vector<task<int>> tasks;
  for (int i = 0; i < 1000; ++i) tasks.push_back(i % 3 == 0 ? fail<int>() : number(i));
  const auto all = sync_wait(pool, when_all_settled(std::move(tasks)));
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i].has_value(), i % 3 != 0);
}

}  // namespace
}  // namespace hotseat
