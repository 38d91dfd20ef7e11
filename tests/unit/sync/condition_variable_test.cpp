// hotseat/tests/unit/sync/condition_variable_test.cpp — waiting for what a mutex protects,
// under each hand-off.
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sched/handoff.hpp>
#include <hotseat/sched/wait_limits.hpp>
#include <hotseat/sync/condition_variable.hpp>
#include <hotseat/sync/mutex.hpp>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <support/handoffs.hpp>
#include <support/manual_executor.hpp>
#include <support/probes.hpp>
#include <vector>

namespace hotseat {
namespace {

using namespace std::chrono_literals;
using testing::manual_executor;
using testing::owned;

template <class Handoff>
struct watched_number {
  basic_mutex<Handoff> m;
  condition_variable changed;
  int value = 0;
  std::string log;
  std::vector<unsigned> workers;
};

template <class Handoff>
class ConditionVariable : public ::testing::Test {
 protected:
  watched_number<Handoff> all;
  manual_executor ex{2};

  owned wait_once(char name) {
    co_await all.m.lock();
    co_await all.changed.wait(all.m);
    all.log += name;
    EXPECT_FALSE(all.m.try_lock());
    all.workers.push_back(*ex.current_worker());
    co_await all.m.unlock();
  }
  owned wait_for_value(int wanted, char name, int& asked) {
    co_await all.m.lock();
    co_await all.changed.wait(all.m, [this, wanted, &asked] {
      ++asked;
      return all.value == wanted;
    });
    all.log += name;
    EXPECT_EQ(all.value, wanted);
    EXPECT_FALSE(all.m.try_lock());
    co_await all.m.unlock();
  }
  owned set(int value) {
    co_await all.m.lock();
    all.value = value;
    co_await all.changed.notify_all();
    co_await all.m.unlock();
  }
  owned notify_one() { co_await all.changed.notify_one(); }
  owned notify_all() { co_await all.changed.notify_all(); }

  void run(owned& task) {
    task.start_on(ex);
    ex.run_all();
  }
  bool is_free() {
    if (!all.m.try_lock()) return false;
    all.m.unlock_dispatch();
    return true;
  }
};
TYPED_TEST_SUITE(ConditionVariable, testing::handoffs);

TYPED_TEST(ConditionVariable, a_wait_gives_the_mutex_away) {
  owned waiting = this->wait_once('a');
  this->run(waiting);
  EXPECT_FALSE(waiting.done());
  EXPECT_TRUE(this->is_free());
  this->all.changed.notify_one_dispatch();
  this->ex.run_all();
  EXPECT_TRUE(waiting.done());
}

TYPED_TEST(ConditionVariable, notifies_in_order_of_arrival) {
  owned a = this->wait_once('a');
  owned b = this->wait_once('b');
  owned c = this->wait_once('c');
  for (owned* const task : {&a, &b, &c}) this->run(*task);
  owned one = this->notify_one();
  this->run(one);
  EXPECT_EQ(this->all.log, "a");
  owned others = this->notify_all();
  this->run(others);
  EXPECT_EQ(this->all.log, "abc");
  EXPECT_TRUE(this->is_free());
}

TYPED_TEST(ConditionVariable, notify_dispatch_says_how_many_it_notified) {
  EXPECT_EQ(this->all.changed.notify_one_dispatch(), 0U);
  EXPECT_EQ(this->all.changed.notify_all_dispatch(), 0U);
  owned a = this->wait_once('a');
  owned b = this->wait_once('b');
  owned c = this->wait_once('c');
  for (owned* const task : {&a, &b, &c}) this->run(*task);
  EXPECT_EQ(this->all.changed.notify_one_dispatch(), 1U);
  EXPECT_EQ(this->all.changed.notify_all_dispatch(), 2U);
  this->ex.run_all();
  EXPECT_EQ(this->all.log, "abc");
}

TYPED_TEST(ConditionVariable, a_notification_that_no_task_waits_for_does_nothing) {
  owned notifying = this->notify_all();
  this->run(notifying);
  EXPECT_TRUE(notifying.done());
  EXPECT_EQ(this->ex.resumptions().size(), 1U);
}

TYPED_TEST(ConditionVariable, a_notified_task_is_not_resumed_while_the_mutex_is_owned) {
  owned waiting = this->wait_once('a');
  this->run(waiting);
  ASSERT_TRUE(this->all.m.try_lock());
  const std::size_t before = this->ex.resumptions().size();
  this->all.changed.notify_all_dispatch();
  this->ex.run_all();
  EXPECT_EQ(this->ex.resumptions().size(), before);
  EXPECT_EQ(this->all.log, "");
  this->all.m.unlock_dispatch();
  this->ex.run_all();
  EXPECT_EQ(this->all.log, "a");
  EXPECT_EQ(this->ex.resumptions().size(), before + 1);
}

TYPED_TEST(ConditionVariable, a_task_is_not_resumed_while_its_predicate_does_not_hold) {
  int asked = 0;
  owned waiting = this->wait_for_value(2, 'a', asked);
  this->run(waiting);
  EXPECT_EQ(asked, 1);
  const auto resumed = [&] {
    std::size_t times = 0;
    for (const auto& r : this->ex.resumptions())
      times += r.task == waiting.handle() ? 1 : 0;
    return times;
  };
  const std::size_t before = resumed();
  owned one = this->set(1);
  this->run(one);
  EXPECT_EQ(asked, 2);
  EXPECT_EQ(resumed(), before);
  EXPECT_TRUE(this->is_free());
  owned two = this->set(2);
  this->run(two);
  EXPECT_EQ(asked, 3);
  EXPECT_EQ(this->all.log, "a");
  EXPECT_TRUE(waiting.done());
  EXPECT_TRUE(this->is_free());
}

TYPED_TEST(ConditionVariable, a_predicate_that_holds_needs_no_wait) {
  int asked = 0;
  owned waiting = this->wait_for_value(0, 'a', asked);
  this->run(waiting);
  EXPECT_TRUE(waiting.done());
  EXPECT_EQ(asked, 1);
}

TYPED_TEST(ConditionVariable, tasks_whose_predicates_hold_run_and_the_others_wait_on) {
  int asked = 0;
  owned a = this->wait_for_value(1, 'a', asked);
  owned b = this->wait_for_value(2, 'b', asked);
  owned c = this->wait_for_value(1, 'c', asked);
  for (owned* const task : {&a, &b, &c}) this->run(*task);
  owned one = this->set(1);
  this->run(one);
  EXPECT_EQ(this->all.log, "ac");
  owned two = this->set(2);
  this->run(two);
  EXPECT_EQ(this->all.log, "acb");
}

template <class All>
owned expect_throw(All& all, bool& thrown) {
  co_await all.m.lock();
  try {
    co_await all.changed.wait(all.m, [&all] {
      if (all.value != 0) throw std::runtime_error{"asked"};
      return false;
    });
  } catch (const std::runtime_error&) {
    thrown = true;
  }
  EXPECT_FALSE(all.m.try_lock());
  co_await all.m.unlock();
}

TYPED_TEST(ConditionVariable,
           an_exception_of_the_predicate_arrives_and_the_mutex_is_owned) {
  bool thrown = false;
  owned waiting = expect_throw(this->all, thrown);
  this->run(waiting);
  owned one = this->set(1);
  this->run(one);
  EXPECT_TRUE(thrown);
  EXPECT_TRUE(this->is_free());
}

template <class All>
owned wait_limited(All& all, wait_limits limits, std::optional<bool>& result) {
  co_await all.m.lock();
  if (limits.due) {
    result = co_await all.changed.wait_until(all.m, *limits.due, limits.stop);
  } else {
    result = co_await all.changed.wait(all.m, limits.stop);
  }
  EXPECT_FALSE(all.m.try_lock());
  co_await all.m.unlock();
}

template <class All>
owned wait_limited_for(All& all, int wanted, std::stop_token stop,
                       std::optional<bool>& result) {
  co_await all.m.lock();
  result = co_await all.changed.wait_for(
      all.m, 1h, [&all, wanted] { return all.value == wanted; }, stop);
  EXPECT_FALSE(all.m.try_lock());
  co_await all.m.unlock();
}

TYPED_TEST(ConditionVariable, a_wait_whose_time_is_over_waits_for_the_mutex) {
  std::optional<bool> result;
  owned waiting =
      wait_limited(this->all, {platform::now() + 1h, std::stop_token{}}, result);
  this->run(waiting);
  ASSERT_TRUE(this->all.m.try_lock());
  this->ex.clock.ring_all();
  this->ex.run_all();
  EXPECT_FALSE(result);
  this->all.m.unlock_dispatch();
  this->ex.run_all();
  EXPECT_EQ(result, false);
}

TYPED_TEST(ConditionVariable, a_notification_before_the_end_counts) {
  std::optional<bool> result;
  owned waiting =
      wait_limited(this->all, {platform::now() + 1h, std::stop_token{}}, result);
  this->run(waiting);
  ASSERT_TRUE(this->all.m.try_lock());
  this->all.changed.notify_one_dispatch();
  this->ex.clock.ring_all();
  this->all.m.unlock_dispatch();
  this->ex.run_all();
  EXPECT_EQ(result, true);
}

TYPED_TEST(ConditionVariable, an_end_while_in_the_line_of_the_mutex_is_not_forgotten) {
  std::stop_source stop;
  std::optional<bool> result;
  owned waiting = wait_limited_for(this->all, 7, stop.get_token(), result);
  this->run(waiting);
  ASSERT_TRUE(this->all.m.try_lock());
  this->all.changed.notify_one_dispatch();  // Its predicate will not hold.
  stop.request_stop();  // In vain: it no longer waits for the condition.
  this->ex.run_all();
  EXPECT_FALSE(result);
  this->all.m.unlock_dispatch();
  this->ex.run_all();
  EXPECT_EQ(result, false);
  EXPECT_TRUE(this->is_free());
}

TYPED_TEST(ConditionVariable, a_late_end_gives_what_the_predicate_says_then) {
  std::optional<bool> result;
  owned waiting = wait_limited_for(this->all, 7, {}, result);
  this->run(waiting);
  this->all.value = 7;  // Without a notification.
  this->ex.clock.ring_all();
  this->ex.run_all();
  EXPECT_EQ(result, true);
}

TYPED_TEST(ConditionVariable, a_task_that_is_destroyed_leaves_the_line_of_the_mutex) {
  {
    owned waiting = this->wait_once('a');
    this->run(waiting);
    ASSERT_TRUE(this->all.m.try_lock());
    this->all.changed.notify_one_dispatch();
  }
  this->all.m.unlock_dispatch();
  EXPECT_TRUE(this->is_free());
}

TYPED_TEST(ConditionVariable, a_free_mutex_is_handed_over_as_it_always_is) {
  owned a = this->wait_once('a');
  owned b = this->wait_once('b');
  this->run(a);
  this->run(b);
  owned one = this->notify_one();
  one.start_on(this->ex);
  ASSERT_TRUE(this->ex.step(1));
  if (TypeParam::may_suspend) {
    EXPECT_EQ(this->all.log, "a") << "the notified task runs here, at once";
    EXPECT_FALSE(one.done());
    EXPECT_TRUE(this->ex.is_ready(one.handle()));
  } else {
    EXPECT_EQ(this->all.log, "");
    EXPECT_TRUE(one.done()) << "the notifier goes on";
    EXPECT_TRUE(this->ex.is_ready(a.handle()));
  }
  this->ex.run_all();
  EXPECT_EQ(this->all.log, "a");
  this->all.changed.notify_all_dispatch();
  this->ex.run_all();
}

// Tasks may wait with different mutexes: each continues with its own.
TEST(ConditionVariableOfMany,
     one_notified_task_continues_here_and_the_others_are_scheduled) {
  const auto wait_with = [](auto& own, condition_variable& until, std::string& log,
                            char name) -> owned {
    co_await own.lock();
    co_await until.wait(own);
    log += name;
    co_await own.unlock();
  };
  const auto notify = [](condition_variable& c, std::string& log) -> owned {
    co_await c.notify_all();
    log += '.';
  };
  manual_executor ex{2};
  basic_mutex<handoff::dispatch> first;  // Does not exchange, although it is the first.
  mutex second;
  mutex third;
  condition_variable c;
  std::string log;
  owned a = wait_with(first, c, log, 'a');
  owned b = wait_with(second, c, log, 'b');
  owned d = wait_with(third, c, log, 'd');
  for (owned* const task : {&a, &b, &d}) {
    task->start_on(ex);
    ex.run_all();
  }
  owned notifying = notify(c, log);
  notifying.start_on(ex);
  ASSERT_TRUE(ex.step(1));
  EXPECT_EQ(log, "b");
  ASSERT_EQ(ex.ready().size(), 3U);
  EXPECT_EQ(ex.ready()[0].task, a.handle());
  EXPECT_EQ(ex.ready()[1].task, d.handle());
  EXPECT_EQ(ex.ready()[2].task, notifying.handle());
  ex.run_all();
  EXPECT_EQ(log, "bad.");
}

// The mutex is owned: one exchange for each notification, and no other resumption.
TEST(ConditionVariableExchange, a_notification_with_the_mutex_held_costs_one_exchange) {
  watched_number<handoff::exchange> all;
  manual_executor ex{1};
  constexpr int rounds = 10;
  const auto play = [](auto& s, int parity) -> owned {
    co_await s.m.lock();
    while (s.value < rounds) {
      co_await s.changed.wait(
          s.m, [&s, parity] { return s.value >= rounds || s.value % 2 == parity; });
      if (s.value >= rounds) break;
      ++s.value;
      co_await s.changed.notify_one();
    }
    co_await s.m.unlock();
  };
  owned even = play(all, 0);
  owned odd = play(all, 1);
  even.start_on(ex);
  odd.start_on(ex);
  ex.run_all();
  EXPECT_TRUE(even.done());
  EXPECT_TRUE(odd.done());
  EXPECT_EQ(all.value, rounds);
  // Each turn is one resumption: no task runs only to find that it is not its turn.
  EXPECT_LE(ex.resumptions().size(), static_cast<std::size_t>(rounds) + 4);
}

}  // namespace
}  // namespace hotseat
