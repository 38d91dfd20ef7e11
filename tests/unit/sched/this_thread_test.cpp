// hotseat/tests/unit/sched/this_thread_test.cpp — the state of a thread, and what travels.
#include <gtest/gtest.h>

#include <hotseat/sched/this_thread.hpp>
#include <support/manual_executor.hpp>
#include <support/threads.hpp>

namespace hotseat {
namespace {

TEST(ThisThread, a_plain_thread_has_no_executor_and_nothing_to_run) {
  testing::on_another_thread([] {
    const detail::thread_state& here = this_thread();
    EXPECT_EQ(here.here, nullptr);
    EXPECT_FALSE(here.run_next);
    EXPECT_EQ(here.locks_held, 0U);
    EXPECT_EQ(here.chain, 0U);
  });
}

TEST(ThisThread, each_thread_has_its_own_state) {
  testing::manual_executor ex;
  const testing::worker_scope scope{ex};
  testing::on_another_thread([] { EXPECT_EQ(this_thread().here, nullptr); });
  EXPECT_EQ(this_thread().here, &ex);
}

TEST(ThisThread, it_counts_the_locks_that_are_entered_and_left) {
  const int lock = 0;
  detail::note_entered(&lock, trace::entry_free);
  detail::note_entered(&lock, trace::entry_waited);
  EXPECT_EQ(this_thread().locks_held, 2U);
  detail::note_left(&lock);
  detail::note_left(&lock);
  EXPECT_EQ(this_thread().locks_held, 0U);
  detail::note_left(&lock);  // By a task that did not enter it.
  EXPECT_EQ(this_thread().locks_held, 0U);
}

TEST(CarriedLocks, the_number_of_locks_goes_to_the_thread_where_the_task_continues) {
  this_thread().locks_held = 2;
  carried_locks locks;
  locks.leave();
  this_thread().locks_held = 0;
  testing::on_another_thread([&] {
    this_thread().locks_held = 7;  // What another task left there.
    locks.return_to();
    EXPECT_EQ(this_thread().locks_held, 2U);
  });
  EXPECT_EQ(this_thread().locks_held, 0U);
}

}  // namespace
}  // namespace hotseat
