// hotseat/tests/unit/sched/acquire_operation_test.cpp — waiting in the line of a primitive,
// shown on the smallest possible primitive.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/waiter_line.hpp>
#include <hotseat/platform/config.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sched/acquire_operation.hpp>
#include <hotseat/sched/current.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/sched/wait_limits.hpp>
#include <hotseat/trace/recording.hpp>
#include <hotseat/trace/trace.hpp>
#include <optional>
#include <stop_token>
#include <support/manual_clock.hpp>
#include <support/manual_executor.hpp>
#include <support/probes.hpp>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

namespace hotseat {
namespace {

using namespace std::chrono_literals;
using testing::manual_executor;
using testing::owned;

/// Lets one task through each time it is told to; for one thread only.
class turnstile {
 public:
  /// What the operations see.
  struct pass_line {
    using waiter = line_waiter;
    turnstile& t;
    bool try_acquire(line_waiter&) noexcept { return std::exchange(t.is_open, false); }
    bool acquire_or_enqueue(line_waiter& w) noexcept {
      if (try_acquire(w)) return true;
      t.line.push_back(w);
      return false;
    }
    bool leave(line_waiter& w) noexcept {
      if (!w.is_in_line) return false;
      t.line.remove(w);
      return true;
    }
  };
  using pass_operation = detail::acquire_operation<pass_line>;
  using try_pass_operation = detail::acquire_operation<pass_line, detail::limited>;

  pass_operation pass() noexcept { return pass_operation{{*this}}; }
  try_pass_operation try_pass(wait_limits limits) noexcept {
    return try_pass_operation{{*this}, std::move(limits)};
  }

  /// Lets the next task in line through, or the next to come.
  void admit() {
    if (line.empty()) {
      is_open = true;
    } else if (line_waiter& heir = line.pop_front(); heir.settle(outcome::granted)) {
      dispatch_task(heir);
    }
  }

  bool is_open = false;
  waiter_line line;
};

static_assert(!std::is_copy_constructible_v<turnstile::pass_operation>);
static_assert(!std::is_move_constructible_v<turnstile::pass_operation>);
static_assert(noexcept(std::declval<turnstile&>().pass().await_suspend(nullptr)));
static_assert(!noexcept(std::declval<turnstile&>().try_pass({}).await_suspend(nullptr)),
              "there may be no clock");
static_assert(std::is_void_v<decltype(std::declval<turnstile&>().pass().await_resume())>);
static_assert(sizeof(turnstile::pass_operation) == sizeof(line_waiter) + sizeof(void*),
              "a place in line, and which line");

owned pass_once(turnstile& t, std::uint32_t locks, std::vector<std::uint32_t>& after) {
  detail::current().locks_held = locks;
  co_await t.pass();
  after.push_back(detail::current().locks_held);
}

owned try_once(turnstile& t, wait_limits limits, std::optional<bool>& result) {
  auto operation = t.try_pass(std::move(limits));
  result = co_await operation;
}

class AcquireOperation : public ::testing::Test {
 protected:
  const wait_limits an_hour{platform::now() + 1h, {}};
  manual_executor ex{2};
  turnstile t;
  std::vector<std::uint32_t> locks;
  std::optional<bool> result;
};

TEST_F(AcquireOperation, does_not_suspend_where_there_is_nothing_to_wait_for) {
  t.admit();
  owned task = pass_once(t, 3, locks);
  task.start_on(ex);
  ASSERT_TRUE(ex.step());
  EXPECT_TRUE(task.done());
  EXPECT_EQ(locks, std::vector<std::uint32_t>{3});
}

TEST_F(AcquireOperation, goes_on_at_home_with_its_locks) {
  owned task = pass_once(t, 3, locks);
  task.start_on(ex);
  ASSERT_TRUE(ex.step(0));
  EXPECT_FALSE(task.done());
  t.admit();
  EXPECT_TRUE(ex.is_ready(task.handle()));
  ASSERT_TRUE(ex.step(1));
  EXPECT_EQ(locks, std::vector<std::uint32_t>{3});
}

TEST_F(AcquireOperation, waits_on_a_thread_without_an_executor_as_well) {
  const owned task = pass_once(t, 0, locks);
  task.run();
  EXPECT_FALSE(task.done());
  t.admit();
  EXPECT_TRUE(task.done());
}

TEST_F(AcquireOperation, a_task_that_is_destroyed_while_it_waits_leaves_the_line) {
  owned before = pass_once(t, 0, locks);
  owned after = pass_once(t, 0, locks);
  before.start_on(ex);
  {
    owned destroyed = pass_once(t, 0, locks);
    destroyed.start_on(ex);
    ASSERT_TRUE(ex.step());
    ASSERT_TRUE(ex.step());
    after.start_on(ex);
    ex.run_all();
  }
  t.admit();
  t.admit();
  ex.run_all();
  EXPECT_TRUE(before.done() && after.done());
  EXPECT_TRUE(t.line.empty());
}

TEST_F(AcquireOperation, an_operation_that_is_never_awaited_is_in_no_line) {
  static_cast<void>(t.pass());
  static_cast<void>(t.try_pass(an_hour));
  EXPECT_TRUE(t.line.empty());
}

TEST_F(AcquireOperation, with_limits_it_gives_true_where_there_is_nothing_to_wait_for) {
  t.admit();
  owned task = try_once(t, an_hour, result);
  task.start_on(ex);
  ASSERT_TRUE(ex.step());
  EXPECT_EQ(result, true);
  EXPECT_TRUE(ex.clock.is_empty());
}

TEST_F(AcquireOperation, with_limits_it_gives_true_when_it_was_granted_in_time) {
  owned task = try_once(t, an_hour, result);
  task.start_on(ex);
  ex.run_all();
  t.admit();
  ex.run_all();
  EXPECT_EQ(result, true);
  EXPECT_TRUE(ex.clock.is_empty()) << "the alarm is withdrawn";
}

TEST_F(AcquireOperation, its_limits_are_over_before_the_task_goes_on) {
  const auto look_at_the_clock = [](turnstile& at, wait_limits limits,
                                    testing::manual_clock& clock,
                                    std::optional<bool>& is_empty) -> owned {
    auto operation = at.try_pass(std::move(limits));
    static_cast<void>(co_await operation);
    is_empty = clock.is_empty();  // The operation still exists.
  };
  owned task = look_at_the_clock(t, an_hour, ex.clock, result);
  task.start_on(ex);
  ex.run_all();
  t.admit();
  ex.run_all();
  EXPECT_EQ(result, true);
}

TEST_F(AcquireOperation, with_limits_it_gives_false_when_the_time_is_over) {
  owned task = try_once(t, an_hour, result);
  task.start_on(ex);
  ex.run_all();
  ex.clock.ring_all();
  ex.run_all();
  EXPECT_EQ(result, false);
  EXPECT_TRUE(t.line.empty());
}

TEST_F(AcquireOperation, with_limits_it_gives_false_when_told_to_stop) {
  std::stop_source source;
  owned task = try_once(t, {source.get_token()}, result);
  task.start_on(ex);
  ex.run_all();
  source.request_stop();
  ex.run_all();
  EXPECT_EQ(result, false);
}

TEST_F(AcquireOperation, a_task_that_has_left_owns_its_locks_still) {
  std::stop_source source;
  source.request_stop();
  const auto stopped_at_once = [](turnstile& at, std::stop_source& by,
                                  std::vector<std::uint32_t>& after) -> owned {
    detail::current().locks_held = 2;
    auto operation = at.try_pass({by.get_token()});
    static_cast<void>(co_await operation);
    after.push_back(detail::current().locks_held);
  };
  owned task = stopped_at_once(t, source, locks);
  task.start_on(ex);
  ex.run_all();
  EXPECT_EQ(locks, std::vector<std::uint32_t>{2});
}

TEST_F(AcquireOperation,
       with_limits_it_leaves_the_line_and_the_clock_when_it_is_destroyed) {
  std::stop_source source;
  {
    owned task = try_once(t, {*an_hour.due, source.get_token()}, result);
    task.start_on(ex);
    ex.run_all();
    EXPECT_FALSE(t.line.empty());
  }
  EXPECT_TRUE(t.line.empty());
  EXPECT_TRUE(ex.clock.is_empty());
  source.request_stop();
  EXPECT_TRUE(ex.is_idle());
}

// The task joins the line first, so that no later task gets in front of it; so it may be
// granted before it has set its alarm.
TEST_F(AcquireOperation, W2_a_task_that_is_granted_while_it_arms_does_not_suspend) {
  ex.clock.on_set = [this] { t.admit(); };
  owned task = try_once(t, an_hour, result);
  task.start_on(ex);
  ASSERT_TRUE(ex.step());
  EXPECT_TRUE(task.done());
  EXPECT_EQ(result, true);
  EXPECT_TRUE(ex.clock.is_empty());
  EXPECT_TRUE(ex.is_idle());
}

owned try_without_a_clock(turnstile& t, wait_limits limits, bool& has_thrown) {
  auto operation = t.try_pass(std::move(limits));
  try {
    static_cast<void>(co_await operation);
  } catch (const std::system_error&) {
    has_thrown = true;
  }
}

TEST_F(AcquireOperation, throws_before_it_joins_the_line_if_there_is_no_clock) {
  ex.clock.on_start = [] {
    throw std::system_error{
        std::make_error_code(std::errc::resource_unavailable_try_again)};
  };
  bool has_thrown = false;
  owned task = try_without_a_clock(t, an_hour, has_thrown);
  task.start_on(ex);
  ex.run_all();
  EXPECT_TRUE(has_thrown);
  EXPECT_TRUE(task.done());
  EXPECT_TRUE(t.line.empty());
}

// --- Between the look and the wait.

template <class Operation>
owned pass_interrupted(Operation& operation, std::function<void()>& in_between,
                       bool& has_passed) {
  co_await testing::interrupted(operation, in_between);
  has_passed = true;
}

TEST_F(AcquireOperation, takes_what_has_become_free_since_it_looked) {
  std::function<void()> in_between = [this] { t.admit(); };
  bool has_passed = false;
  auto operation = t.pass();
  owned task = pass_interrupted(operation, in_between, has_passed);
  task.start_on(ex);
  ASSERT_TRUE(ex.step());
  EXPECT_TRUE(has_passed) << "it did not suspend";
  EXPECT_TRUE(ex.is_idle());
}

TEST_F(AcquireOperation, with_limits_it_takes_what_has_become_free_since_it_looked) {
  const auto try_interrupted = [](turnstile& at, wait_limits limits,
                                  std::function<void()>& in_between,
                                  std::optional<bool>& passed) -> owned {
    auto operation = at.try_pass(std::move(limits));
    passed = co_await testing::interrupted(operation, in_between);
  };
  std::function<void()> in_between = [this] { t.admit(); };
  owned task = try_interrupted(t, an_hour, in_between, result);
  task.start_on(ex);
  ASSERT_TRUE(ex.step());
  EXPECT_EQ(result, true);
  EXPECT_TRUE(ex.clock.is_empty());
}

// --- Lines of locks, and lines with a result.

/// A task that passes enters a section.
struct lock_line : turnstile::pass_line {
  [[nodiscard]] const void* section() const noexcept { return &t; }
};

template <class... Limits>
owned enter_holding_one(turnstile& t, std::vector<std::uint32_t>& after, Limits... limits) {
  constexpr bool is_limited = sizeof...(Limits) != 0;
  using bound = std::conditional_t<is_limited, detail::limited, detail::unlimited>;
  detail::current().locks_held = 1;
  detail::acquire_operation<lock_line, bound> operation{{t}, std::move(limits)...};
  if constexpr (is_limited) {
    static_cast<void>(co_await operation);
  } else {
    co_await operation;
  }
  after.push_back(detail::current().locks_held);
}

TEST_F(AcquireOperation, a_task_that_enters_a_section_owns_one_lock_more) {
  owned waiting = enter_holding_one(t, locks);
  owned at_once = enter_holding_one(t, locks);
  waiting.start_on(ex);
  ex.run_all();
  t.admit();
  ex.run_all();
  t.admit();
  at_once.start_on(ex);
  ex.run_all();
  EXPECT_EQ(locks, (std::vector<std::uint32_t>{2, 2}));
}

TEST_F(AcquireOperation, a_task_that_does_not_enter_the_section_owns_what_it_owned) {
  owned late = enter_holding_one(t, locks, an_hour);
  owned in_time = enter_holding_one(t, locks, an_hour);
  late.start_on(ex);
  ex.run_all();
  ex.clock.ring_all();
  ex.run_all();
  EXPECT_EQ(locks, (std::vector<std::uint32_t>{1}));
  in_time.start_on(ex);
  ex.run_all();
  t.admit();
  ex.run_all();
  EXPECT_EQ(locks, (std::vector<std::uint32_t>{1, 2}));
}

// A lock may have become free between the look and the wait: then the task has not waited.
TEST_F(AcquireOperation, a_recording_tells_whether_the_task_has_waited) {
  if (!config::records_traces) GTEST_SKIP() << "built without the recorder";
  const auto enter_at_last = [](turnstile& at, std::function<void()>& in_between) -> owned {
    detail::acquire_operation<lock_line> operation{{at}};
    co_await testing::interrupted(operation, in_between);
  };
  const auto count_entries = [](const trace::recording& all, trace::entry how) {
    int count = 0;
    for (const trace::thread_events& thread : all.threads) {
      for (const trace::event& each : thread.events) {
        count += each.what == trace::kind::section_entered && each.number == how ? 1 : 0;
      }
    }
    return count;
  };
  std::function<void()> admit = [this] { t.admit(); };
  std::function<void()> nothing = [] {};
  const owned just_in_time = enter_at_last(t, admit);
  const owned waiting = enter_at_last(t, nothing);
  trace::start();
  just_in_time.run();
  EXPECT_TRUE(just_in_time.done());
  waiting.run();
  EXPECT_FALSE(waiting.done());
  t.admit();
  const trace::recording all = trace::stop();
  EXPECT_TRUE(waiting.done());
  EXPECT_EQ(count_entries(all, trace::entry_free), 1);
  EXPECT_EQ(count_entries(all, trace::entry_waited), 1);
  detail::current().locks_held = 0;  // Of the sections that they do not leave.
  detail::current().is_traced = false;
}

/// Returns how often it was tried; with limits, nothing unless it was granted.
struct giving_line : turnstile::pass_line {
  struct waiter : line_waiter {
    using line_waiter::line_waiter;
    int looks = 0;
  };
  bool try_acquire(waiter& w) noexcept {
    ++w.looks;
    return pass_line::try_acquire(w);
  }
  bool acquire_or_enqueue(waiter& w) noexcept {
    ++w.looks;
    return pass_line::acquire_or_enqueue(w);
  }
  static int result(const waiter& w) noexcept { return w.looks; }
  static std::optional<int> result(const waiter& w, bool is_granted) noexcept {
    if (!is_granted) return std::nullopt;
    return w.looks;
  }
};
using giving_operation = detail::acquire_operation<giving_line>;
using limited_giving_operation = detail::acquire_operation<giving_line, detail::limited>;
static_assert(
    std::is_same_v<int, decltype(std::declval<giving_operation&>().await_resume())>);

owned take(turnstile& t, std::vector<int>& given) {
  giving_operation operation{{t}};
  const int result = co_await operation;
  given.push_back(result);
}
owned take_in_time(turnstile& t, wait_limits limits,
                   std::vector<std::optional<int>>& given) {
  limited_giving_operation operation{{t}, std::move(limits)};
  const std::optional<int> result = co_await operation;
  given.push_back(result);
}

TEST_F(AcquireOperation, may_give_what_its_line_says) {
  std::vector<int> given;
  owned at_once = take(t, given);
  owned waiting = take(t, given);
  t.admit();
  at_once.start_on(ex);
  ex.run_all();
  waiting.start_on(ex);
  ex.run_all();
  t.admit();
  ex.run_all();
  EXPECT_EQ(given, (std::vector<int>{1, 2}));
}

TEST_F(AcquireOperation, with_limits_its_line_knows_whether_it_was_granted) {
  std::vector<std::optional<int>> given;
  owned in_time = take_in_time(t, an_hour, given);
  owned late = take_in_time(t, an_hour, given);
  in_time.start_on(ex);
  ex.run_all();
  t.admit();
  ex.run_all();
  late.start_on(ex);
  ex.run_all();
  ex.clock.ring_all();
  ex.run_all();
  EXPECT_EQ(given, (std::vector<std::optional<int>>{2, std::nullopt}));
}

}  // namespace
}  // namespace hotseat
