// hotseat/tests/unit/runtime/worker_test.cpp — where a worker takes its next task from.
// Layer: runtime.  Mostly pools of one worker: nothing is stolen, so the order is certain.
#include <hotseat/core/waiter.hpp>
#include <hotseat/runtime/detail/bwos_queue.hpp>
#include <hotseat/runtime/detail/costs.hpp>
#include <hotseat/runtime/detail/worker.hpp>
#include <hotseat/runtime/thread_pool.hpp>
#include <hotseat/sched/current.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/sched/worker_scope.hpp>
#include <hotseat/sync/mutex.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/task.hpp>
#include <hotseat/task/when_all.hpp>
#include <support/errand.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace hotseat::detail {
namespace {

/// Moves the running task to the front: forks itself.
class to_the_front {
 public:
  static bool await_ready() noexcept { return false; }
  void await_suspend(std::coroutine_handle<> self) noexcept {
    in_line_.task = self;
    fork_here(in_line_);
  }
  static void await_resume() noexcept {}

 private:
  waiter in_line_;
};

/// Schedules from a non-worker thread, and returns when that is done.
void inject(executor& where, waiter& ready) {
  std::thread outside{[&] { where.schedule(ready); }};
  outside.join();
}

constexpr unsigned fairness_interval = quota::fairness_interval;

TEST(Counter, counts_and_rises) {
  counter c;
  EXPECT_EQ(c.get(), 0U);
  c.add();
  c.add(5);
  EXPECT_EQ(c.get(), 6U);
  c.raise_to(4);
  EXPECT_EQ(c.get(), 6U);
  c.raise_to(9);
  EXPECT_EQ(c.get(), 9U);
}

TEST(Worker, two_queues_of_the_wanted_shape_need_their_memory) {
  thread_pool_options shape;
  shape.block_size = 3;
  shape.block_count = 8;
  EXPECT_EQ(worker::queue_bytes(shape), 2 * bwos_queue::storage_bytes(3, 8));
}

TEST(Worker, a_thread_knows_whether_it_is_a_worker) {
  EXPECT_EQ(worker_scope::current(), nullptr);
  thread_pool pool{1U};
  const auto index = [](thread_pool& of) -> task<int> {
    const auto* const here = static_cast<const worker*>(worker_scope::current());
    co_return executor::current() == &of ? static_cast<int>(here->index()) : -1;
  };
  task<int> asked = index(pool);
  EXPECT_EQ(sync_wait(pool, asked), 0);
  EXPECT_EQ(worker_scope::current(), nullptr);
}

task<> fill_every_source(thread_pool& pool, std::vector<std::string>& log) {
  const auto say = [&log](const char* what) {
    return make_errand([&log, what] { log.emplace_back(what); });
  };
  inject(pool, say("injector").place());
  pool.schedule(say("ready, older").place());
  pool.schedule(say("ready, newer").place());
  fork_here(say("fork, older").place());
  fork_here(say("fork, newer").place());
  executor::run_next(say("slot").place().task);
  co_await to_the_back{pool};
  co_await to_the_back{pool};
}

TEST(Worker, takes_from_the_slot_the_forks_the_ready_and_the_injector) {
  std::vector<std::string> log;
  {
    // A pool that is destroyed runs what is queued, and only then is the log read.
    thread_pool pool{1U};
    sync_wait(pool, fill_every_source(pool, log));
  }
  // The injected task may be taken early, when it is the injector's turn; the rest is in
  // order.
  EXPECT_EQ(std::erase(log, "injector"), 1U);
  EXPECT_EQ(log, (std::vector<std::string>{"slot", "fork, newer", "fork, older",
                                           "ready, older", "ready, newer"}));
}

task<unsigned> turns_until(thread_pool& pool, bool& is_done, bool by_forking) {
  unsigned turns = 0;
  while (!is_done) {
    ++turns;
    if (by_forking) {
      co_await to_the_front{};
    } else {
      co_await to_the_back{pool};
    }
  }
  co_return turns;
}

task<unsigned> turns_until_injected(thread_pool& pool, unsigned warm_up, bool by_forking) {
  for (unsigned i = 0; i < warm_up; ++i) co_await to_the_back{pool};
  bool is_done = false;
  inject(pool, make_errand([&is_done] { is_done = true; }).place());
  co_return co_await turns_until(pool, is_done, by_forking);
}

TEST(Worker, an_injected_task_runs_soon_although_the_worker_feeds_itself) {
  thread_pool pool{1U};
  for (unsigned warm_up = 0; warm_up < 2 * fairness_interval; warm_up += 7) {
    EXPECT_LE(sync_wait(pool, turns_until_injected(pool, warm_up, false)),
              fairness_interval);
    EXPECT_LE(sync_wait(pool, turns_until_injected(pool, warm_up, true)),
              fairness_interval);
  }
}

TEST(Worker, with_lifo_order_too_an_injected_task_runs_soon) {
  thread_pool pool{{.threads = 1, .order = queue_order::lifo}};
  EXPECT_LE(sync_wait(pool, turns_until_injected(pool, 5, false)), fairness_interval);
}

task<unsigned> turns_until_ready(thread_pool& pool) {
  bool is_done = false;
  pool.schedule(make_errand([&is_done] { is_done = true; }).place());
  co_return co_await turns_until(pool, is_done, true);
}

TEST(Worker, a_ready_task_runs_soon_although_forks_never_end) {
  thread_pool pool{1U};
  for (int i = 0; i < 10; ++i) {
    EXPECT_LE(sync_wait(pool, turns_until_ready(pool)), fairness_interval);
  }
}

task<> pass_on(thread_pool& pool, mutex& m, const bool& is_done, unsigned& sections) {
  while (!is_done) {
    co_await m.lock();
    ++sections;
    co_await to_the_back{pool};  // The others run and wait, so that the unlock exchanges.
    co_await m.unlock();
  }
}

task<> chain_until_injected(thread_pool& pool, unsigned& sections) {
  bool is_done = false;
  mutex m;
  inject(pool, make_errand([&is_done] { is_done = true; }).place());
  std::vector<task<>> all;
  for (int i = 0; i < 3; ++i) all.push_back(pass_on(pool, m, is_done, sections));
  co_await when_all(std::move(all));
}

TEST(Worker, a_chain_does_not_keep_an_injected_task_out_for_ever) {
  constexpr std::uint32_t limit = 100;
  thread_pool pool{{.threads = 1, .chain_limit = limit}};
  unsigned sections = 0;
  sync_wait(pool, chain_until_injected(pool, sections));
  EXPECT_LE(sections, 4 * (limit + fairness_interval));
}

task<> cut_a_chain_before(thread_pool& pool, unsigned waiting, std::string& log) {
  for (unsigned i = 0; i < waiting; ++i) run_on(pool, [&log] { log += '.'; });
  waiter& heir = make_errand([&log] { log += 'h'; }).place();
  EXPECT_TRUE(worker_scope::current()->send_elsewhere(heir));
  co_await to_the_back{pool};
}

TEST(Worker, one_that_cuts_a_chain_runs_its_own_tasks_before_the_heir) {
  std::string log;
  {
    thread_pool pool{1U};
    sync_wait(pool, cut_a_chain_before(pool, 3, log));
  }
  EXPECT_EQ(log, "...h");
}

TEST(Worker, the_heir_of_a_cut_chain_does_not_wait_for_all_tasks_of_a_worker) {
  std::string log;
  {
    thread_pool pool{1U};
    sync_wait(pool, cut_a_chain_before(pool, 3 * fairness_interval, log));
  }
  EXPECT_LE(log.find('h'), fairness_interval);
}

task<> schedule_many(thread_pool& pool, std::vector<unsigned>& runs, std::size_t& left,
                     bool by_forking) {
  for (unsigned& mine : runs) {
    waiter& place = make_errand([&] {
                      ++mine;
                      --left;
                    }).place();
    if (by_forking) {
      fork_here(place);
    } else {
      pool.schedule(place);
    }
  }
  while (left != 0) co_await to_the_back{pool};
}

TEST(Worker, what_does_not_fit_into_its_queues_is_run_all_the_same) {
  for (const bool by_forking : {false, true}) {
    thread_pool pool{{.threads = 1, .block_size = 1, .block_count = 2}};
    std::vector<unsigned> runs(100);
    std::size_t left = runs.size();
    sync_wait(pool, schedule_many(pool, runs, left, by_forking));
    EXPECT_EQ(std::ranges::count(runs, 1U), 100);
    EXPECT_GE(pool.stats().total().injected, 90U) << "it did not overflow";
  }
}

task<> leave_a_lock_behind(thread_pool& pool, mutex& m, std::vector<std::uint32_t>& held) {
  co_await m.lock();
  held.push_back(detail::current().locks_held);
  pool.schedule(make_errand([&] { held.push_back(detail::current().locks_held); }).place());
  co_await to_the_back{pool};
  m.unlock_dispatch();
}

TEST(Worker, each_task_from_a_queue_starts_with_no_lock_held) {
  thread_pool pool{1U};
  mutex m;
  std::vector<std::uint32_t> held;
  sync_wait(pool, leave_a_lock_behind(pool, m, held));
  EXPECT_EQ(held, (std::vector<std::uint32_t>{1, 0}));
}

TEST(Worker, counts_what_it_runs_and_where_it_came_from) {
  thread_pool pool{1U};
  std::vector<unsigned> runs(10);
  std::size_t left = runs.size();
  sync_wait(pool, schedule_many(pool, runs, left, false));
  const worker_stats all = pool.stats().total();
  // The tasks, the one that scheduled them, and that one again when they had ended.
  EXPECT_EQ(all.injected, 1U);
  EXPECT_EQ(all.local_pops, 11U);
  EXPECT_EQ(all.tasks_run, all.injected + all.local_pops);
  EXPECT_EQ(all.exchanges, 0U);
}

}  // namespace
}  // namespace hotseat::detail
