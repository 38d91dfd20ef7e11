// hotseat/tests/unit/task/shared_task_test.cpp — one task, and several that await it.
// What it shares with other primitives is in tests/conformance.
#include <gtest/gtest.h>

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <hotseat/core/awaitable.hpp>
#include <hotseat/runtime/thread_pool.hpp>
#include <hotseat/sched/current.hpp>
#include <hotseat/sched/reschedule.hpp>
#include <hotseat/sync/event.hpp>
#include <hotseat/task/shared_task.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/task.hpp>
#include <hotseat/task/this_task.hpp>
#include <hotseat/task/when_all.hpp>
#include <hotseat/task/when_all_settled.hpp>
#include <memory>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <support/manual_executor.hpp>
#include <support/probes.hpp>
#include <support/tasks.hpp>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace hotseat {
namespace {

using namespace std::chrono_literals;
using testing::fail;
using testing::manual_executor;
using testing::nothing;
using testing::number;
using testing::own;
using testing::owned;
using testing::refer_to;
using testing::run;
using testing::text;

template <class Awaitable>
using result_of = await_result_t<Awaitable>;
static_assert(std::same_as<result_of<shared_task<int>&>, const int&>);
static_assert(std::same_as<result_of<const shared_task<int>&>, const int&>);
static_assert(std::same_as<result_of<shared_task<int>>, int>);
static_assert(std::same_as<result_of<shared_task<const int>>, int>);
static_assert(std::same_as<result_of<shared_task<int&>&>, int&>);
static_assert(std::same_as<result_of<shared_task<int&>>, int&>);
static_assert(std::same_as<result_of<shared_task<const int&>>, const int&>);
static_assert(std::same_as<result_of<shared_task<>&>, void>);
static_assert(awaitable<shared_task<std::unique_ptr<int>>&>);
static_assert(!awaitable<shared_task<std::unique_ptr<int>>>, "it would dangle");
static_assert(std::is_nothrow_copy_constructible_v<shared_task<int>>);
static_assert(std::is_nothrow_move_constructible_v<shared_task<int>>);

/// Counts how often it runs, and ends when `go` is set.
task<std::string> load(event& go, int& runs) {
  ++runs;
  co_await go.wait();
  co_return "loaded";
}

owned note(shared_task<std::string> of, std::string& log, char name) {
  const std::string& result = co_await of;
  log += result == "loaded" ? name : '!';
}

class SharedTask : public ::testing::Test {
 protected:
  void start(owned& task) {
    task.start_on(ex);
    ex.run_all();
  }
  event go;
  int runs = 0;
  manual_executor ex{2};
  std::string log;
  std::stop_source source;
};

TEST_F(SharedTask, runs_once_and_gives_all_the_same_result) {
  const shared_task shared{load(go, runs)};
  static_assert(std::same_as<decltype(shared), const shared_task<std::string>>);
  EXPECT_EQ(runs, 0) << "it has not been awaited";
  owned a = note(shared, log, 'a');
  owned b = note(shared, log, 'b');
  start(a);
  start(b);
  EXPECT_EQ(runs, 1);
  EXPECT_FALSE(shared.is_done());
  go.set_dispatch();
  ex.run_all();
  EXPECT_EQ(log, "ab");
  EXPECT_TRUE(shared.is_done());
  owned late = note(shared, log, 'c');
  const std::size_t before = ex.requests().size();
  start(late);
  EXPECT_EQ(log, "abc");
  EXPECT_EQ(ex.requests().size(), before + 1) << "it does not suspend";
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(&shared.result(), &shared.result());
}

TEST_F(SharedTask, starts_where_its_first_awaiter_runs_and_gives_it_the_worker_back) {
  owned only = note(load(go, runs), log, 'a');
  go.set_dispatch();
  only.start_on(ex);
  ASSERT_TRUE(ex.step(1));
  EXPECT_EQ(log, "a");
  EXPECT_TRUE(ex.is_idle()) << "nothing was scheduled";
}

TEST_F(SharedTask, each_awaiter_goes_on_at_home) {
  manual_executor other;
  const shared_task shared{load(go, runs)};
  owned a = note(shared, log, 'a');
  owned b = note(shared, log, 'b');
  start(a);
  b.start_on(other);
  other.run_all();
  go.set_dispatch();
  ASSERT_TRUE(ex.step());
  EXPECT_EQ(log, "a");
  EXPECT_TRUE(other.is_ready(b.handle()));
  other.run_all();
  EXPECT_EQ(log, "ab");
}

shared_task<int> direct(int& runs) {
  ++runs;
  co_return 3;
}

TEST_F(SharedTask, a_coroutine_may_return_it) {
  shared_task<int> shared = direct(runs);
  EXPECT_EQ(runs, 0);
  EXPECT_EQ(run(shared), 3);
  EXPECT_EQ(run(shared), 3);
  EXPECT_EQ(run(std::move(shared)), 3);
  EXPECT_EQ(runs, 1);
}

struct rooted {
  explicit rooted(int v) : value{v} {}
  rooted(const rooted&) = delete;
  rooted& operator=(const rooted&) = delete;
  int value;
};
task<rooted> make_rooted() { co_return 5; }

TEST_F(SharedTask, gives_references_nothing_and_what_cannot_be_moved) {
  int target = 4;
  shared_task<int&> reference = refer_to(target);
  EXPECT_EQ(&run(reference), &target);
  EXPECT_EQ(&run(shared_task<int&>{refer_to(target)}), &target);
  shared_task<> empty = nothing();
  run(empty);
  run(empty);
  shared_task<rooted> immovable = make_rooted();
  EXPECT_EQ(run(immovable).value, 5);
  shared_task<std::unique_ptr<int>> pointer = own(6);
  EXPECT_EQ(*run(pointer), 6);
  EXPECT_EQ(*pointer.result(), 6);
}

TEST_F(SharedTask, of_a_temporary_gives_a_copy) {
  const std::string& copy = run(shared_task<std::string>{text("temporary")});
  EXPECT_EQ(copy, "temporary");
}

TEST_F(SharedTask, an_exception_is_thrown_at_each) {
  shared_task<int> shared = fail<int>("broken");
  for (int i = 0; i < 3; ++i) EXPECT_THROW(run(shared), std::runtime_error);
  EXPECT_TRUE(shared.is_done());
  EXPECT_THROW(static_cast<void>(shared.result()), std::runtime_error);
  run(shared.wait());
}

TEST_F(SharedTask, works_with_when_all_by_name_and_as_a_temporary) {
  shared_task<std::string> shared = text("one");
  shared_task<> broken = fail();
  auto both = run(when_all(shared, std::as_const(shared), shared_task<int>{number(2)}));
  static_assert(std::same_as<decltype(both),
                             std::tuple<const std::string&, const std::string&, int>>);
  EXPECT_EQ(&std::get<0>(both), &shared.result());
  EXPECT_EQ(std::get<2>(both), 2);
  const auto [a, b] = run(when_all_settled(shared, broken));
  EXPECT_TRUE(a);
  EXPECT_FALSE(b);
}

// --- Handles.

TEST_F(SharedTask, a_handle_is_copied_moved_and_assigned) {
  const auto life = std::make_shared<int>(1);
  const auto hold = [](std::shared_ptr<int> what) -> task<> {
    static_cast<void>(what);
    co_return;
  };
  shared_task<> a{hold(life)};
  shared_task<> b = a;
  EXPECT_TRUE(a.valid() && b.valid());
  shared_task<> c = std::move(a);
  EXPECT_FALSE(a.valid());  // NOLINT(bugprone-use-after-move)
  b = c;
  const shared_task<>& same = b;
  b = same;
  c = shared_task<>{nothing()};
  EXPECT_EQ(life.use_count(), 2);
  run(b);
  b = std::move(c);
  EXPECT_EQ(life.use_count(), 1) << "the last handle frees it, with its result";
}

owned await_of(std::optional<shared_task<std::string>>& holder, std::string& log) {
  const std::string copy = co_await *holder;
  log += copy;
}

TEST_F(SharedTask, a_wait_has_a_handle_of_its_own) {
  std::optional<shared_task<std::string>> holder{load(go, runs)};
  owned waiting = await_of(holder, log);
  start(waiting);
  holder.reset();
  go.set_dispatch();
  ex.run_all();
  EXPECT_EQ(log, "loaded");
}

task<> note_stop(event& go, std::string& log) {
  const std::stop_token token = co_await this_task::stop_token();
  co_await go.wait();
  log += token.stop_requested() ? 's' : 'g';
}

owned await_void(shared_task<> shared) { co_await shared; }
owned await_until_told(shared_task<> shared, std::stop_token stop, std::string& log) {
  auto operation = shared.wait(std::move(stop));
  const bool has_ended = co_await operation;
  log += has_ended ? 'e' : '-';
}

TEST_F(SharedTask, it_is_told_to_stop_when_its_last_handle_goes_and_runs_to_its_end) {
  {
    shared_task<> shared{note_stop(go, log)};
    owned waiting = await_void(shared);
    start(waiting);
  }
  EXPECT_EQ(log, "");
  go.set_dispatch();
  ex.run_all();
  EXPECT_EQ(log, "s");
}

TEST_F(SharedTask, one_that_gives_up_does_not_stop_what_others_wait_for) {
  shared_task<> shared{note_stop(go, log)};
  owned first = await_until_told(shared, source.get_token(), log);
  owned second = await_void(shared);
  start(first);
  start(second);
  source.request_stop();
  ex.run_all();
  EXPECT_EQ(log, "-");
  go.set_dispatch();
  ex.run_all();
  EXPECT_EQ(log, "-g");
  EXPECT_TRUE(second.done());
}

TEST_F(SharedTask, request_stop_asks_it_to_stop) {
  shared_task<> shared{note_stop(go, log)};
  owned waiting = await_void(shared);
  start(waiting);
  shared.request_stop();
  go.set_dispatch();
  ex.run_all();
  EXPECT_EQ(log, "s");
}

TEST_F(SharedTask, the_token_of_an_awaiter_does_not_reach_it) {
  source.request_stop();
  go.set_dispatch();
  shared_task<> shared{note_stop(go, log)};
  testing::immediate_executor now;
  sync_wait(now, shared, source.get_token());
  EXPECT_EQ(log, "g");
}

// --- Starting.

TEST_F(SharedTask, a_wait_that_ends_at_once_has_started_it) {
  source.request_stop();
  go.set_dispatch();
  shared_task<> shared{note_stop(go, log)};
  owned waiting = await_until_told(shared, source.get_token(), log);
  waiting.start_on(ex);
  ASSERT_TRUE(ex.step());
  EXPECT_EQ(log, "-") << "it goes on";
  EXPECT_FALSE(ex.is_idle()) << "beside the task";
  ex.run_all();
  EXPECT_EQ(log, "-g");
}

class clock_that_does_not_start final : public executor, alarm_clock {
 public:
  void schedule(waiter& ready) noexcept override { now_.schedule(ready); }
  [[nodiscard]] alarm_clock* timers() noexcept override { return this; }

 private:
  void start() override { throw std::runtime_error{"no clock"}; }
  [[nodiscard]] bool set(alarm&) noexcept override { return false; }
  void withdraw(alarm&) noexcept override {}
  testing::immediate_executor now_;
};

task<> wait_in_vain(shared_task<std::string> shared, std::string& log) {
  try {
    auto operation = shared.wait_for(1h);
    const bool has_ended = co_await operation;
    log += has_ended ? 'e' : '-';
  } catch (const std::runtime_error&) {
    log += '!';
  }
}

TEST_F(SharedTask, a_wait_that_throws_leaves_it_to_the_others) {
  clock_that_does_not_start bad;
  const shared_task shared{load(go, runs)};
  {
    const worker_scope scope{bad};
    const owned waiting = testing::drive(wait_in_vain(shared, log));
    waiting.run();
    EXPECT_TRUE(waiting.done());
  }
  EXPECT_EQ(log, "!");
  EXPECT_EQ(runs, 1) << "others may have come meanwhile, and count on it";
  owned other = note(shared, log, 'a');
  start(other);
  go.set_dispatch();
  ex.run_all();
  EXPECT_EQ(log, "!a");
}

owned await_with_locks(shared_task<> shared, std::uint32_t& after) {
  detail::current().locks_held = 2;
  co_await shared;
  after = detail::current().locks_held;
}
task<> look_at_locks(std::uint32_t& inside) {
  inside = detail::current().locks_held;
  co_return;
}

TEST_F(SharedTask, it_owns_none_of_the_locks_of_its_first_awaiter) {
  std::uint32_t inside = 9;
  std::uint32_t after = 9;
  owned waiting = await_with_locks(look_at_locks(inside), after);
  start(waiting);
  EXPECT_EQ(inside, 0U);
  EXPECT_EQ(after, 2U);
}

// --- On threads.

task<int> sum_later(int n) {
  co_await reschedule();
  co_return n;
}
task<int> add(shared_task<int> a, shared_task<int> b) {
  co_await reschedule();
  const int& first = co_await a;
  co_return first + co_await b;
}

TEST(SharedTaskOnThreads, many_await_the_same_ones) {
  thread_pool pool{3};
  for (int round = 0; round < 50; ++round) {
    std::vector<task<int>> tasks;
    {
      const shared_task<int> a{sum_later(1)};
      const shared_task<int> b{sum_later(2)};
      for (int i = 0; i < 100; ++i) tasks.push_back(add(a, b));
    }
    int sum = 0;
    for (const int each : sync_wait(pool, when_all(std::move(tasks)))) sum += each;
    EXPECT_EQ(sum, 300);
  }
}

task<int> sum_of_many(int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i) {
    const shared_task<int> one = number(1);
    sum += co_await one;
  }
  co_return sum;
}

TEST(SharedTaskOnThreads, a_long_loop_takes_no_stack) {
  thread_pool pool{1};
  EXPECT_EQ(sync_wait(pool, sum_of_many(100'000)), 100'000);
  EXPECT_EQ(run(sum_of_many(100'000)), 100'000) << "nor on a thread of its own";
}

TEST(SharedTaskOnThreads, a_plain_thread_waits_on_an_executor) {
  thread_pool pool{1};
  const shared_task<int> shared{sum_later(4)};
  EXPECT_TRUE(sync_wait(pool, shared.wait_for(1h)));
  EXPECT_TRUE(sync_wait(pool, shared.wait_until(std::chrono::steady_clock::now())));
  sync_wait(pool, shared.wait());
  EXPECT_EQ(sync_wait(pool, shared), 4);
}

}  // namespace
}  // namespace hotseat
