// hotseat/tests/unit/sched/current_test.cpp — the state of a thread, and what moves with a
// task.
#include <gtest/gtest.h>

#include <hotseat/core/waiter.hpp>
#include <hotseat/sched/current.hpp>
#include <hotseat/sched/worker_scope.hpp>
#include <support/manual_executor.hpp>
#include <support/probes.hpp>
#include <support/threads.hpp>

namespace hotseat {
namespace {

TEST(Current, a_plain_thread_has_no_executor_and_nothing_to_run) {
  testing::on_another_thread([] {
    const detail::thread_state& here = detail::current();
    EXPECT_EQ(here.here, nullptr);
    EXPECT_EQ(here.worker, nullptr);
    EXPECT_FALSE(here.run_next);
    EXPECT_EQ(here.locks_held, 0U);
    EXPECT_EQ(here.chain, 0U);
    EXPECT_EQ(here.chain_end, 0U);
    EXPECT_EQ(here.homeless, nullptr);
  });
}

TEST(Current, each_thread_has_its_own_state) {
  testing::manual_executor ex;
  const worker_scope scope{ex};
  testing::on_another_thread([] { EXPECT_EQ(detail::current().here, nullptr); });
  EXPECT_EQ(detail::current().here, &ex);
}

TEST(Current, it_counts_the_locks_that_are_entered_and_left) {
  const int lock = 0;
  detail::current().locks_held = 0;
  detail::note_entered(&lock, trace::entry_free);
  detail::note_entered(&lock, trace::entry_waited);
  EXPECT_EQ(detail::current().locks_held, 2U);
  detail::note_left(&lock);
  detail::note_left(&lock);
  EXPECT_EQ(detail::current().locks_held, 0U);
  detail::note_left(&lock);  // By a task that did not enter it.
  EXPECT_EQ(detail::current().locks_held, 0U);
}

TEST(NoteSuspended, describes_the_task_its_home_and_its_locks) {
  testing::manual_executor ex;
  const testing::owned task = testing::do_nothing();
  waiter place{set_later{}};
  {
    const worker_scope scope{ex};
    detail::current().locks_held = 2;
    detail::note_suspended(place, task.handle());
  }
  EXPECT_EQ(place.task, task.handle());
  EXPECT_EQ(place.home, &ex);
  EXPECT_EQ(place.locks_held, 2U);
}

TEST(NoteSuspended, a_task_of_a_plain_thread_has_no_home) {
  const testing::owned task = testing::do_nothing();
  waiter place{set_later{}};
  detail::note_suspended(place, task.handle());
  EXPECT_EQ(place.task, task.handle());
  EXPECT_EQ(place.home, nullptr);
}

TEST(NoteResumed, the_number_of_locks_goes_to_the_thread_where_the_task_continues) {
  const testing::owned task = testing::do_nothing();
  waiter place{set_later{}};
  detail::current().locks_held = 2;
  detail::note_suspended(place, task.handle());
  detail::current().locks_held = 0;
  testing::on_another_thread([&] {
    detail::current().locks_held = 7;  // Left there by another task.
    detail::note_resumed(place);
    EXPECT_EQ(detail::current().locks_held, 2U);
  });
  EXPECT_EQ(detail::current().locks_held, 0U);
}

}  // namespace
}  // namespace hotseat
