// hotseat/tests/unit/sched/release_operation_test.cpp — letting waiters in.
#include <gtest/gtest.h>

#include <cstddef>
#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/sched/current.hpp>
#include <hotseat/sched/handoff.hpp>
#include <hotseat/sched/release_operation.hpp>
#include <string>
#include <support/manual_executor.hpp>
#include <support/probes.hpp>
#include <type_traits>
#include <utility>

namespace hotseat {
namespace {

using testing::manual_executor;
using testing::owned;

/// Lets in all waiters.
struct open_door {
  waiter_queue& line;
  waiter_queue release() noexcept { return std::exchange(line, waiter_queue{}); }
};
/// Lets in the first waiter.
struct narrow_door {
  waiter_queue& line;
  line_waiter* release() noexcept {
    return line.empty() ? nullptr : &static_cast<line_waiter&>(line.pop_front());
  }
};
/// Lets in the first waiter; the caller leaves a section.
struct door_of_section : narrow_door {
  [[nodiscard]] const void* section() const noexcept { return &line; }
};

template <class Handoff>
using let_in_operation = detail::release_operation<open_door, Handoff>;

static_assert(!std::is_copy_constructible_v<let_in_operation<handoff::exchange>>);
static_assert(std::is_same_v<let_in_operation<handoff::exchange>,
                             detail::release_operation<open_door>>);
static_assert(!detail::guards_section<narrow_door>);
static_assert(detail::guards_section<door_of_section>);
static_assert(!detail::may_be_delegated_to<door_of_section>);

owned wait_in(waiter_queue& line, std::string& log, char name) {
  co_await testing::stand_in{line};
  log += name;
}

template <class Handoff>
owned let_in(waiter_queue& line, std::string& log) {
  let_in_operation<Handoff> operation{{line}};
  co_await operation;
  log += '.';
}

/// What three waiters and the task that lets them in log, on one worker.
template <class Handoff>
std::string order_of() {
  manual_executor ex{1};
  waiter_queue line;
  std::string log;
  owned a = wait_in(line, log, 'a');
  owned b = wait_in(line, log, 'b');
  owned c = wait_in(line, log, 'c');
  owned last = let_in<Handoff>(line, log);
  for (owned* const task : {&a, &b, &c, &last}) task->start_on(ex);
  ex.run_all();
  return log;
}

TEST(ReleaseOperation, exchanges_with_the_first_and_schedules_the_rest_and_the_caller) {
  EXPECT_EQ(order_of<handoff::exchange>(), "abc.");
}

TEST(ReleaseOperation, dispatch_goes_on) {
  EXPECT_EQ(order_of<handoff::dispatch>(), ".abc");
}

TEST(ReleaseOperation, resume_inline_runs_them_all_first) {
  EXPECT_EQ(order_of<handoff::resume_inline>(), "abc.");
}

TEST(ReleaseOperation, goes_on_if_no_task_waits) {
  manual_executor ex{1};
  waiter_queue empty;
  std::string log;
  owned task = let_in<handoff::exchange>(empty, log);
  task.start_on(ex);
  ASSERT_TRUE(ex.step());
  EXPECT_EQ(log, ".");
  EXPECT_EQ(ex.requests().size(), 1U);
}

/// Releases while it owns one lock, and logs how many it owns afterwards.
template <class Door>
owned release_with_one_lock(waiter_queue& line, std::string& log) {
  detail::current().locks_held = 1;
  detail::release_operation<Door> operation{Door{line}};
  co_await operation;
  log += std::to_string(detail::current().locks_held);
}

TEST(ReleaseOperation, one_heir_continues_here_and_the_caller_is_scheduled) {
  manual_executor ex{2};
  waiter_queue line;
  std::string log;
  owned a = wait_in(line, log, 'a');
  owned b = wait_in(line, log, 'b');
  const auto let_one_in = [](waiter_queue& in, std::string& to) -> owned {
    detail::release_operation<narrow_door> operation{{in}};
    co_await operation;
    to += '.';
  };
  owned self = let_one_in(line, log);
  a.start_on(ex);
  b.start_on(ex);
  ex.run_all();
  self.start_on(ex);
  ASSERT_TRUE(ex.step(1));
  EXPECT_EQ(log, "a");
  EXPECT_EQ(ex.resumptions().back(), (manual_executor::resumption{1, a.handle()}));
  EXPECT_TRUE(ex.is_ready(self.handle()));
  ex.run_all();
  EXPECT_EQ(log, "a.") << "b still waits";
}

TEST(ReleaseOperation, a_task_that_leaves_its_only_section_exchanges) {
  manual_executor ex{1};
  waiter_queue line;
  std::string log;
  owned heir = wait_in(line, log, 'a');
  owned self = release_with_one_lock<door_of_section>(line, log);
  heir.start_on(ex);
  self.start_on(ex);
  ex.run_all();
  EXPECT_EQ(log, "a0");
}

TEST(ReleaseOperation, a_task_that_is_still_inside_a_section_goes_on) {
  manual_executor ex{1};
  waiter_queue line;
  std::string log;
  owned heir = wait_in(line, log, 'a');
  owned self = release_with_one_lock<narrow_door>(line, log);
  heir.start_on(ex);
  self.start_on(ex);
  ex.run_all();
  EXPECT_EQ(log, "1a");
}

TEST(ReleaseAndDispatch, the_waiters_are_scheduled_and_counted) {
  manual_executor ex{1};
  waiter_queue line;
  std::string log;
  owned a = wait_in(line, log, 'a');
  owned b = wait_in(line, log, 'b');
  a.start_on(ex);
  b.start_on(ex);
  ex.run_all();
  EXPECT_EQ(detail::release_and_dispatch(open_door{line}), 2U);
  EXPECT_EQ(log, "") << "nothing runs inside the call";
  ex.run_all();
  EXPECT_EQ(log, "ab");
  EXPECT_EQ(detail::release_and_dispatch(open_door{line}), 0U);
}

}  // namespace
}  // namespace hotseat
