// hotseat/tests/unit/task/when_all_test.cpp — all at once, and all their results.
#include <gtest/gtest.h>

#include <concepts>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <hotseat/core/awaitable.hpp>
#include <hotseat/platform/config.hpp>
#include <hotseat/runtime/thread_pool.hpp>
#include <hotseat/sched/current.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/task.hpp>
#include <hotseat/task/this_task.hpp>
#include <hotseat/task/when_all.hpp>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <support/probes.hpp>
#include <support/tasks.hpp>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace hotseat {
namespace {

using testing::count;
using testing::drive;
using testing::fail;
using testing::is_asked_to_stop;
using testing::lend;
using testing::nothing;
using testing::number;
using testing::own;
using testing::own_for_good;
using testing::refer_to;
using testing::run;
using testing::text;
using testing::vector_of;

using testing::manual_executor;

template <class Awaitable>
std::string error_of(Awaitable&& a) {
  try {
    run(std::forward<Awaitable>(a));
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(WhenAll, gives_the_results_in_the_order_of_the_arguments) {
  const auto [a, b, c] = run(when_all(number(1), text("two"), own(3)));
  EXPECT_EQ(a, 1);
  EXPECT_EQ(b, "two");
  EXPECT_EQ(*c, 3);
}

TEST(WhenAll, a_task_without_a_result_gives_a_monostate) {
  const auto results = run(when_all(nothing(), number(1)));
  static_assert(std::same_as<decltype(results), const std::tuple<std::monostate, int>>);
  EXPECT_EQ(std::get<1>(results), 1);
}

TEST(WhenAll, a_reference_stays_one) {
  int target = 4;
  auto results = run(when_all(refer_to(target), number(1)));
  static_assert(std::same_as<decltype(results), std::tuple<int&, int>>);
  EXPECT_EQ(&std::get<0>(results), &target);
}

TEST(WhenAll, a_const_result_becomes_a_plain_value) {
  const auto constant = []() -> task<const std::string> { co_return "fixed"; };
  const auto results = run(when_all(constant()));
  static_assert(std::same_as<decltype(results), const std::tuple<std::string>>);
  EXPECT_EQ(std::get<0>(results), "fixed");
}

TEST(WhenAll, const_results_and_rvalue_references_are_moved_out) {
  auto target = std::make_unique<int>(5);
  const auto results = run(when_all(own_for_good(4), lend(target)));
  static_assert(std::same_as<decltype(results),
                             const std::tuple<std::unique_ptr<int>, std::unique_ptr<int>>>);
  EXPECT_EQ(*std::get<0>(results), 4);
  EXPECT_EQ(*std::get<1>(results), 5);
  EXPECT_EQ(target, nullptr);
}

TEST(WhenAll, of_a_vector_moves_const_results_and_rvalue_references_out) {
  auto target = std::make_unique<int>(5);
  const auto kept = run(when_all(vector_of(own_for_good(4))));
  static_assert(std::same_as<decltype(kept), const std::vector<std::unique_ptr<int>>>);
  EXPECT_EQ(*kept.at(0), 4);
  const auto lent = run(when_all(vector_of(lend(target))));
  static_assert(std::same_as<decltype(lent), const std::vector<std::unique_ptr<int>>>);
  EXPECT_EQ(*lent.at(0), 5);
}

TEST(WhenAll, of_nothing_is_done_at_once) {
  const auto results = run(when_all());
  EXPECT_EQ(std::tuple_size_v<decltype(results)>, 0U);
}

TEST(WhenAll, of_a_vector_gives_a_vector) {
  std::vector<task<int>> tasks;
  for (int i = 0; i < 100; ++i) tasks.push_back(number(i));
  const std::vector<int> results = run(when_all(std::move(tasks)));
  std::vector<int> expected(100);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(results, expected);
}

TEST(WhenAll, of_a_vector_of_references_gives_wrapped_ones) {
  int target = 4;
  std::vector<task<int&>> tasks;
  tasks.push_back(refer_to(target));
  const auto results = run(when_all(std::move(tasks)));
  ASSERT_EQ(results.size(), 1U);
  EXPECT_EQ(&results[0].get(), &target);
}

TEST(WhenAll, of_a_vector_gives_what_can_only_be_moved) {
  std::vector<task<std::unique_ptr<int>>> tasks;
  tasks.push_back(own(3));
  tasks.push_back(own(4));
  const auto results = run(when_all(std::move(tasks)));
  ASSERT_EQ(results.size(), 2U);
  EXPECT_EQ(*results[1], 4);
}

TEST(WhenAll, of_a_vector_of_tasks_without_results_gives_nothing) {
  int ended = 0;
  std::vector<task<>> tasks;
  for (int i = 0; i < 10; ++i) tasks.push_back(count(ended));
  static_assert(std::is_void_v<decltype(run(when_all(std::move(tasks))))>);
  run(when_all(std::move(tasks)));
  EXPECT_EQ(ended, 10);
}

TEST(WhenAll, of_an_empty_vector_is_done_at_once) {
  EXPECT_TRUE(run(when_all(std::vector<task<int>>{})).empty());
  run(when_all(std::vector<task<>>{}));
}

TEST(WhenAll, the_first_exception_in_the_order_of_the_arguments_is_thrown) {
  EXPECT_EQ(error_of(when_all(nothing(), fail("second"), fail("third"))), "second");
  std::vector<task<>> tasks;
  tasks.push_back(nothing());
  tasks.push_back(fail("b"));
  tasks.push_back(fail("c"));
  EXPECT_EQ(error_of(when_all(std::move(tasks))), "b");
}

TEST(WhenAll, the_others_have_ended_when_one_throws) {
  int ended = 0;
  EXPECT_EQ(error_of(when_all(fail("first"), count(ended), count(ended))), "first");
  EXPECT_EQ(ended, 2);
}

class ready_with {
 public:
  explicit ready_with(int value) noexcept : value_{value} {}
  static bool await_ready() noexcept { return true; }
  static void await_suspend(std::coroutine_handle<>) noexcept {}
  [[nodiscard]] int await_resume() const noexcept { return value_; }

 private:
  int value_;
};

TEST(WhenAll, takes_awaitables_that_are_not_tasks) {
  ready_with named{2};
  const auto [a, b, c] = run(when_all(ready_with{1}, named, when_all(number(3))));
  EXPECT_EQ(a, 1);
  EXPECT_EQ(b, 2);
  EXPECT_EQ(std::get<0>(c), 3);
}

/// Yields a reference to its value if awaited by name, else the value.
class named_or_not {
 public:
  explicit named_or_not(int& value) noexcept : value_{&value} {}
  class by_name : public ready_with {
   public:
    explicit by_name(int& value) noexcept : ready_with{value}, value_{&value} {}
    [[nodiscard]] int& await_resume() const noexcept { return *value_; }

   private:
    int* value_;
  };
  by_name operator co_await() & noexcept { return by_name{*value_}; }
  ready_with operator co_await() && noexcept { return ready_with{*value_}; }

 private:
  int* value_;
};

TEST(WhenAll, awaits_by_name_what_has_one) {
  int value = 2;
  named_or_not named{value};
  const auto results = run(when_all(named, named_or_not{value}));
  static_assert(std::same_as<decltype(results), const std::tuple<int&, int>>);
  EXPECT_EQ(&std::get<0>(results), &value);
}

task<std::pair<int, std::string>> await_by_name() {
  auto both = when_all(number(1), text("two"));
  auto [a, b] = co_await both;
  co_return std::pair{a, b};
}

TEST(WhenAll, can_be_named_before_it_is_awaited) {
  EXPECT_EQ(run(await_by_name()), (std::pair{1, std::string{"two"}}));
}

TEST(WhenAll, nothing_runs_before_it_is_awaited) {
  int ended = 0;
  {
    auto never = when_all(count(ended), count(ended));
    static_cast<void>(never);
  }
  EXPECT_EQ(ended, 0);
}

task<> note_worker(manual_executor& ex, std::vector<unsigned>& workers) {
  workers.push_back(ex.current_worker().value());
  co_return;
}

testing::owned wait_for_three(manual_executor& ex, std::vector<unsigned>& workers) {
  co_await when_all(note_worker(ex, workers), note_worker(ex, workers),
                    note_worker(ex, workers));
  workers.push_back(99);
}

TEST(WhenAll, the_first_child_runs_here_and_the_others_where_workers_are_free) {
  manual_executor ex{3};
  std::vector<unsigned> workers;
  testing::owned parent = wait_for_three(ex, workers);
  parent.start_on(ex);
  ASSERT_TRUE(ex.step(0));
  EXPECT_EQ(workers, (std::vector<unsigned>{0}));
  ASSERT_TRUE(ex.step(1));
  EXPECT_FALSE(parent.done());
  ASSERT_TRUE(ex.step(2));
  EXPECT_EQ(workers, (std::vector<unsigned>{0, 1, 2, 99}));
  EXPECT_TRUE(parent.done());
}

testing::owned keep_locks(std::vector<std::uint32_t>& counts) {
  detail::current().locks_held = 2;
  co_await when_all(nothing(), nothing());
  counts.push_back(detail::current().locks_held);
  co_await when_all();
  counts.push_back(detail::current().locks_held);
  std::vector<task<>> none;
  co_await when_all(std::move(none));
  counts.push_back(detail::current().locks_held);
}

TEST(WhenAll, the_waiting_task_keeps_its_count_of_locks) {
  manual_executor ex{2};
  std::vector<std::uint32_t> counts;
  testing::owned parent = keep_locks(counts);
  parent.start_on(ex);
  ASSERT_TRUE(ex.step(0));
  ASSERT_TRUE(ex.step(1));
  EXPECT_EQ(counts, (std::vector<std::uint32_t>{2, 2, 2}));
}

TEST(WhenAll, the_stop_token_reaches_every_child) {
  testing::immediate_executor now;
  std::stop_source source;
  source.request_stop();
  std::vector<task<bool>> tasks;
  tasks.push_back(is_asked_to_stop());
  tasks.push_back(is_asked_to_stop());
  const auto [a, b] = sync_wait(
      now, when_all(is_asked_to_stop(), when_all(std::move(tasks))), source.get_token());
  EXPECT_TRUE(a);
  EXPECT_EQ(b, (std::vector<bool>{true, true}));
}

task<> wait_in(waiter_queue& line, std::shared_ptr<int> life) {
  co_await testing::stand_in(line);
  ++*life;
}

task<> wait_twice(waiter_queue& line, std::shared_ptr<int> life) {
  co_await when_all(wait_in(line, life), wait_in(line, life));
}

TEST(WhenAll, one_that_is_destroyed_while_it_waits_takes_its_children_with_it) {
  const auto life = std::make_shared<int>(0);
  waiter_queue line;
  {
    const testing::owned driver = drive(wait_twice(line, life));
    driver.run();
    EXPECT_GT(life.use_count(), 2);
  }
  EXPECT_EQ(life.use_count(), 1);
  EXPECT_EQ(*life, 0);
}

task<int> fibonacci(int n) {
  if (n < 2) co_return n;
  const auto [a, b] = co_await when_all(fibonacci(n - 1), fibonacci(n - 2));
  co_return a + b;
}

TEST(WhenAll, a_tree_of_tasks_adds_up_on_a_pool_of_threads) {
  thread_pool pool{3};
  const int n = config::sanitizes_thread ? 12 : 18;
  const int expected = config::sanitizes_thread ? 144 : 2584;
  EXPECT_EQ(sync_wait(pool, fibonacci(n)), expected);
}

TEST(WhenAll, ten_thousand_children_on_a_pool_of_threads) {
  thread_pool pool{3};
  std::vector<task<int>> tasks;
  for (int i = 0; i < 10'000; ++i) tasks.push_back(number(1));
  const std::vector<int> results = sync_wait(pool, when_all(std::move(tasks)));
  EXPECT_EQ(std::accumulate(results.begin(), results.end(), 0), 10'000);
}

}  // namespace
}  // namespace hotseat
