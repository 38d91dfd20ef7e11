// hotseat/tests/unit/sched/worker_scope_test.cpp — a thread as a worker: what each task
// that it runs starts with, and what a task asks of its worker.
#include <gtest/gtest.h>

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <hotseat/core/waiter.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sched/current.hpp>
#include <hotseat/sched/exchange.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/sched/reschedule.hpp>
#include <hotseat/sched/worker_scope.hpp>
#include <span>
#include <string>
#include <support/errand.hpp>
#include <support/probes.hpp>
#include <support/threads.hpp>
#include <type_traits>
#include <utility>
#include <vector>

namespace hotseat {
namespace {

using testing::owned;

static_assert(!std::is_copy_constructible_v<worker_scope>);
static_assert(!std::is_move_constructible_v<worker_scope>);
static_assert(std::has_virtual_destructor_v<worker_scope>);

/// The smallest executor: a line.
class ready_line final : public executor {
 public:
  void schedule(waiter& ready) noexcept override { line.push_back(&ready); }

  /// Runs the oldest task on `worker`.  Returns whether there was one.
  bool step(worker_scope& worker) {
    if (line.empty()) return false;
    waiter& oldest = *line.front();
    line.pop_front();
    worker.run(oldest);
    return true;
  }
  void run_all(worker_scope& worker) {
    while (step(worker)) {
    }
  }
  std::deque<waiter*> line;
};

/// What a task found when it was resumed.
struct found {
  std::uint32_t locks_held;
  std::uint32_t chain;
  std::uint32_t chain_end;
  friend bool operator==(const found&, const found&) = default;
};

found look() {
  const detail::thread_state& here = detail::current();
  return {here.locks_held, here.chain, here.chain_end};
}

/// Leaves the thread's state as no task should find it.
owned look_and_spoil(std::vector<found>& all) {
  all.push_back(look());
  detail::current().locks_held = 5;
  detail::current().chain = 7;
  detail::current().chain_end = 9;
  co_return;
}

owned note_workers(std::vector<worker_scope*>& workers, std::vector<executor*>& homes) {
  workers.push_back(worker_scope::current());
  homes.push_back(executor::current());
  co_return;
}

/// The exchange at the end of a section: `self` leaves, the heir continues here.
class [[nodiscard]] make_way {
 public:
  make_way(waiter& heir, bool is_followed) noexcept
      : heir_{heir}, is_followed_{is_followed} {}
  static bool await_ready() noexcept { return false; }
  bool await_suspend(std::coroutine_handle<> self) noexcept {
    detail::note_suspended(self_, self);
    return exchange_tasks(self_, heir_, is_followed_);
  }
  static void await_resume() noexcept {}

 private:
  waiter self_;
  waiter& heir_;
  bool is_followed_;
};

/// Waits for its turn, looks, and makes way for the next in line.
owned look_and_make_way(waiter_queue& line, std::vector<found>& all, std::string& log,
                        char name) {
  co_await testing::stand_in(line);
  all.push_back(look());
  log += name;
  if (line.empty()) co_return;
  waiter& heir = line.pop_front();
  co_await make_way(heir, !line.empty());
  log += static_cast<char>(name - 'a' + 'A');
}

owned begin_to_make_way(waiter_queue& line) {
  const bool is_followed = true;
  co_await make_way(line.pop_front(), is_followed);
}

class WorkerScope : public ::testing::Test {
 protected:
  /// Makes `count` tasks, named 'a', 'b' and so on, that stand in `line`.
  void line_up(std::size_t count, worker_scope& worker) {
    for (std::size_t i = 0; i < count; ++i) {
      const char name = static_cast<char>('a' + i);
      tasks.push_back(look_and_make_way(line, all, log, name));
      worker.run(tasks.back().handle());
    }
  }

  ready_line ex;
  waiter_queue line;
  std::vector<owned> tasks;
  std::vector<found> all;
  std::string log;
};

// --- While it lives.

TEST_F(WorkerScope, makes_the_thread_a_worker_while_it_lives) {
  EXPECT_EQ(worker_scope::current(), nullptr);
  {
    const worker_scope worker{ex};
    EXPECT_EQ(worker_scope::current(), &worker);
    EXPECT_EQ(executor::current(), &ex);
    testing::on_another_thread([] {
      EXPECT_EQ(worker_scope::current(), nullptr);
      EXPECT_EQ(executor::current(), nullptr);
    });
  }
  EXPECT_EQ(worker_scope::current(), nullptr);
  EXPECT_EQ(executor::current(), nullptr);
}

TEST_F(WorkerScope, an_executor_may_have_several_workers) {
  const worker_scope here{ex};
  testing::on_another_thread([this, &here] {
    const worker_scope there{ex};
    EXPECT_EQ(executor::current(), &ex);
    EXPECT_EQ(worker_scope::current(), &there);
    EXPECT_NE(worker_scope::current(), &here);
  });
  EXPECT_EQ(worker_scope::current(), &here);
}

TEST_F(WorkerScope, it_ends_while_tasks_of_its_executor_wait) {
  owned task = testing::do_nothing();
  task.start_on(ex);
  {
    const worker_scope worker{ex};
  }
  EXPECT_EQ(ex.line.size(), 1U) << "the next worker runs it";
  worker_scope worker{ex};
  ex.run_all(worker);
  EXPECT_TRUE(task.done());
}

// resume_inline must know how deep it may nest tasks.
TEST_F(WorkerScope, it_knows_where_the_stack_of_its_thread_ends) {
  const auto expect_floor = [this] {
    const worker_scope worker{ex};
    EXPECT_NE(detail::current().stack_floor, 0U);
    EXPECT_LT(detail::current().stack_floor, platform::stack_position());
  };
  expect_floor();
  testing::on_another_thread(expect_floor);
}

TEST_F(WorkerScope, in_a_nested_one_the_thread_is_a_worker_of_the_inner_executor_only) {
  ready_line inner_ex;
  const owned next = testing::do_nothing();
  const owned inside = look_and_spoil(all);
  const worker_scope outer{ex, 10};
  detail::current().locks_held = 2;  // Inside a task that owns two locks,
  detail::current().chain = 3;       // and was reached by three exchanges.
  executor::run_next(next.handle());
  {
    worker_scope inner{inner_ex, 20};
    EXPECT_EQ(executor::current(), &inner_ex);
    EXPECT_EQ(worker_scope::current(), &inner);
    EXPECT_EQ(look(), (found{0, 0, 20}));
    EXPECT_FALSE(detail::current().run_next) << "what runs next waits for its own worker";
    inner.run(inside.handle());
  }
  EXPECT_EQ(executor::current(), &ex);
  EXPECT_EQ(worker_scope::current(), &outer);
  EXPECT_EQ(look(), (found{2, 3, 10}));
  EXPECT_EQ(detail::current().run_next, next.handle());
}

TEST_F(WorkerScope, tasks_of_the_outer_executor_go_home_from_a_nested_one) {
  ready_line inner_ex;
  std::vector<worker_scope*> workers;
  std::vector<executor*> homes;
  owned at_home = note_workers(workers, homes);
  owned inside = note_workers(workers, homes);
  worker_scope outer{ex};
  {
    worker_scope inner{inner_ex};
    at_home.start_on(ex);
    inside.start_on(inner_ex);
    inner_ex.run_all(inner);
    EXPECT_EQ(workers, (std::vector<worker_scope*>{&inner}));
  }
  ex.run_all(outer);
  EXPECT_EQ(workers.back(), &outer);
  EXPECT_EQ(homes, (std::vector<executor*>{&inner_ex, &ex}));
}

TEST_F(WorkerScope, nested_ones_may_be_of_the_same_executor) {
  owned task = testing::do_nothing();
  const worker_scope outer{ex};
  {
    worker_scope inner{ex};
    task.start_on(ex);
    ex.run_all(inner);
    EXPECT_EQ(worker_scope::current(), &inner);
  }
  EXPECT_TRUE(task.done());
  EXPECT_EQ(worker_scope::current(), &outer);
}

// --- Running tasks.

TEST_F(WorkerScope, each_task_that_it_runs_owns_no_lock_and_begins_a_chain) {
  const owned first = look_and_spoil(all);
  const owned second = look_and_spoil(all);
  owned third = look_and_spoil(all);
  worker_scope worker{ex, 100};
  worker.run(first.handle());
  worker.run(second.handle());
  third.start_on(ex);
  ASSERT_TRUE(ex.step(worker));
  EXPECT_EQ(all, (std::vector<found>{{0, 0, 100}, {0, 0, 100}, {0, 0, 100}}));
}

TEST_F(WorkerScope, a_chain_may_be_long_unless_it_is_told_otherwise) {
  const owned task = look_and_spoil(all);
  worker_scope worker{ex};
  worker.run(task.handle());
  EXPECT_EQ(all, (std::vector<found>{{0, 0, worker_scope::default_chain_limit}}));
}

TEST_F(WorkerScope, the_tasks_that_go_on_in_its_place_are_run_too_and_lengthen_the_chain) {
  worker_scope worker{ex, 100};
  line_up(3, worker);
  const owned first = begin_to_make_way(line);
  worker.run(first.handle());
  EXPECT_EQ(log, "abc");
  EXPECT_EQ(all, (std::vector<found>{{0, 1, 100}, {0, 2, 100}, {0, 3, 100}}));
  EXPECT_EQ(ex.line.size(), 3U) << "the first, a and b have made way";
  EXPECT_FALSE(detail::current().run_next);
  ex.run_all(worker);
  EXPECT_EQ(log, "abcAB");
}

TEST_F(WorkerScope, a_task_may_be_gone_when_it_has_run) {
  int calls = 0;
  worker_scope worker{ex};
  worker.run(make_errand([&calls] { ++calls; }).place());
  EXPECT_EQ(calls, 1);
}

TEST_F(WorkerScope, runs_what_is_to_continue_here_when_it_is_told_to) {
  const owned task = look_and_spoil(all);
  waiter place;
  worker_scope worker{ex, 100};
  place.set(task.handle(), &ex, 4);
  detail::current().locks_held = 5;  // Left by a task that ran before.
  continue_here(place);
  EXPECT_FALSE(task.done()) << "this thread is between two tasks";
  EXPECT_TRUE(ex.line.empty()) << "the task is not to wait for its turn";
  worker.run_continued();
  EXPECT_TRUE(task.done());
  EXPECT_EQ(all, (std::vector<found>{{0, 0, 100}}));
  EXPECT_FALSE(detail::current().run_next);
}

TEST_F(WorkerScope, what_goes_on_in_place_of_a_continued_task_is_run_as_well) {
  worker_scope worker{ex, 100};
  line_up(2, worker);
  const owned first = begin_to_make_way(line);
  waiter place;
  place.set(first.handle(), &ex);
  continue_here(place);
  worker.run_continued();
  EXPECT_EQ(log, "ab");
  ex.run_all(worker);
}

TEST_F(WorkerScope, runs_nothing_if_nothing_is_to_continue) {
  owned task = testing::do_nothing();
  worker_scope worker{ex};
  task.start_on(ex);
  worker.run_continued();
  EXPECT_FALSE(task.done()) << "what is scheduled is not meant";
  ex.run_all(worker);
}

// --- What a task asks its worker for.

TEST_F(WorkerScope, by_default_everything_is_scheduled) {
  worker_scope worker{ex};
  waiter left;
  waiter followed;
  waiter heir;
  waiter last;
  worker.schedule_left(left, false);
  worker.schedule_left(followed, true);
  EXPECT_TRUE(worker.send_elsewhere(heir));
  worker.schedule_last(last);
  EXPECT_EQ(ex.line, (std::deque<waiter*>{&left, &followed, &heir, &last}));
  EXPECT_TRUE(worker.has_ready()) << "something may be";
}

TEST_F(WorkerScope, by_default_children_are_scheduled_the_last_one_first) {
  worker_scope worker{ex};
  std::vector<waiter> children(3);
  worker.fork_all(children);
  EXPECT_EQ(ex.line, (std::deque<waiter*>{&children[2], &children[1], &children[0]}));
  ex.line.clear();
  worker.fork_all({});
  EXPECT_TRUE(ex.line.empty());
}

TEST_F(WorkerScope, by_default_a_chain_is_cut_each_time_it_reaches_the_limit) {
  worker_scope worker{ex, 1};
  line_up(4, worker);
  const owned first = begin_to_make_way(line);
  worker.run(first.handle());
  // It exchanged to a; b would have been too many, so a went on.
  EXPECT_EQ(log, "aA");
  ASSERT_EQ(ex.line.size(), 2U);
  EXPECT_EQ(ex.line[0]->task, first.handle());
  EXPECT_EQ(ex.line[1]->task, tasks[1].handle());
  ex.run_all(worker);
  // b begins a chain: it exchanges with c, and c's exchange would be too many again.
  EXPECT_EQ(log, "aAbcCBd");
  for (const owned& each : tasks) EXPECT_TRUE(each.done());
}

owned make_way_twice(waiter_queue& line, std::string& log) {
  co_await testing::stand_in(line);
  log += 'x';
  const bool is_followed = true;
  co_await make_way(line.pop_front(), is_followed);
  log += '1';
  co_await make_way(line.pop_front(), !is_followed);
  log += '2';
}

TEST_F(WorkerScope, by_default_a_chain_may_grow_as_far_again_after_a_cut) {
  worker_scope worker{ex, 1};
  const owned twice = make_way_twice(line, log);
  worker.run(twice.handle());
  line_up(2, worker);
  const owned first = begin_to_make_way(line);
  worker.run(first.handle());
  // Its first heir is one too many and is scheduled; its second one takes its place.
  EXPECT_EQ(log, "x1b");
  ex.run_all(worker);
  EXPECT_EQ(log, "x1ba2");
}

TEST_F(WorkerScope, with_a_limit_of_zero_no_task_is_exchanged) {
  worker_scope worker{ex, 0};
  line_up(2, worker);
  const owned first = begin_to_make_way(line);
  worker.run(first.handle());
  EXPECT_TRUE(first.done()) << "it went on";
  ex.run_all(worker);
  EXPECT_EQ(log, "aAb");
}

/// Notes what it was asked for.
class asked_worker final : public worker_scope {
 public:
  asked_worker(ready_line& where, std::uint32_t chain_limit)
      : worker_scope{where, chain_limit} {}

  void schedule_left(waiter& self, bool is_followed) noexcept override {
    asked += is_followed ? "followed " : "left ";
    home().schedule(self);
  }
  bool send_elsewhere(waiter& heir) noexcept override {
    asked += "send ";
    if (keeps_chains) return false;
    home().schedule(heir);
    return true;
  }
  void schedule_last(waiter& ready) noexcept override {
    asked += "last ";
    home().schedule(ready);
  }
  std::string asked;
  bool keeps_chains = false;
};

TEST_F(WorkerScope, an_exchange_tells_it_whether_more_tasks_wait_behind_the_heir) {
  asked_worker worker{ex, 100};
  line_up(3, worker);
  const owned first = begin_to_make_way(line);
  worker.run(first.handle());
  EXPECT_EQ(worker.asked, "followed followed left ");
  ex.run_all(worker);
}

TEST_F(WorkerScope, at_the_limit_it_is_asked_to_send_the_heir_elsewhere) {
  asked_worker worker{ex, 2};
  line_up(4, worker);
  const owned first = begin_to_make_way(line);
  worker.run(first.handle());
  EXPECT_EQ(worker.asked, "followed followed send ");
  EXPECT_EQ(log, "abB") << "b goes on, and c is sent away";
  ex.run_all(worker);
}

TEST_F(WorkerScope, if_it_keeps_the_heir_the_chain_goes_on_as_far_again) {
  asked_worker worker{ex, 2};
  worker.keeps_chains = true;
  line_up(5, worker);
  const owned first = begin_to_make_way(line);
  worker.run(first.handle());
  EXPECT_EQ(log, "abcde");
  EXPECT_EQ(worker.asked, "followed followed send followed followed send left ");
  EXPECT_EQ(all.back(), (found{0, 5, 6}));
  ex.run_all(worker);
}

TEST_F(WorkerScope, a_task_that_reschedules_asks_it) {
  const auto yield_once = []() -> owned { co_await reschedule(); };
  const owned task = yield_once();
  asked_worker worker{ex, 100};
  worker.run(task.handle());
  EXPECT_EQ(worker.asked, "last ");
  ex.run_all(worker);
  EXPECT_TRUE(task.done());
}

}  // namespace
}  // namespace hotseat
