// hotseat/tests/conformance/conformance_test.cpp — what all primitives promise to those who
// wait, checked for each of them under each hand-off.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <conformance/subject.hpp>
#include <cstddef>
#include <cstdint>
#include <hotseat/platform/clock.hpp>
#include <hotseat/platform/config.hpp>
#include <hotseat/sched/limits.hpp>
#include <hotseat/sched/run.hpp>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <support/counted_new.hpp>
#include <support/frugal_executor.hpp>
#include <support/manual_executor.hpp>
#include <thread>
#include <vector>

namespace hotseat::conformance {
namespace {

using namespace std::chrono_literals;
using testing::manual_executor;

std::vector<subject_kind> all_kinds() {
  std::vector<subject_kind> all;
  for (auto list : {locks(), scopes(), sections(), values(), gates(), channels()}) {
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

  /// Starts a task, and lets a worker run it until it suspends or ends.
  void step(owned& task) {
    task.start_on(ex);
    ASSERT_TRUE(ex.step());
  }

  /// The same where the wait ends before the task could suspend.  One that takes its mutex
  /// back does so in turn.
  void step_without_suspension(owned& task) {
    step(task);
    if (what.takes_mutex_back) ex.run_all();
    EXPECT_TRUE(task.done()) << "it went on by itself";
    EXPECT_TRUE(ex.is_idle());
  }

  /// Of two, the first has left and the second was let in.
  void expect_only_the_second() const {
    if (what.looks_again) {
      EXPECT_EQ(log, "ab");
    } else {
      EXPECT_TRUE(log == "-b" || log == "b-") << log;
    }
  }

  /// What was given back is there for the next one.
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
    EXPECT_EQ(ex.requests().size(), before + 1) << "nobody was scheduled";
    EXPECT_TRUE(ex.clock.is_empty());
    expect_free(*s);
  }
}

TEST_P(Conformance, a_time_that_has_passed_and_an_old_stop_still_take_what_is_free) {
  if (!what.can_be_free) GTEST_SKIP() << "it is never free";
  source.request_stop();
  const auto s = make(1);
  ASSERT_TRUE(s->let_in());
  owned a = s->wait(in(-1h, source.get_token()), log, 'a');
  step(a);
  EXPECT_EQ(log, "a");
  expect_free(*s);
}

TEST_P(Conformance, who_was_told_to_stop_before_does_not_wait) {
  source.request_stop();
  const auto s = make(1);
  owned a = s->wait({std::nullopt, source.get_token()}, log, 'a');
  step_without_suspension(a);
  EXPECT_EQ(log, "-");
  static_cast<void>(s->let_in());
  ex.run_all();
  EXPECT_EQ(log, "-");
}

// --- Order.

TEST_P(Conformance, whoever_waits_is_let_in_in_order_of_arrival) {
  const auto s = make(4);
  owned a = s->wait(log, 'a');
  owned b = s->wait(in(1h), log, 'b');
  owned c = s->wait(log, 'c');
  owned d = s->wait(in(1h), log, 'd');
  for (owned* const task : {&a, &b, &c, &d}) start(*task);
  EXPECT_EQ(log, "");
  ASSERT_TRUE(s->let_in());
  ex.run_all();
  EXPECT_EQ(log, "abcd");
  EXPECT_TRUE(ex.clock.is_empty()) << "alarms are withdrawn";
  expect_free(*s);
}

TEST_P(Conformance, the_order_of_the_others_stays_whoever_leaves) {
  for (const char leaver : {'a', 'b', 'c', 'd'}) {
    const auto s = make(4);
    std::stop_source stop;
    std::vector<owned> tasks;
    std::string expected;
    log.clear();
    for (const char name : {'a', 'b', 'c', 'd'}) {
      if (name == leaver) {
        tasks.push_back(s->wait({std::nullopt, stop.get_token()}, log, name));
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

TEST_P(Conformance, who_is_too_late_is_out_of_the_line_before_it_goes_on) {
  const auto s = make(2);
  owned a = s->wait(in(1h), log, 'a');
  owned b = s->wait(log, 'b');
  start(a);
  start(b);
  ex.clock.advance_to(platform::now() + 59min);
  EXPECT_TRUE(ex.is_idle()) << "not before its time";
  ex.clock.advance_to(platform::now() + 1h);
  ASSERT_TRUE(s->let_in());  // It has left, and has not run yet.
  ex.run_all();
  expect_only_the_second();
  EXPECT_TRUE(a.done() && b.done());
  expect_free(*s);
}

TEST_P(Conformance, who_is_told_to_stop_is_out_of_the_line_before_it_goes_on) {
  const auto s = make(2);
  owned a = s->wait({std::nullopt, source.get_token()}, log, 'a');
  owned b = s->wait(log, 'b');
  start(a);
  start(b);
  source.request_stop();
  ASSERT_TRUE(s->let_in());
  ex.run_all();
  expect_only_the_second();
  EXPECT_TRUE(a.done() && b.done());
  expect_free(*s);
}

TEST_P(Conformance, all_may_leave_at_once) {
  const auto s = make(3);
  owned a = s->wait({std::nullopt, source.get_token()}, log, 'a');
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

// --- Decided once.

TEST_P(Conformance, W1_an_end_after_the_grant_changes_nothing) {
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

TEST_P(Conformance, W1_a_time_that_is_over_and_a_stop_end_it_once) {
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

TEST_P(Conformance, W2_a_grant_that_comes_while_it_arms_is_taken) {
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

TEST_P(Conformance, W2_a_hand_over_that_comes_while_it_arms_makes_nobody_ready) {
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
  // Started; and once more at most, to take a mutex back.
  EXPECT_LE(times, what.takes_mutex_back ? 2 : 1);
  EXPECT_TRUE(ex.clock.is_empty());
  expect_free(*s);
}

TEST_P(Conformance, W2_an_end_that_comes_while_it_arms_is_heard) {
  const auto s = make(1);
  ex.clock.on_set = [this] { ex.clock.ring_all(); };
  owned a = s->wait(in(1h), log, 'a');
  step_without_suspension(a);
  EXPECT_EQ(log, "-");
  static_cast<void>(s->let_in());
  expect_free(*s);
}

// --- Who runs where.

TEST_P(Conformance, the_hand_off_says_who_goes_on_here_and_who_is_scheduled) {
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
      EXPECT_EQ(ex.resumptions().size(), before + 1) << "nobody is resumed for a section";
      ASSERT_EQ(ready.size(), 2U);
      EXPECT_EQ(ready[0].task, self.handle());
      EXPECT_EQ(ready[1].task, heir.handle());
      break;
    case hand_over::run_nested:
      EXPECT_EQ(log, "a.");
      EXPECT_EQ(ex.resumptions().size(), before + 1) << "nobody is resumed for a section";
      ASSERT_EQ(ready.size(), 1U);
      EXPECT_EQ(ready[0].task, heir.handle());
  }
  ex.run_all();
  EXPECT_TRUE(heir.done() && self.done());
}

// --- Functions that throw.

TEST_P(Conformance, an_exception_inside_arrives_and_the_next_one_is_let_in) {
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

TEST_P(Conformance, a_plain_thread_may_be_late_or_told_to_stop) {
  const auto s = make(2);
  EXPECT_FALSE(s->wait_blocking({platform::now() + 1ms, {}}));
  source.request_stop();
  EXPECT_FALSE(s->wait_blocking({std::nullopt, source.get_token()}));
  static_cast<void>(s->let_in());
  expect_free(*s);
}

// --- Cost.

TEST_P(Conformance, no_wait_allocates_however_it_ends) {
  if (what.allocates && !config::recycles_frames) GTEST_SKIP() << "frames are not kept";
  // One that makes a coroutine finds the frame of an earlier one.
  const int rounds = what.allocates ? 2 : 1;
  for (int round = 1; round <= rounds; ++round) {
    const auto s = make(3);
    testing::frugal_executor frugal;
    std::stop_source stop;
    log.clear();
    log.reserve(16);
    owned granted = s->wait(log, 'a');
    owned late = s->wait(in(1h, stop.get_token()), log, 'b');
    owned in_time = s->wait(in(3h, stop.get_token()), log, 'c');
    const std::uint64_t before = testing::allocations();
    for (owned* const task : {&granted, &late, &in_time}) {
      task->start_on(frugal);
      frugal.run_all();
    }
    frugal.clock.advance_to(platform::now() + 2h);
    frugal.run_all();
    const bool is_let_in = s->let_in();
    frugal.run_all();
    if (round == rounds) {
      EXPECT_EQ(testing::allocations(), before);
    }
    EXPECT_TRUE(is_let_in);
    EXPECT_EQ(log, "-ac");
  }
}

INSTANTIATE_TEST_SUITE_P(Primitives, Conformance, ::testing::ValuesIn(all_kinds()),
                         [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace hotseat::conformance
