// hotseat/tests/unit/sched/combine_test.cpp — taking turns for waiting tasks.  With real
// locks: section_operation_test.cpp.
#include <gtest/gtest.h>

#include <array>
#include <coroutine>
#include <cstddef>
#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/sched/combine.hpp>
#include <hotseat/sched/current.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/sched/handoff.hpp>
#include <hotseat/sched/worker_scope.hpp>
#include <support/manual_executor.hpp>

namespace hotseat::detail {
namespace {

using testing::manual_executor;

struct asked_waiter : line_waiter {
  special_wait how_special;
  turn answer = turn::done;
  int times_asked = 0;

  void prepare(executor& where) {
    task = std::noop_coroutine();
    home = &where;
    how_special.on_turn = [](line_waiter& who) noexcept {
      auto& self = static_cast<asked_waiter&>(who);
      ++self.times_asked;
      return self.answer;
    };
    special = &how_special;
  }
};

class Combine : public ::testing::Test {
 protected:
  Combine() {
    for (asked_waiter& w : line) w.prepare(ex);
  }

  /// The lock of that line; the first in line owns it.
  struct lock {
    Combine* of;
    [[nodiscard]] line_waiter* release() const noexcept {
      ++of->released;
      return of->released < of->line.size() ? &of->line[of->released] : nullptr;
    }
  };
  lock all() { return {this}; }
  line_waiter* first() { return line.data(); }

  manual_executor ex{1};
  std::array<asked_waiter, 3> line;
  std::size_t released = 0;
};

TEST_F(Combine, takes_all_turns_and_schedules_the_tasks_that_are_done) {
  const worker_scope scope{ex};
  EXPECT_EQ(combine<handoff::exchange>(first(), all()), nullptr);
  EXPECT_EQ(released, 3U);
  EXPECT_EQ(ex.ready().size(), 3U);
  EXPECT_EQ(detail::current().chain, 3U);
  EXPECT_EQ(detail::current().locks_held, 0U);
}

TEST_F(Combine, forgets_a_waiter_that_has_moved_to_another_line) {
  const worker_scope scope{ex};
  line[1].answer = turn::moved;
  EXPECT_EQ(combine<handoff::exchange>(first(), all()), nullptr);
  EXPECT_EQ(ex.ready().size(), 2U);
}

TEST_F(Combine, stops_at_a_task_that_owns_the_lock_and_wants_to_run) {
  const worker_scope scope{ex};
  line[1].answer = turn::owns;
  EXPECT_EQ(combine<handoff::exchange>(first(), all()), &line[1]);
  EXPECT_EQ(released, 1U);
}

TEST_F(Combine, a_policy_that_does_not_combine_asks_only_waiters_that_must_be_asked) {
  const worker_scope scope{ex};
  EXPECT_EQ(combine<handoff::dispatch>(first(), all()), first());
  EXPECT_EQ(line[0].times_asked, 0);
  line[0].how_special.must_be_asked = true;
  line[0].answer = turn::moved;
  EXPECT_EQ(combine<handoff::dispatch>(first(), all()), &line[1]);
  EXPECT_EQ(line[0].times_asked, 1);
  EXPECT_EQ(line[1].times_asked, 0);
}

TEST_F(Combine, a_lock_may_let_in_several_at_once) {
  const worker_scope scope{ex};
  waiter_queue heirs;
  heirs.push_back(line[0]);
  struct lock_of_many {
    static waiter_queue release() noexcept { return {}; }
  };
  EXPECT_TRUE(combine<handoff::exchange>(heirs, lock_of_many{}).empty());
  EXPECT_EQ(line[0].times_asked, 1);
}

TEST_F(Combine, an_heir_of_another_home_is_not_run_in_the_slot) {
  manual_executor other{1};
  const worker_scope scope{ex};
  line[0].home = &other;
  run_in_slot(first());
  EXPECT_FALSE(detail::current().run_next);
  EXPECT_EQ(other.ready().size(), 1U);
  run_in_slot(static_cast<line_waiter*>(&line[1]));
  EXPECT_TRUE(detail::current().run_next);
  detail::current().run_next = nullptr;
}

TEST_F(Combine, of_several_heirs_the_first_is_run_in_the_slot) {
  const worker_scope scope{ex};
  waiter_queue heirs;
  for (asked_waiter& w : line) heirs.push_back(w);
  run_in_slot(heirs);
  EXPECT_TRUE(detail::current().run_next);
  EXPECT_EQ(detail::current().chain, 1U);
  EXPECT_EQ(ex.ready().size(), 2U);
  detail::current().run_next = nullptr;
  run_in_slot(waiter_queue{});
  run_in_slot(static_cast<line_waiter*>(nullptr));
  EXPECT_FALSE(detail::current().run_next);
}

TEST_F(Combine, at_the_end_of_a_chain_nothing_is_run_in_the_slot) {
  const worker_scope scope{ex, 0};
  run_in_slot(first());
  EXPECT_FALSE(detail::current().run_next);
  EXPECT_EQ(ex.ready().size(), 1U);
}

TEST_F(Combine, at_the_end_of_a_chain_only_waiters_that_must_be_asked_have_their_turn) {
  const worker_scope scope{ex, 1};
  line[1].how_special.must_be_asked = true;
  EXPECT_EQ(combine<handoff::exchange>(first(), all()), &line[2]);
  EXPECT_EQ(line[0].times_asked, 1);
  EXPECT_EQ(line[1].times_asked, 1) << "whatever the chain";
  EXPECT_EQ(line[2].times_asked, 0);
}

// Where no task can be exchanged there is no chain.
TEST_F(Combine, on_a_plain_thread_waiters_that_must_be_asked_begin_no_chain) {
  line[0].how_special.must_be_asked = true;
  EXPECT_EQ(combine<handoff::exchange>(first(), all()), &line[1]);
  EXPECT_EQ(line[0].times_asked, 1);
  EXPECT_EQ(detail::current().chain, 0U);
  detail::current().chain = 0;
}

TEST_F(Combine, a_waiter_of_another_executor_has_its_turn_there) {
  manual_executor other{1};
  const worker_scope scope{ex};
  line[1].home = &other;
  EXPECT_EQ(combine<handoff::exchange>(first(), all()), &line[1]);
  EXPECT_EQ(line[1].times_asked, 0);
}

TEST_F(Combine, passing_on_takes_turns_and_dispatches_the_rest) {
  const worker_scope scope{ex};
  line[2].answer = turn::owns;
  pass_on<handoff::exchange>(first(), all());
  EXPECT_EQ(line[2].times_asked, 1);
  EXPECT_EQ(released, 2U);
  EXPECT_EQ(ex.ready().size(), 3U) << "two that are done, and the new owner";
  EXPECT_FALSE(detail::current().run_next) << "nothing is suspended here";
}

}  // namespace
}  // namespace hotseat::detail
