// hotseat/tests/unit/sched/handoff_test.cpp — the paper's three hand-offs, and what each
// runs where.
#include <gtest/gtest.h>

#include <algorithm>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sched/current.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/sched/handoff.hpp>
#include <hotseat/sched/worker_scope.hpp>
#include <optional>
#include <string>
#include <support/manual_executor.hpp>
#include <support/probes.hpp>
#include <vector>

namespace hotseat {
namespace {

using testing::manual_executor;
using verb = manual_executor::verb;

static_assert(handoff_policy<handoff::exchange>);
static_assert(handoff_policy<handoff::dispatch>);
static_assert(handoff_policy<handoff::resume_inline>);
static_assert(!handoff_policy<int>);

/// Claims that it may suspend, but takes only an heir, no suspended caller.
struct contradicting_policy {
  static constexpr bool may_suspend = true;
  static constexpr bool combines = false;
  static void hand_over(line_waiter&) noexcept {}
  static void hand_over_all(waiter_queue&) noexcept {}
};
static_assert(!handoff_policy<contradicting_policy>);
/// Its functions may throw, after the heir has been taken out of its line.
struct throwing_policy {
  static constexpr bool may_suspend = false;
  static constexpr bool combines = false;
  static void hand_over(line_waiter&) {}
  static void hand_over_all(waiter_queue&) {}
};
static_assert(!handoff_policy<throwing_policy>);
static_assert(handoff::exchange::may_suspend);
static_assert(!handoff::dispatch::may_suspend);
static_assert(!handoff::resume_inline::may_suspend);

/// The end of a section, as in unlock.
template <class Handoff>
class pass_on {
 public:
  explicit pass_on(waiter& heir) noexcept : heir_{static_cast<line_waiter&>(heir)} {}
  bool await_ready() noexcept {
    if constexpr (!Handoff::may_suspend) Handoff::hand_over(heir_);
    return !Handoff::may_suspend;
  }
  bool await_suspend(std::coroutine_handle<> self) noexcept {
    if constexpr (Handoff::may_suspend) {
      self_.task = self;
      self_.home = executor::current();
      return Handoff::hand_over(self_, heir_);
    }
    return false;
  }
  static void await_resume() noexcept {}

 private:
  waiter self_;
  line_waiter& heir_;
};

/// The same for all waiters in line.
template <class Handoff>
class pass_on_to_all {
 public:
  explicit pass_on_to_all(waiter_queue& heirs) noexcept : heirs_{heirs} {}
  bool await_ready() noexcept {
    if constexpr (!Handoff::may_suspend) Handoff::hand_over_all(heirs_);
    return !Handoff::may_suspend;
  }
  bool await_suspend(std::coroutine_handle<> self) noexcept {
    if constexpr (Handoff::may_suspend) {
      self_.task = self;
      self_.home = executor::current();
      return Handoff::hand_over_all(self_, heirs_);
    }
    return false;
  }
  static void await_resume() noexcept {}

 private:
  waiter self_;
  waiter_queue& heirs_;
};

struct step_of {
  char name;
  std::optional<unsigned> worker;
  friend bool operator==(const step_of&, const step_of&) = default;
};
using steps = std::vector<step_of>;

testing::owned waits(manual_executor& ex, waiter_queue& line, steps& log) {
  co_await testing::stand_in(line);
  log.push_back(step_of{'h', ex.current_worker()});
}

template <class Handoff>
testing::owned passes_on(manual_executor& ex, waiter_queue& line, steps& log) {
  log.push_back(step_of{'s', ex.current_worker()});
  co_await pass_on<Handoff>{line.pop_front()};
  log.push_back(step_of{'S', ex.current_worker()});
}

template <class Handoff>
steps hand_over_on_worker_0_then_step_1(manual_executor& ex) {
  waiter_queue line;
  steps log;
  testing::owned heir = waits(ex, line, log);
  testing::owned self = passes_on<Handoff>(ex, line, log);
  heir.start_on(ex);
  EXPECT_TRUE(ex.step(1));
  self.start_on(ex);
  EXPECT_TRUE(ex.step(0));
  while (ex.step(1)) {
  }
  EXPECT_TRUE(heir.done());
  EXPECT_TRUE(self.done());
  return log;
}

TEST(Handoff, exchange_runs_the_heir_here_and_self_on_another_worker) {
  manual_executor ex{2};
  EXPECT_EQ(hand_over_on_worker_0_then_step_1<handoff::exchange>(ex),
            (steps{{'s', 0}, {'h', 0}, {'S', 1}}));
}

TEST(Handoff, dispatch_lets_self_go_on_here_and_the_heir_waits_for_a_worker) {
  manual_executor ex{2};
  EXPECT_EQ(hand_over_on_worker_0_then_step_1<handoff::dispatch>(ex),
            (steps{{'s', 0}, {'S', 0}, {'h', 1}}));
}

TEST(Handoff, resume_inline_runs_the_heir_inside_the_call_and_then_self_goes_on) {
  manual_executor ex{2};
  EXPECT_EQ(hand_over_on_worker_0_then_step_1<handoff::resume_inline>(ex),
            (steps{{'s', 0}, {'h', 0}, {'S', 0}}));
  EXPECT_EQ(ex.requests().size(), 2U) << "only the two starts went through the executor";
}

/// Notes whether the exchange reports more tasks behind the heir.
class followed_worker final : public worker_scope {
 public:
  using worker_scope::worker_scope;
  void schedule_left(waiter& self, bool is_followed) noexcept override {
    was_followed = is_followed;
    worker_scope::schedule_left(self, is_followed);
  }
  std::optional<bool> was_followed;
};

TEST(Handoff, exchange_tells_its_worker_whether_more_tasks_wait_behind_the_heir) {
  for (const bool is_followed : {false, true}) {
    manual_executor ex;
    const testing::owned self = testing::do_nothing();
    const testing::owned heir = testing::do_nothing();
    line_waiter behind;
    line_waiter first;
    first.set(heir.handle(), &ex, 0);
    if (is_followed) first.younger.store(&behind);
    waiter left;
    left.set(self.handle(), &ex);
    followed_worker worker{ex};
    EXPECT_TRUE(handoff::exchange::hand_over(left, first));
    EXPECT_EQ(worker.was_followed, is_followed);
    worker.run_continued();
    EXPECT_TRUE(heir.done());
    ex.run_all();
  }
}

testing::owned named(manual_executor& ex, waiter_queue& line, steps& log, char name) {
  co_await testing::stand_in(line);
  log.push_back(step_of{name, ex.current_worker()});
}

template <class Handoff>
testing::owned passes_on_to_all(manual_executor& ex, waiter_queue& line, steps& log) {
  log.push_back(step_of{'s', ex.current_worker()});
  co_await pass_on_to_all<Handoff>{line};
  log.push_back(step_of{'S', ex.current_worker()});
}

/// Three heirs; worker 0 hands over, and worker 1 runs the rest.
template <class Handoff>
steps hand_over_to_all_on_worker_0(manual_executor& ex) {
  waiter_queue line;
  steps log;
  std::vector<testing::owned> heirs;
  for (const char name : {'a', 'b', 'c'}) {
    heirs.push_back(named(ex, line, log, name));
    heirs.back().start_on(ex);
    EXPECT_TRUE(ex.step(1));
  }
  testing::owned self = passes_on_to_all<Handoff>(ex, line, log);
  self.start_on(ex);
  EXPECT_TRUE(ex.step(0));
  EXPECT_TRUE(line.empty());
  while (ex.step(1)) {
  }
  EXPECT_TRUE(self.done());
  for (const testing::owned& heir : heirs) EXPECT_TRUE(heir.done());
  return log;
}

TEST(HandoffToAll, exchange_runs_the_first_heir_here_and_the_rest_and_self_elsewhere) {
  manual_executor ex{2};
  EXPECT_EQ(hand_over_to_all_on_worker_0<handoff::exchange>(ex),
            (steps{{'s', 0}, {'a', 0}, {'b', 1}, {'c', 1}, {'S', 1}}));
}

TEST(HandoffToAll, dispatch_lets_self_go_on_here_and_the_heirs_wait_for_a_worker) {
  manual_executor ex{2};
  EXPECT_EQ(hand_over_to_all_on_worker_0<handoff::dispatch>(ex),
            (steps{{'s', 0}, {'S', 0}, {'a', 1}, {'b', 1}, {'c', 1}}));
}

TEST(HandoffToAll, resume_inline_runs_the_heirs_one_by_one_and_then_self_goes_on) {
  manual_executor ex{2};
  EXPECT_EQ(hand_over_to_all_on_worker_0<handoff::resume_inline>(ex),
            (steps{{'s', 0}, {'a', 0}, {'b', 0}, {'c', 0}, {'S', 0}}));
}

template <class Handoff>
class AnyHandoff : public ::testing::Test {
 protected:
  AnyHandoff() {
    arming.special = &special;
    special.has_limits = true;
  }
  manual_executor ex{2};
  waiter_queue line;
  steps log;
  line_waiter arming;  // With limits, and not suspended yet.
  special_wait special;
};
using all_handoffs =
    ::testing::Types<handoff::exchange, handoff::dispatch, handoff::resume_inline>;
TYPED_TEST_SUITE(AnyHandoff, all_handoffs);

TYPED_TEST(AnyHandoff, W2_an_heir_that_has_not_suspended_yet_goes_on_by_itself) {
  this->line.push_back(this->arming);
  testing::owned self = passes_on<TypeParam>(this->ex, this->line, this->log);
  self.start_on(this->ex);
  ASSERT_TRUE(this->ex.step(0));
  EXPECT_TRUE(self.done()) << "there is no task to run in its place";
  EXPECT_TRUE(this->ex.is_idle());
  EXPECT_FALSE(this->special.may_suspend());
  EXPECT_EQ(this->special.how, outcome::granted);
}

TYPED_TEST(AnyHandoff, W2_of_several_heirs_only_those_that_have_suspended_are_run) {
  this->line.push_back(this->arming);
  testing::owned heir = named(this->ex, this->line, this->log, 'a');
  heir.start_on(this->ex);
  this->ex.run_all();
  testing::owned self = passes_on_to_all<TypeParam>(this->ex, this->line, this->log);
  self.start_on(this->ex);
  this->ex.run_all();
  EXPECT_TRUE(heir.done());
  EXPECT_TRUE(self.done());
  EXPECT_FALSE(this->special.may_suspend());
}

TYPED_TEST(AnyHandoff, W2_if_no_heir_has_suspended_self_goes_on) {
  this->line.push_back(this->arming);
  testing::owned self = passes_on_to_all<TypeParam>(this->ex, this->line, this->log);
  self.start_on(this->ex);
  ASSERT_TRUE(this->ex.step(0));
  EXPECT_TRUE(self.done());
  EXPECT_FALSE(this->special.may_suspend());
}

TEST(ResumeInline, an_heir_from_another_executor_is_dispatched_home) {
  manual_executor here{1};
  manual_executor home{1};
  waiter_queue line;
  steps log;
  testing::owned heir = waits(home, line, log);
  testing::owned self = passes_on<handoff::resume_inline>(here, line, log);
  heir.start_on(home);
  home.run_all();
  self.start_on(here);
  here.run_all();
  EXPECT_TRUE(self.done());
  EXPECT_FALSE(heir.done());
  EXPECT_TRUE(home.is_ready(heir.handle()));
  home.run_all();
  EXPECT_TRUE(heir.done());
}

testing::owned count_locks(waiter_queue& line, std::uint32_t& seen) {
  co_await testing::stand_in(line);
  seen = detail::current().locks_held;
  detail::current().locks_held = 9;
}

testing::owned pass_on_with_a_lock(waiter_queue& line, std::uint32_t& after) {
  detail::current().locks_held = 2;
  co_await pass_on<handoff::resume_inline>{line.pop_front()};
  after = detail::current().locks_held;
}

TEST(ResumeInline, heir_and_self_keep_their_own_counts_of_locks) {
  manual_executor ex{1};
  waiter_queue line;
  std::uint32_t heir_saw = 77;
  std::uint32_t self_saw = 77;
  testing::owned heir = count_locks(line, heir_saw);
  testing::owned self = pass_on_with_a_lock(line, self_saw);
  heir.start_on(ex);
  self.start_on(ex);
  ex.run_all();
  EXPECT_EQ(heir_saw, 0U);
  EXPECT_EQ(self_saw, 2U);
}

testing::owned pass_on_the_line(waiter_queue& line, std::uintptr_t& deepest) {
  co_await testing::stand_in(line);
  deepest = std::min(deepest, platform::stack_position());
  if (!line.empty()) co_await pass_on<handoff::resume_inline>{line.pop_front()};
}

TEST(ResumeInline, a_long_line_is_nested_down_to_the_floor_and_dispatched_from_there_on) {
  constexpr std::size_t length = 5000;
  constexpr std::uintptr_t room = 100'000;
  constexpr std::uintptr_t one_nesting =
      20'000;  // More than one nesting takes, in any build.
  manual_executor ex{1};
  waiter_queue line;
  std::uintptr_t deepest = UINTPTR_MAX;
  std::vector<testing::owned> tasks;
  for (std::size_t i = 0; i < length; ++i) {
    tasks.push_back(pass_on_the_line(line, deepest));
    tasks.back().start_on(ex);
  }
  ex.run_all();
  const std::uintptr_t floor = platform::stack_position() - room;
  {
    const worker_scope scope{ex};
    detail::current().stack_floor = floor;
    handoff::resume_inline::hand_over(static_cast<line_waiter&>(line.pop_front()));
  }
  EXPECT_TRUE(tasks.front().done());
  EXPECT_FALSE(tasks.back().done());
  EXPECT_EQ(ex.ready().size(), 1U) << "one was dispatched, and the others are behind it";
  EXPECT_GT(deepest, floor - one_nesting);
  EXPECT_LT(deepest, floor + one_nesting);
  ex.run_all();
  for (const testing::owned& each : tasks) EXPECT_TRUE(each.done());
}

}  // namespace
}  // namespace hotseat
