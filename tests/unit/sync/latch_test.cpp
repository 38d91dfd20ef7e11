// hotseat/tests/unit/sync/latch_test.cpp — opens once, when enough has been counted down.
// What all gates share is in tests/conformance.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <hotseat/sched/current.hpp>
#include <hotseat/sync/latch.hpp>
#include <stop_token>
#include <string>
#include <support/frugal_executor.hpp>
#include <support/gate_kinds.hpp>
#include <support/manual_executor.hpp>
#include <support/probes.hpp>
#include <utility>
#include <vector>

namespace hotseat {
namespace {

using namespace std::chrono_literals;
using testing::manual_executor;
using testing::owned;
using testing::wait_for_ever;

owned arrive(latch& l, std::uint64_t n, std::string& log, char name) {
  co_await l.arrive_and_wait(n);
  log += name;
}

class Latch : public ::testing::Test {
 protected:
  void start(owned& task) {
    task.start_on(ex);
    ex.run_all();
  }
  latch l{3};
  manual_executor ex{2};
  std::string log;
};

TEST_F(Latch, is_constant_initialized_and_may_be_open_from_the_start) {
  static constinit latch constant{0};
  EXPECT_TRUE(constant.try_wait());
  EXPECT_FALSE(l.try_wait());
}

TEST_F(Latch, opens_at_zero_and_stays_open) {
  owned a = wait_for_ever(l, log, 'a');
  start(a);
  l.count_down_dispatch(2);
  ex.run_all();
  EXPECT_FALSE(l.try_wait());
  EXPECT_EQ(log, "");
  l.count_down_dispatch();
  EXPECT_TRUE(l.try_wait());
  owned b = wait_for_ever(l, log, 'b');
  start(b);
  EXPECT_EQ(log, "ab");
}

TEST_F(Latch, says_how_much_is_left_and_how_many_it_lets_out) {
  owned a = wait_for_ever(l, log, 'a');
  owned b = wait_for_ever(l, log, 'b');
  start(a);
  start(b);
  EXPECT_EQ(l.remaining(), 3U);
  EXPECT_EQ(l.count_down_dispatch(2), 0U);
  EXPECT_EQ(l.remaining(), 1U);
  EXPECT_EQ(l.count_down_dispatch(), 2U);
  EXPECT_EQ(l.remaining(), 0U);
  ex.run_all();
}

TEST_F(Latch, a_count_down_that_does_not_open_it_does_not_suspend) {
  owned a = wait_for_ever(l, log, 'a');
  start(a);
  auto operation = l.count_down(2);
  owned counting = testing::release_and_note(operation, log, '.');
  counting.start_on(ex);
  ASSERT_TRUE(ex.step());
  EXPECT_EQ(log, ".");
  EXPECT_TRUE(ex.is_idle());
  l.count_down_dispatch();
  ex.run_all();
}

TEST_F(Latch, counting_down_by_nothing_changes_nothing) {
  l.count_down_dispatch(0);
  EXPECT_FALSE(l.try_wait());
  l.count_down_dispatch(3);
  l.count_down_dispatch(0);
  EXPECT_TRUE(l.try_wait());
}

TEST_F(Latch, the_last_to_arrive_goes_on_here) {
  owned a = arrive(l, 1, log, 'a');
  owned w = wait_for_ever(l, log, 'w');
  owned last = arrive(l, 2, log, 'z');
  start(a);
  start(w);
  last.start_on(ex);
  ASSERT_TRUE(ex.step(1));
  EXPECT_TRUE(last.done());
  EXPECT_EQ(log, "z");
  ASSERT_EQ(ex.ready().size(), 2U);
  EXPECT_EQ(ex.ready()[0].task, a.handle());
  EXPECT_EQ(ex.ready()[1].task, w.handle());
  ex.run_all();
  EXPECT_TRUE(a.done() && w.done());
}

TEST_F(Latch, the_last_to_arrive_schedules_the_others_in_one_batch) {
  testing::frugal_executor batching;
  owned a = arrive(l, 1, log, 'a');
  owned w = wait_for_ever(l, log, 'w');
  owned last = arrive(l, 2, log, 'z');
  for (owned* const task : {&a, &w, &last}) task->start_on(batching);
  batching.portions.clear();
  batching.run_all();
  EXPECT_EQ(batching.portions, (std::vector<int>{2}));
  EXPECT_EQ(log, "zaw");
}

TEST_F(Latch, the_last_to_arrive_inside_another_section_goes_on_as_well) {
  owned a = arrive(l, 2, log, 'a');
  const auto arrive_with_a_lock = [](latch& at, std::string& to) -> owned {
    detail::current().locks_held = 1;
    co_await at.arrive_and_wait();
    to += static_cast<char>('0' + detail::current().locks_held);
  };
  owned last = arrive_with_a_lock(l, log);
  start(a);
  start(last);
  EXPECT_EQ(log, "1a");
}

TEST_F(Latch, a_task_that_arrives_alone_does_not_suspend) {
  owned a = arrive(l, 3, log, 'a');
  a.start_on(ex);
  ASSERT_TRUE(ex.step());
  EXPECT_EQ(ex.requests().size(), 1U);
  EXPECT_EQ(log, "a");
}

TEST_F(Latch, a_task_that_is_destroyed_while_it_waits_has_arrived) {
  {
    owned destroyed = arrive(l, 2, log, 'a');
    start(destroyed);
  }
  l.count_down_dispatch(1);
  EXPECT_TRUE(l.try_wait());
}

/// Notes its name, as a capital if the wait ended early.
owned arrive_until(latch& l, std::stop_token stop, std::string& log, char name) {
  auto operation = l.arrive_and_wait_for(1h, 1, std::move(stop));
  const bool is_open = co_await operation;
  log += is_open ? name : static_cast<char>(name - 'a' + 'A');
}

TEST_F(Latch, a_task_that_is_late_or_told_to_stop_has_arrived) {
  std::stop_source source;
  owned a = arrive_until(l, {}, log, 'a');
  owned b = arrive_until(l, source.get_token(), log, 'b');
  start(a);
  ex.clock.ring_all();
  ex.run_all();
  EXPECT_EQ(log, "A");
  start(b);
  source.request_stop();
  ex.run_all();
  EXPECT_EQ(log, "AB");
  owned c = arrive_until(l, source.get_token(), log, 'c');
  start(c);
  EXPECT_EQ(log, "ABc") << "the last to arrive need not wait";
  EXPECT_TRUE(l.try_wait());
  EXPECT_TRUE(ex.clock.is_empty());
}

}  // namespace
}  // namespace hotseat
