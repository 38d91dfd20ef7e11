// hotseat/tests/unit/task/shared_body_test.cpp — what the awaiters of a shared task share.
#include <gtest/gtest.h>

#include <coroutine>
#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/sched/current.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/sched/run.hpp>
#include <hotseat/sched/worker_scope.hpp>
#include <hotseat/task/detail/shared_body.hpp>
#include <hotseat/task/task.hpp>
#include <memory>
#include <string>
#include <support/manual_executor.hpp>
#include <support/probes.hpp>
#include <support/tasks.hpp>
#include <utility>

namespace hotseat::detail {
namespace {

using testing::manual_executor;
using testing::owned;
using testing::say_plainly;

/// Stands in for a waiter that was let out.
class heir_of {
 public:
  heir_of(manual_executor* home, std::string& log, char name)
      : task_{say_plainly(log, name)} {
    place_.set(task_.handle(), home, 0);
  }
  line_waiter& place() { return place_; }
  [[nodiscard]] std::coroutine_handle<> handle() const { return task_.handle(); }

 private:
  owned task_;
  line_waiter place_;
};

class LetOutAtEnd : public ::testing::Test {
 protected:
  manual_executor ex;
  manual_executor other;
  std::string log;
  waiter_queue heirs;
};

TEST_F(LetOutAtEnd, without_awaiters_does_nothing) {
  const worker_scope scope{ex};
  let_out_at_end(heirs);
  EXPECT_FALSE(detail::current().run_next);
  EXPECT_TRUE(ex.is_idle());
}

TEST_F(LetOutAtEnd, the_first_heir_has_the_worker_and_the_others_are_scheduled) {
  heir_of a{&ex, log, 'a'};
  heir_of b{&ex, log, 'b'};
  heir_of c{&other, log, 'c'};
  for (heir_of* const each : {&a, &b, &c}) heirs.push_back(each->place());
  const worker_scope scope{ex};
  let_out_at_end(heirs);
  EXPECT_EQ(std::exchange(detail::current().run_next, nullptr), a.handle());
  EXPECT_TRUE(ex.is_ready(b.handle()));
  EXPECT_TRUE(other.is_ready(c.handle()));
  EXPECT_EQ(log, "");
}

TEST_F(LetOutAtEnd, an_heir_that_lives_elsewhere_is_sent_home) {
  heir_of a{&other, log, 'a'};
  heirs.push_back(a.place());
  {
    const worker_scope scope{ex};
    let_out_at_end(heirs);
    EXPECT_FALSE(detail::current().run_next);
  }
  EXPECT_TRUE(other.is_ready(a.handle()));
}

TEST_F(LetOutAtEnd, without_an_executor_all_are_sent_home) {
  heir_of a{&ex, log, 'a'};
  heir_of b{nullptr, log, 'b'};
  heirs.push_back(a.place());
  heirs.push_back(b.place());
  let_out_at_end(heirs);
  EXPECT_TRUE(ex.is_ready(a.handle()));
  EXPECT_EQ(log, "b") << "it has no other thread";
}

owned await_end_of(task<int>& child, std::string& log) {
  co_await end_of{child};
  log += 'e';
}

TEST(EndOf, leaves_the_result_where_it_is) {
  std::string log;
  task<int> child = testing::number(4);
  const owned waiting = await_end_of(child, log);
  waiting.run();
  EXPECT_EQ(log, "e");
  EXPECT_EQ(task_access::coroutine(child).promise().result().take(), 4);
}

task<int> hold(std::shared_ptr<int> life) { co_return *life; }

TEST(SharedBody, one_that_was_never_started_frees_its_task) {
  const auto life = std::make_shared<int>(1);
  auto* const body = new shared_body<int>{hold(life)};
  EXPECT_EQ(life.use_count(), 2);
  shared_body<int>::drop_handle(*body);
  EXPECT_EQ(life.use_count(), 1);
}

TEST(SharedBody, the_first_to_ask_starts_it_and_its_result_stays) {
  const auto life = std::make_shared<int>(7);
  auto* const body = new shared_body<int>{hold(life)};
  waiter* const driver = body->start();
  ASSERT_NE(driver, nullptr);
  EXPECT_EQ(body->start(), nullptr);
  EXPECT_FALSE(body->done().is_set());
  run_until_idle(driver->task);
  EXPECT_TRUE(body->done().is_set());
  EXPECT_EQ(body->result(), 7);
  EXPECT_EQ(&body->result(), &body->result());
  shared_body<int>::drop_handle(*body);
  EXPECT_EQ(life.use_count(), 1);
}

TEST(SharedStart, runs_here_without_the_locks_of_the_caller) {
  auto* const body = new shared_body<int>{testing::number(7)};
  {
    manual_executor ex;
    const worker_scope scope{ex};
    detail::current().locks_held = 3;
    shared_start first{*body};
    const std::coroutine_handle<> instead = first.run_here();
    EXPECT_EQ(detail::current().locks_held, 0U);
    const std::coroutine_handle<> slot = std::exchange(detail::current().run_next, nullptr);
    (slot ? slot : instead).resume();
    while (const auto next = std::exchange(detail::current().run_next, nullptr))
      next.resume();
    EXPECT_TRUE(body->done().is_set());
    shared_start second{*body};
    EXPECT_EQ(second.run_here(), std::noop_coroutine());
  }
  shared_body<int>::drop_handle(*body);
}

TEST(SharedStart, what_did_not_run_here_runs_elsewhere_at_the_end) {
  auto* const body = new shared_body<int>{testing::number(7)};
  manual_executor ex;
  {
    const worker_scope scope{ex};
    const shared_start first{*body};
    EXPECT_TRUE(ex.is_idle());
  }
  EXPECT_FALSE(ex.is_idle());
  ex.run_all();
  EXPECT_EQ(body->result(), 7);
  shared_body<int>::drop_handle(*body);
}

}  // namespace
}  // namespace hotseat::detail
