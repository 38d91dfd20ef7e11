// hotseat/tests/unit/sched/exchange_test.cpp — what runs where after an exchange.
#include <gtest/gtest.h>

#include <algorithm>
#include <coroutine>
#include <cstdint>
#include <hotseat/core/waiter.hpp>
#include <hotseat/sched/current.hpp>
#include <hotseat/sched/exchange.hpp>
#include <memory>
#include <optional>
#include <string>
#include <support/manual_executor.hpp>
#include <support/probes.hpp>
#include <vector>

namespace hotseat {
namespace {

using testing::manual_executor;
using verb = manual_executor::verb;

/// What unlock does once it knows the heir.
class give_way {
 public:
  explicit give_way(waiter& heir) noexcept : heir_{heir} {}
  static bool await_ready() noexcept { return false; }
  bool await_suspend(std::coroutine_handle<> self) noexcept {
    self_.task = self;
    self_.home = executor::current();
    return exchange_tasks(self_, heir_);
  }
  static void await_resume() noexcept {}

 private:
  waiter self_;
  waiter& heir_;
};

/// On which worker each task ran, before and after the exchange.
struct places {
  std::optional<unsigned> self_before;
  std::optional<unsigned> self_after;
  std::optional<unsigned> heir;
  std::string order;
};

testing::owned waits(manual_executor& ex, waiter_queue& line, places& seen) {
  co_await testing::stand_in(line);
  seen.heir = ex.current_worker();
  seen.order += 'h';
}

testing::owned gives_way(manual_executor& ex, waiter_queue& line, places& seen,
                         std::uint32_t other_locks = 0) {
  detail::current().locks_held = other_locks;
  seen.self_before = ex.current_worker();
  co_await give_way{line.pop_front()};
  seen.self_after = ex.current_worker();
  seen.order += 's';
}

class Exchange : public ::testing::Test {
 protected:
  /// Puts the heir in line, from worker 1 of `home`.
  void put_in_line(testing::owned& task, manual_executor& home) {
    task.start_on(home);
    ASSERT_TRUE(home.step(1));
    ASSERT_FALSE(line.empty());
  }

  manual_executor ex{2};
  waiter_queue line;
  places seen;
};

TEST_F(Exchange, the_heir_runs_next_on_the_same_worker_and_self_on_another) {
  testing::owned heir = waits(ex, line, seen);
  testing::owned self = gives_way(ex, line, seen);
  put_in_line(heir, ex);
  self.start_on(ex);

  ASSERT_TRUE(ex.step(0));  // One task from the queue; the heir follows.
  EXPECT_EQ(seen.self_before, 0U);
  EXPECT_EQ(seen.heir, 0U);
  EXPECT_EQ(seen.order, "h");
  EXPECT_TRUE(ex.is_ready(self.handle())) << "self is in a queue";
  EXPECT_EQ(ex.requests().back(),
            (manual_executor::request{verb::schedule, self.handle(), 0}));

  ASSERT_TRUE(ex.step(1));
  EXPECT_EQ(seen.self_after, 1U);
  EXPECT_EQ(seen.order, "hs");
}

TEST_F(Exchange, the_heir_goes_before_tasks_that_were_ready_earlier) {
  testing::owned heir = waits(ex, line, seen);
  testing::owned self = gives_way(ex, line, seen);
  waiter_queue empty;
  places unused;
  testing::owned bystander = waits(ex, empty, unused);
  put_in_line(heir, ex);
  self.start_on(ex);
  bystander.start_on(ex);
  ASSERT_TRUE(ex.step(0));
  EXPECT_TRUE(heir.done());
  ASSERT_EQ(ex.ready().size(), 2U);
  EXPECT_EQ(ex.ready()[0].task, bystander.handle());
  EXPECT_EQ(ex.ready()[1].task, self.handle()) << "self went to the back";
  ex.run_all();
}

TEST_F(Exchange, an_heir_from_another_executor_is_dispatched_home_and_self_goes_on) {
  manual_executor home{2};
  testing::owned heir = waits(home, line, seen);
  testing::owned self = gives_way(ex, line, seen);
  put_in_line(heir, home);
  self.start_on(ex);
  ASSERT_TRUE(ex.step(0));
  EXPECT_TRUE(self.done());
  EXPECT_EQ(seen.self_after, 0U);
  EXPECT_TRUE(home.is_ready(heir.handle()));
  EXPECT_TRUE(ex.is_idle());
  home.run_all();
  EXPECT_EQ(seen.order, "sh");
}

TEST_F(Exchange, a_plain_thread_dispatches_the_heir_and_goes_on) {
  testing::owned heir = waits(ex, line, seen);
  const testing::owned self = gives_way(ex, line, seen);
  put_in_line(heir, ex);
  self.run();
  EXPECT_TRUE(self.done());
  EXPECT_TRUE(ex.is_ready(heir.handle()));
  EXPECT_EQ(ex.requests().back().by, std::nullopt);
  ex.run_all();
  EXPECT_EQ(seen.order, "sh");
}

TEST_F(Exchange, two_tasks_without_an_executor_run_one_inside_the_other) {
  const testing::owned heir = waits(ex, line, seen);
  const testing::owned self = gives_way(ex, line, seen);
  heir.run();
  self.run();
  EXPECT_EQ(seen.order, "hs");
  EXPECT_TRUE(ex.requests().empty());
}

TEST_F(Exchange, a_task_inside_another_section_dispatches_the_heir_and_goes_on) {
  testing::owned heir = waits(ex, line, seen);
  testing::owned self = gives_way(ex, line, seen, 1);
  put_in_line(heir, ex);
  self.start_on(ex);
  ASSERT_TRUE(ex.step(0));
  EXPECT_TRUE(self.done());
  EXPECT_FALSE(heir.done());
  EXPECT_EQ(ex.requests().back(),
            (manual_executor::request{verb::schedule, heir.handle(), 0}));
  ex.run_all();
  EXPECT_EQ(seen.order, "sh");
}

/// Makes way for the next in line, for ever.
testing::owned link(waiter_queue& line, std::string& order, char name) {
  co_await testing::stand_in(line);
  order += name;
  if (line.empty()) co_return;
  co_await give_way{line.pop_front()};
  order += static_cast<char>(name - 'a' + 'A');
}

testing::detached begin_chain(executor& where, waiter_queue& line) {
  co_await testing::on(where);
  co_await give_way{line.pop_front()};
}

TEST(ExchangeChain, at_the_limit_the_heir_is_sent_elsewhere_and_self_goes_on) {
  constexpr std::uint32_t limit = 2;
  manual_executor ex{2, limit};
  waiter_queue line;
  std::string order;
  std::vector<testing::owned> links;
  for (const char name : {'a', 'b', 'c'}) {
    links.push_back(link(line, order, name));
    links.back().start_on(ex);
  }
  ex.run_all();
  begin_chain(ex, line);
  ASSERT_TRUE(ex.step(0));
  // Two exchanges, to a and to b; the one of b would be too many.
  EXPECT_EQ(order, "abB");
  EXPECT_EQ(ex.requests().back(),
            (manual_executor::request{verb::send_elsewhere, links[2].handle(), 0}));
  EXPECT_EQ(ex.resumptions().back().worker, 0U);
  ASSERT_TRUE(ex.step(1));  // The task that began the chain.
  ASSERT_TRUE(ex.step(1));  // a again.
  ASSERT_TRUE(ex.step(1));
  EXPECT_EQ(order, "abBAc");
  EXPECT_TRUE(ex.is_idle());
}

TEST(ExchangeChain, goes_on_where_the_executor_has_no_better_place) {
  manual_executor ex{2, 2};
  ex.keeps_chains = true;
  waiter_queue line;
  std::string order;
  std::vector<testing::owned> links;
  for (const char name : {'a', 'b', 'c', 'd', 'e', 'f'}) {
    links.push_back(link(line, order, name));
    links.back().start_on(ex);
  }
  ex.run_all();
  begin_chain(ex, line);
  ASSERT_TRUE(ex.step(0));
  EXPECT_EQ(order, "abcdef");
  ex.run_all();
  EXPECT_EQ(order.size(), 11U);
}

TEST(ExchangeChain, begins_anew_after_a_cut) {
  manual_executor ex{1, 1};
  waiter_queue line;
  std::string order;
  std::vector<testing::owned> links;
  for (const char name : {'a', 'b', 'c', 'd', 'e'}) {
    links.push_back(link(line, order, name));
    links.back().start_on(ex);
  }
  ex.run_all();
  begin_chain(ex, line);
  ex.run_all();
  EXPECT_TRUE(ex.is_idle());
  for (const testing::owned& each : links) EXPECT_TRUE(each.done());
  const auto cuts = std::count_if(
      ex.requests().begin(), ex.requests().end(),
      [](const manual_executor::request& r) { return r.how == verb::send_elsewhere; });
  // Every second hand-over: start→a exchanges, a→b is cut, b→c exchanges, c→d is cut.
  EXPECT_EQ(cuts, 2);
}

// Publish last: `self` runs to its end, and its frame is gone, before schedule returns.
template <class Executor>
class ExchangePublishesLast : public ::testing::Test {};
using executors_that_hurry =
    ::testing::Types<testing::immediate_executor, testing::other_thread_executor>;
TYPED_TEST_SUITE(ExchangePublishesLast, executors_that_hurry);

testing::detached short_lived(executor& where, waiter_queue& line, int& ended) {
  const auto on_the_heap = std::make_unique<int>(1);
  co_await testing::on(where);
  co_await give_way{line.pop_front()};
  ended += *on_the_heap;
}

testing::detached wait_shortly(executor& where, waiter_queue& line, int& ended) {
  const auto on_the_heap = std::make_unique<int>(10);
  co_await testing::on(where);
  co_await testing::stand_in(line);
  ended += *on_the_heap;
}

TYPED_TEST(ExchangePublishesLast, self_may_be_destroyed_before_schedule_returns) {
  TypeParam ex;
  waiter_queue line;
  int ended = 0;
  for (int i = 0; i < 10; ++i) {
    wait_shortly(ex, line, ended);
    short_lived(ex, line, ended);
  }
  EXPECT_EQ(ended, 110);
}

}  // namespace
}  // namespace hotseat
