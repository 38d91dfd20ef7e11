// hotseat/tests/unit/sched/wait_operation_test.cpp — what all waiting has in common, shown
// on the smallest primitive there can be.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/waiter_line.hpp>
#include <hotseat/sched/limits.hpp>
#include <hotseat/sched/this_thread.hpp>
#include <hotseat/sched/wait_operation.hpp>
#include <optional>
#include <stop_token>
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

/// Lets one task through each time it is told to; for one thread.
class turnstile {
 public:
  class pass_operation;
  class try_pass_operation;
  pass_operation pass() noexcept;
  try_pass_operation try_pass(wait_limits what) noexcept;

  /// Who is next goes through, or whoever comes next.
  void admit() {
    if (line.empty()) {
      is_open = true;
    } else if (line_waiter& heir = line.pop_front(); heir.settle(outcome::granted)) {
      dispatch_task(heir);
    }
  }

  [[nodiscard]] bool join(line_waiter& who) noexcept {
    if (std::exchange(is_open, false)) return true;
    line.push_back(who);
    return false;
  }
  [[nodiscard]] bool leave(line_waiter& who) noexcept {
    if (!who.is_in_line) return false;
    line.remove(who);
    return true;
  }

  bool is_open = false;
  waiter_line line;
};

class turnstile::pass_operation : public wait_operation<pass_operation> {
 public:
  explicit pass_operation(turnstile& t) noexcept : t_{t} {}
  ~pass_operation() { abandon(); }
  static bool await_ready() noexcept { return false; }
  void await_resume() noexcept { end(); }
  [[nodiscard]] bool join() noexcept { return t_.join(*this); }
  [[nodiscard]] bool leave() noexcept { return t_.leave(*this); }

 private:
  turnstile& t_;
};

class turnstile::try_pass_operation : public limited_operation<try_pass_operation> {
 public:
  try_pass_operation(turnstile& t, wait_limits what) noexcept
      : limited_operation{std::move(what)}, t_{t} {}
  ~try_pass_operation() { abandon(); }
  static bool await_ready() noexcept { return false; }
  bool await_resume() noexcept { return end(); }
  [[nodiscard]] bool join() noexcept { return t_.join(*this); }
  [[nodiscard]] bool leave() noexcept { return t_.leave(*this); }

 private:
  turnstile& t_;
};

turnstile::pass_operation turnstile::pass() noexcept { return pass_operation{*this}; }
turnstile::try_pass_operation turnstile::try_pass(wait_limits what) noexcept {
  return try_pass_operation{*this, std::move(what)};
}

static_assert(!std::is_copy_constructible_v<turnstile::pass_operation>);
static_assert(noexcept(std::declval<turnstile&>().pass().await_suspend(nullptr)));
static_assert(!noexcept(std::declval<turnstile&>().try_pass({}).await_suspend(nullptr)),
              "there may be no clock");

owned pass_once(turnstile& t, std::uint32_t locks, std::vector<std::uint32_t>& after) {
  this_thread().locks_held = locks;
  co_await t.pass();
  after.push_back(this_thread().locks_held);
}

owned try_once(turnstile& t, wait_limits what, std::optional<bool>& result) {
  auto operation = t.try_pass(std::move(what));
  result = co_await operation;
}

class WaitOperation : public ::testing::Test {
 protected:
  const wait_limits an_hour{platform::now() + 1h, {}};
  manual_executor ex{2};
  turnstile t;
  std::vector<std::uint32_t> locks;
  std::optional<bool> result;
};

TEST_F(WaitOperation, does_not_suspend_where_there_is_nothing_to_wait_for) {
  t.admit();
  owned task = pass_once(t, 3, locks);
  task.start_on(ex);
  ASSERT_TRUE(ex.step());
  EXPECT_TRUE(task.done());
  EXPECT_EQ(locks, std::vector<std::uint32_t>{3});
}

TEST_F(WaitOperation, goes_on_at_home_with_its_locks) {
  owned task = pass_once(t, 3, locks);
  task.start_on(ex);
  ASSERT_TRUE(ex.step(0));
  EXPECT_FALSE(task.done());
  t.admit();
  EXPECT_TRUE(ex.is_ready(task.handle()));
  ASSERT_TRUE(ex.step(1));
  EXPECT_EQ(locks, std::vector<std::uint32_t>{3});
}

TEST_F(WaitOperation, waits_on_a_thread_without_an_executor_as_well) {
  const owned task = pass_once(t, 0, locks);
  task.run();
  EXPECT_FALSE(task.done());
  t.admit();
  EXPECT_TRUE(task.done());
}

TEST_F(WaitOperation, a_task_that_is_destroyed_while_it_waits_leaves_the_line) {
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

TEST_F(WaitOperation, one_that_was_never_awaited_is_in_no_line) {
  static_cast<void>(turnstile::pass_operation{t});
  static_cast<void>(turnstile::try_pass_operation{t, an_hour});
  EXPECT_TRUE(t.line.empty());
}

TEST_F(WaitOperation, with_limits_it_gives_true_where_there_is_nothing_to_wait_for) {
  t.admit();
  owned task = try_once(t, an_hour, result);
  task.start_on(ex);
  ASSERT_TRUE(ex.step());
  EXPECT_EQ(result, true);
  EXPECT_TRUE(ex.clock.is_empty());
}

TEST_F(WaitOperation, with_limits_it_gives_true_when_it_was_granted_in_time) {
  owned task = try_once(t, an_hour, result);
  task.start_on(ex);
  ex.run_all();
  t.admit();
  ex.run_all();
  EXPECT_EQ(result, true);
  EXPECT_TRUE(ex.clock.is_empty()) << "the alarm is withdrawn";
}

TEST_F(WaitOperation, with_limits_it_gives_false_when_the_time_is_over) {
  owned task = try_once(t, an_hour, result);
  task.start_on(ex);
  ex.run_all();
  ex.clock.ring_all();
  ex.run_all();
  EXPECT_EQ(result, false);
  EXPECT_TRUE(t.line.empty());
}

TEST_F(WaitOperation, with_limits_it_gives_false_when_told_to_stop) {
  std::stop_source source;
  owned task = try_once(t, {std::nullopt, source.get_token()}, result);
  task.start_on(ex);
  ex.run_all();
  source.request_stop();
  ex.run_all();
  EXPECT_EQ(result, false);
}

TEST_F(WaitOperation, one_that_left_has_its_locks_still) {
  std::stop_source source;
  source.request_stop();
  const auto stopped_at_once = [](turnstile& at, std::stop_source& by,
                                  std::vector<std::uint32_t>& after) -> owned {
    this_thread().locks_held = 2;
    auto operation = at.try_pass({std::nullopt, by.get_token()});
    static_cast<void>(co_await operation);
    after.push_back(this_thread().locks_held);
  };
  owned task = stopped_at_once(t, source, locks);
  task.start_on(ex);
  ex.run_all();
  EXPECT_EQ(locks, std::vector<std::uint32_t>{2});
}

TEST_F(WaitOperation, with_limits_it_leaves_the_line_and_the_clock_when_it_is_destroyed) {
  std::stop_source source;
  {
    owned task = try_once(t, {an_hour.due, source.get_token()}, result);
    task.start_on(ex);
    ex.run_all();
    EXPECT_FALSE(t.line.empty());
  }
  EXPECT_TRUE(t.line.empty());
  EXPECT_TRUE(ex.clock.is_empty());
  source.request_stop();
  EXPECT_TRUE(ex.is_idle());
}

// It joins the line first, so that nobody waits behind it who came later; then it may be
// granted before it has set its alarm.
TEST_F(WaitOperation, one_that_is_granted_while_it_arms_does_not_suspend) {
  ex.clock.on_set = [this] { t.admit(); };
  owned task = try_once(t, an_hour, result);
  task.start_on(ex);
  ASSERT_TRUE(ex.step());
  EXPECT_TRUE(task.done());
  EXPECT_EQ(result, true);
  EXPECT_TRUE(ex.clock.is_empty());
  EXPECT_TRUE(ex.is_idle());
}

owned try_without_a_clock(turnstile& t, wait_limits what, bool& has_thrown) {
  auto operation = t.try_pass(std::move(what));
  try {
    static_cast<void>(co_await operation);
  } catch (const std::system_error&) {
    has_thrown = true;
  }
}

TEST_F(WaitOperation, one_that_gets_no_clock_throws_before_it_joins_the_line) {
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

}  // namespace
}  // namespace hotseat
