// hotseat/tests/conformance/conformance_test.cpp — what all primitives promise to waiters,
// checked for each of them under each hand-off.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <conformance/subject.hpp>
#include <cstddef>
#include <cstdint>
#include <hotseat/platform/config.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sched/current.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/sched/run.hpp>
#include <hotseat/sched/wait_limits.hpp>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <support/counted_new.hpp>
#include <support/frugal_executor.hpp>
#include <support/manual_executor.hpp>
#include <thread>
#include <utility>
#include <vector>

namespace hotseat::conformance {
namespace {

using namespace std::chrono_literals;
using testing::manual_executor;

std::vector<subject_kind> all_kinds() {
  std::vector<subject_kind> all;
  for (auto list :
       {locks(), scopes(), sections(), values(), gates(), channels(), shared()}) {
    all.insert(all.end(), list.begin(), list.end());
  }
  return all;
}

wait_limits in(std::chrono::hours time, std::stop_token stop = {}) {
  return {platform::now() + time, std::move(stop)};
}

class Conformance : public ::testing::TestWithParam<subject_kind> {
 protected:
  static std::unique_ptr<subject> make(unsigned waits) { return GetParam().make(waits); }

  void start(owned& task) {
    task.start_on(ex);
    ex.run_all();
  }

  /// Starts a task and runs it on a worker until it suspends or ends.
  void step(owned& task) {
    task.start_on(ex);
    ASSERT_TRUE(ex.step());
  }

  /// The same for a wait that ends before the task could suspend.  A wait that takes back
  /// its mutex does so in turn.
  void step_without_suspension(owned& task) {
    step(task);
    if (what.takes_mutex_back) ex.run_all();
    EXPECT_TRUE(task.done()) << "it went on by itself";
    EXPECT_TRUE(ex.is_idle());
  }

  /// Of two waiters, the first has left and the second was let in.
  void expect_only_the_second() const {
    if (what.looks_again) {
      EXPECT_EQ(log, "ab");
    } else {
      EXPECT_TRUE(log == "-b" || log == "b-") << log;
    }
  }

  /// What was given back is free for the next task.
  void expect_free(subject& s) {
    if (!what.is_free_afterwards) return;
    log.clear();
    owned next = s.wait(log, 'z');
    step(next);
    EXPECT_EQ(log, "z") << "something was lost";
    ex.run_all();
    EXPECT_TRUE(next.done());
  }

  const traits what = GetParam().what;
  manual_executor ex{2};
  std::string log;
  std::stop_source source;
};

// --- What is free.

TEST_P(Conformance, what_is_free_needs_no_wait) {
  if (!what.can_be_free) GTEST_SKIP() << "it is never free";
  for (const bool is_limited : {false, true}) {
    const auto s = make(1);
    log.clear();
    ASSERT_TRUE(s->let_in());
    owned a =
        is_limited ? s->wait(in(1h, source.get_token()), log, 'a') : s->wait(log, 'a');
    const std::size_t before = ex.requests().size();
    step(a);
    EXPECT_EQ(log, "a");
    EXPECT_TRUE(a.done()) << "it did not suspend";
    EXPECT_EQ(ex.requests().size(), before + 1) << "no task was scheduled";
    EXPECT_TRUE(ex.clock.is_empty());
    expect_free(*s);
  }
}

TEST_P(Conformance, letting_in_no_task_does_not_suspend) {
  if (!what.can_be_free) GTEST_SKIP() << "it waits until a task waits";
  const auto s = make(1);
  owned self = s->let_in_awaited(log);
  const std::size_t before = ex.requests().size();
  step(self);
  EXPECT_EQ(log, ".");
  EXPECT_TRUE(self.done());
  EXPECT_EQ(ex.requests().size(), before + 1) << "no task was scheduled";
}

TEST_P(Conformance, an_expired_deadline_and_an_earlier_stop_still_take_what_is_free) {
  if (!what.can_be_free) GTEST_SKIP() << "it is never free";
  source.request_stop();
  const auto s = make(1);
  ASSERT_TRUE(s->let_in());
  owned a = s->wait(in(-1h, source.get_token()), log, 'a');
  step(a);
  EXPECT_EQ(log, "a");
  expect_free(*s);
}

TEST_P(Conformance, a_task_already_told_to_stop_does_not_wait) {
  source.request_stop();
  const auto s = make(1);
  owned a = s->wait({source.get_token()}, log, 'a');
  step_without_suspension(a);
  EXPECT_EQ(log, "-");
  static_cast<void>(s->let_in());
  ex.run_all();
  EXPECT_EQ(log, "-");
}

// --- Order.

TEST_P(Conformance, waiters_are_let_in_in_order_of_arrival) {
  const auto s = make(4);
  owned a = s->wait(log, 'a');
  owned b = s->wait(in(1h), log, 'b');
  owned c = s->wait(log, 'c');
  owned d = s->wait(in(1h), log, 'd');
  for (owned* const task : {&a, &b, &c, &d}) start(*task);
  EXPECT_EQ(log, "");
  ASSERT_TRUE(s->let_in());
  EXPECT_EQ(log, "") << "no task runs inside it";
  EXPECT_FALSE(ex.is_idle()) << "it goes on at home";
  ex.run_all();
  EXPECT_EQ(log, "abcd");
  EXPECT_TRUE(ex.clock.is_empty()) << "alarms are withdrawn";
  expect_free(*s);
}

TEST_P(Conformance, a_departure_keeps_the_order_of_the_others) {
  for (const char leaver : {'a', 'b', 'c', 'd'}) {
    const auto s = make(4);
    std::stop_source stop;
    std::vector<owned> tasks;
    std::string expected;
    log.clear();
    for (const char name : {'a', 'b', 'c', 'd'}) {
      if (name == leaver) {
        tasks.push_back(s->wait({stop.get_token()}, log, name));
      } else {
        tasks.push_back(s->wait(log, name));
        expected += name;
      }
      start(tasks.back());
    }
    stop.request_stop();
    ex.run_all();
    EXPECT_EQ(log, "-");
    ASSERT_TRUE(s->let_in());
    ex.run_all();
    EXPECT_EQ(log, '-' + expected);
    for (const owned& task : tasks) EXPECT_TRUE(task.done());
    expect_free(*s);
  }
}

// --- Leaving.

TEST_P(Conformance, a_late_waiter_is_out_of_the_line_before_it_resumes) {
  const auto s = make(2);
  owned a = s->wait(in(1h), log, 'a');
  owned b = s->wait(log, 'b');
  start(a);
  start(b);
  ex.clock.advance_to(platform::now() + 59min);
  EXPECT_TRUE(ex.is_idle()) << "not before its time";
  ex.clock.advance_to(platform::now() + 1h);
  ASSERT_TRUE(s->let_in());  // `a` has left, but has not run yet.
  ex.run_all();
  expect_only_the_second();
  EXPECT_TRUE(a.done() && b.done());
  expect_free(*s);
}

TEST_P(Conformance, a_stopped_waiter_is_out_of_the_line_before_it_resumes) {
  const auto s = make(2);
  owned a = s->wait({source.get_token()}, log, 'a');
  owned b = s->wait(log, 'b');
  start(a);
  start(b);
  source.request_stop();
  EXPECT_EQ(log, "") << "no task runs inside the request";
  ASSERT_TRUE(s->let_in());
  ex.run_all();
  expect_only_the_second();
  EXPECT_TRUE(a.done() && b.done());
  expect_free(*s);
}

TEST_P(Conformance, all_may_leave_at_once) {
  const auto s = make(3);
  owned a = s->wait({source.get_token()}, log, 'a');
  owned b = s->wait(in(1h), log, 'b');
  owned c = s->wait(in(1h, source.get_token()), log, 'c');
  for (owned* const task : {&a, &b, &c}) start(*task);
  source.request_stop();
  ex.clock.ring_all();
  ex.run_all();
  EXPECT_EQ(log, "---");
  EXPECT_TRUE(ex.clock.is_empty());
  static_cast<void>(s->let_in());
  expect_free(*s);
}

TEST_P(Conformance, a_task_that_is_destroyed_while_it_waits_leaves_the_line) {
  const auto s = make(3);
  std::optional<owned> a{s->wait(in(1h, source.get_token()), log, 'a')};
  std::optional<owned> b{s->wait(log, 'b')};
  owned c = s->wait(log, 'c');
  start(*a);
  start(*b);
  start(c);
  a.reset();
  EXPECT_TRUE(ex.clock.is_empty());
  b.reset();
  source.request_stop();
  ASSERT_TRUE(s->let_in());
  ex.run_all();
  EXPECT_EQ(log, "c");
  EXPECT_TRUE(c.done());
  expect_free(*s);
}

TEST_P(Conformance, a_waiter_that_leaves_after_a_later_one_blocks_no_other) {
  const auto s = make(4);
  std::stop_source later;
  owned a = s->wait(log, 'a');
  owned b = s->wait({later.get_token()}, log, 'b');
  owned c = s->wait({source.get_token()}, log, 'c');
  owned d = s->wait(log, 'd');
  for (owned* const task : {&a, &b, &c, &d}) start(*task);
  source.request_stop();
  ex.run_all();
  later.request_stop();
  ex.run_all();
  EXPECT_EQ(log, "--");
  ASSERT_TRUE(s->let_in());
  ex.run_all();
  EXPECT_EQ(log, "--ad");
  expect_free(*s);
}

// --- Decided once.

TEST_P(Conformance, W1_a_timeout_or_stop_after_the_grant_changes_nothing) {
  const auto s = make(1);
  owned a = s->wait(in(1h, source.get_token()), log, 'a');
  start(a);
  ASSERT_TRUE(s->let_in());
  const std::size_t ready = ex.ready().size();
  ex.clock.ring_all();
  source.request_stop();
  EXPECT_EQ(ex.ready().size(), ready) << "it was made ready once";
  ex.run_all();
  EXPECT_EQ(log, "a");
  EXPECT_TRUE(a.done());
  expect_free(*s);
}

TEST_P(Conformance, W1_a_timeout_and_a_stop_end_the_wait_once) {
  const auto s = make(1);
  owned a = s->wait(in(1h, source.get_token()), log, 'a');
  start(a);
  ex.clock.ring_all();
  source.request_stop();
  EXPECT_EQ(ex.ready().size(), 1U);
  ex.run_all();
  EXPECT_EQ(log, "-");
  static_cast<void>(s->let_in());
  expect_free(*s);
}

TEST_P(Conformance, a_grant_between_the_look_and_the_wait_is_taken) {
  for (const bool is_limited : {false, true}) {
    const auto s = make(1);
    bool has_come = false;
    std::optional<owned> other;
    log.clear();
    s->before_it_joins = [&] {
      has_come = true;
      if (s->let_in()) return;
      other.emplace(s->let_in_awaited(log));  // It waits until there is a task to let in.
      run_nested(other->handle());
    };
    owned a =
        is_limited ? s->wait(in(1h, source.get_token()), log, 'a') : s->wait(log, 'a');
    start(a);
    if (!has_come) {
      static_cast<void>(s->let_in());
      ex.run_all();
      GTEST_SKIP() << "a wait is a coroutine";
    }
    EXPECT_NE(log.find('a'), std::string::npos);
    EXPECT_TRUE(a.done() && (!other || other->done()));
    EXPECT_TRUE(ex.clock.is_empty());
    expect_free(*s);
  }
}

TEST_P(Conformance, W2_a_grant_during_arming_is_taken) {
  const auto s = make(1);
  bool is_let_in = false;
  ex.clock.on_set = [&] { is_let_in = s->let_in(); };
  owned a = s->wait(in(1h), log, 'a');
  step_without_suspension(a);
  EXPECT_TRUE(is_let_in);
  EXPECT_EQ(log, "a");
  EXPECT_TRUE(ex.clock.is_empty());
  expect_free(*s);
}

TEST_P(Conformance, W2_a_hand_over_during_arming_makes_no_task_ready) {
  const auto s = make(1);
  owned self = s->let_in_awaited(log);
  owned heir = s->wait(in(1h), log, 'a');
  ex.clock.on_set = [&] { run_nested(self.handle()); };
  start(heir);
  EXPECT_TRUE(log == "a." || log == ".a") << log;
  EXPECT_TRUE(heir.done() && self.done());
  const auto& requests = ex.requests();
  const auto is_heir = [&](const auto& each) { return each.task == heir.handle(); };
  const auto times = std::count_if(requests.begin(), requests.end(), is_heir);
  // Once to start it, and at most once more to take a mutex back.
  EXPECT_LE(times, what.takes_mutex_back ? 2 : 1);
  EXPECT_TRUE(ex.clock.is_empty());
  expect_free(*s);
}

TEST_P(Conformance, W2_a_timeout_during_arming_ends_the_wait) {
  const auto s = make(1);
  ex.clock.on_set = [this] { ex.clock.ring_all(); };
  owned a = s->wait(in(1h), log, 'a');
  step_without_suspension(a);
  EXPECT_EQ(log, "-");
  static_cast<void>(s->let_in());
  expect_free(*s);
}

// --- What runs where.

TEST_P(Conformance, the_hand_off_decides_which_task_continues_here) {
  const auto s = make(1);
  owned heir = s->wait(log, 'a');
  start(heir);
  owned self = s->let_in_awaited(log);
  self.start_on(ex);
  const std::size_t before = ex.resumptions().size();
  ASSERT_TRUE(ex.step(1));
  const auto& ready = ex.ready();
  switch (what.awaited) {
    case hand_over::exchanged:
      EXPECT_EQ(log, "a") << "the heir has run, and self has not gone on";
      EXPECT_GE(ex.resumptions().size(), before + 2);
      EXPECT_EQ(ex.resumptions().back().worker, 1U) << "on the same worker";
      ASSERT_EQ(ready.size(), 1U);
      EXPECT_EQ(ready[0].task, self.handle());
      break;
    case hand_over::dispatched:
      EXPECT_EQ(log, ".") << "self has gone on, and the heir has not run";
      EXPECT_EQ(ex.resumptions().size(), before + 1);
      EXPECT_EQ(ready.size(), 1U);
      break;
    case hand_over::nested:
      EXPECT_EQ(log, "a.");
      EXPECT_TRUE(ready.empty());
      break;
    case hand_over::combined:
      EXPECT_EQ(log, "a");
      EXPECT_EQ(ex.resumptions().size(), before + 1) << "no task is resumed for a section";
      ASSERT_EQ(ready.size(), 2U);
      EXPECT_EQ(ready[0].task, self.handle());
      EXPECT_EQ(ready[1].task, heir.handle());
      break;
    case hand_over::run_nested:
      EXPECT_EQ(log, "a.");
      EXPECT_EQ(ex.resumptions().size(), before + 1) << "no task is resumed for a section";
      ASSERT_EQ(ready.size(), 1U);
      EXPECT_EQ(ready[0].task, heir.handle());
  }
  ex.run_all();
  EXPECT_TRUE(heir.done() && self.done());
}

TEST_P(Conformance, letting_in_several_runs_the_first_here_and_schedules_the_caller_last) {
  if (!what.in_one_batch) GTEST_SKIP() << "they are let in one after the other";
  if (what.awaited != hand_over::exchanged) GTEST_SKIP() << "it goes on itself";
  const auto s = make(3);
  owned a = s->wait(log, 'a');
  owned b = s->wait(log, 'b');
  owned c = s->wait(log, 'c');
  for (owned* const task : {&a, &b, &c}) start(*task);
  owned self = s->let_in_awaited(log);
  self.start_on(ex);
  ASSERT_TRUE(ex.step(1));
  EXPECT_EQ(log, "a");
  EXPECT_EQ(ex.resumptions().back(), (manual_executor::resumption{1, a.handle()}));
  const auto& ready = ex.ready();
  ASSERT_EQ(ready.size(), 3U);
  EXPECT_EQ(ready[0].task, b.handle());
  EXPECT_EQ(ready[1].task, c.handle());
  EXPECT_EQ(ready[2].task, self.handle());
  ex.run_all();
  EXPECT_EQ(log, "abc.");
}

TEST_P(Conformance, several_that_are_let_in_are_scheduled_in_one_batch) {
  if (!what.in_one_batch) GTEST_SKIP() << "they are let in one after the other";
  const auto s = make(3);
  testing::frugal_executor batching;
  owned a = s->wait(log, 'a');
  owned b = s->wait(log, 'b');
  owned c = s->wait(log, 'c');
  for (owned* const task : {&a, &b, &c}) task->start_on(batching);
  batching.run_all();
  batching.portions.clear();
  if (what.awaited == hand_over::exchanged) {
    owned self = s->let_in_awaited(log);
    self.start_on(batching);
    batching.run_all();
    EXPECT_EQ(batching.portions, (std::vector<int>{1, 2, 1})) << "self, b and c, self";
    EXPECT_EQ(log, "abc.");
  } else {
    ASSERT_TRUE(s->let_in());
    EXPECT_EQ(batching.portions, (std::vector<int>{3}));
    batching.run_all();
    EXPECT_EQ(log, "abc");
  }
}

TEST_P(Conformance, letting_in_inside_another_section_does_not_suspend) {
  const auto s = make(1);
  owned heir = s->wait(log, 'a');
  start(heir);
  const owned self = s->let_in_awaited(log);
  {
    const worker_scope scope{ex};
    detail::current().locks_held = 2;  // One of them may be the one that it passes on.
    self.run();
    detail::current().locks_held = 0;
  }
  EXPECT_TRUE(self.done()) << "it was not suspended inside the section";
  ex.run_all();
  EXPECT_TRUE(heir.done());
}

// --- Without an executor.

TEST_P(Conformance, a_homeless_task_resumes_inside_the_call_that_lets_it_in) {
  const auto s = make(1);
  const owned a = s->wait(log, 'a');
  a.run();
  EXPECT_EQ(log, "");
  ASSERT_TRUE(s->let_in());
  EXPECT_EQ(log, "a");
  EXPECT_TRUE(a.done());
}

TEST_P(Conformance, a_homeless_task_resumes_inside_the_stop_request) {
  const auto s = make(1);
  const owned a = s->wait({source.get_token()}, log, 'a');
  a.run();
  source.request_stop();
  EXPECT_EQ(log, "-");
  EXPECT_TRUE(a.done());
  static_cast<void>(s->let_in());
}

TEST_P(Conformance, a_plain_thread_sends_home_the_tasks_it_lets_in) {
  const auto s = make(1);
  owned a = s->wait(log, 'a');
  start(a);
  const owned self = s->let_in_awaited(log);
  self.run();
  EXPECT_EQ(log, ".");
  EXPECT_FALSE(ex.is_idle());
  ex.run_all();
  EXPECT_TRUE(a.done());
}

// --- Functions that throw.

TEST_P(Conformance, an_exception_reaches_its_waiter_and_the_next_one_is_let_in) {
  const auto s = make(2);
  std::optional<owned> a = s->wait_and_throw(log);
  if (!a) {
    static_cast<void>(s->let_in());
    GTEST_SKIP() << "nothing is called";
  }
  owned b = s->wait(log, 'b');
  start(*a);
  start(b);
  ASSERT_TRUE(s->let_in());
  ex.run_all();
  EXPECT_TRUE(log == "!b" || log == "b!") << log;
  EXPECT_TRUE(a->done() && b.done());
  expect_free(*s);
}

// --- Plain threads.

TEST_P(Conformance, a_plain_thread_waits_and_is_let_in) {
  const auto s = make(1);
  s->has_threads = true;
  std::atomic<bool> is_over{false};
  bool is_granted = false;
  std::thread blocking{[&] {
    is_granted = s->wait_blocking(in(1h));
    is_over.store(true);
  }};
  while (!s->let_in() && !is_over.load()) std::this_thread::yield();
  blocking.join();
  EXPECT_TRUE(is_granted);
}

TEST_P(Conformance, a_plain_thread_waits_as_long_as_it_takes) {
  const auto s = make(1);
  s->has_threads = true;
  std::atomic<bool> is_over{false};
  std::thread blocking{[&] {
    s->wait_blocking();
    is_over.store(true);
  }};
  while (!s->let_in() && !is_over.load()) std::this_thread::yield();
  blocking.join();
}

TEST_P(Conformance, a_plain_thread_may_be_late_or_told_to_stop) {
  const auto s = make(2);
  EXPECT_FALSE(s->wait_blocking({platform::now() + 1ms, {}}));
  source.request_stop();
  EXPECT_FALSE(s->wait_blocking({source.get_token()}));
  static_cast<void>(s->let_in());
  expect_free(*s);
}

TEST_P(Conformance, a_plain_thread_may_be_told_to_stop_by_another_one) {
  const auto s = make(1);
  std::thread telling{[&] { source.request_stop(); }};
  EXPECT_FALSE(s->wait_blocking({source.get_token()}));
  telling.join();
  static_cast<void>(s->let_in());
  expect_free(*s);
}

// --- Cost.

/// Runs three waits: one without limits, one that is late and one granted in time.
/// `let_in` runs on an executor that never allocates.  Returns the number of allocations.
class counted_waits {
 public:
  explicit counted_waits(subject& s) : s_{s} { log.reserve(16); }

  template <class LetIn>
  std::uint64_t run(LetIn let_in) {
    owned granted = s_.wait(log, 'a');
    owned late = s_.wait(in(1h, stop.get_token()), log, 'b');
    owned in_time = s_.wait(in(3h, stop.get_token()), log, 'c');
    const std::uint64_t before = testing::allocations();
    for (owned* const task : {&granted, &late, &in_time}) {
      task->start_on(frugal);
      frugal.run_all();
    }
    frugal.clock.advance_to(platform::now() + 2h);
    frugal.run_all();
    let_in(frugal);
    frugal.run_all();
    return testing::allocations() - before;
  }

  testing::frugal_executor frugal;
  std::stop_source stop;
  std::string log;

 private:
  subject& s_;
};

TEST_P(Conformance, no_wait_allocates_however_it_ends) {
  if (what.allocates && !config::recycles_frames) GTEST_SKIP() << "frames are not kept";
  // A wait that makes a coroutine reuses the frame of an earlier one.
  const int rounds = what.allocates ? 2 : 1;
  for (int round = 1; round <= rounds; ++round) {
    const auto s = make(3);
    counted_waits waits{*s};
    bool is_let_in = false;
    const std::uint64_t allocated = waits.run([&](auto&) { is_let_in = s->let_in(); });
    if (round == rounds) {
      EXPECT_EQ(allocated, 0U);
    }
    EXPECT_TRUE(is_let_in);
    EXPECT_EQ(waits.log, "-ac");
  }
}

TEST_P(Conformance, no_hand_over_allocates) {
  if (what.allocates) GTEST_SKIP() << "a wait makes a coroutine";
  const auto s = make(3);
  counted_waits waits{*s};
  owned self = s->let_in_awaited(waits.log);
  EXPECT_EQ(waits.run([&](executor& on) { self.start_on(on); }), 0U);
  EXPECT_TRUE(self.done());
  std::sort(waits.log.begin(), waits.log.end());
  EXPECT_EQ(waits.log, "-.ac");
}

INSTANTIATE_TEST_SUITE_P(Primitives, Conformance, ::testing::ValuesIn(all_kinds()),
                         [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace hotseat::conformance
