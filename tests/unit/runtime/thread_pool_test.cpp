// hotseat/tests/unit/runtime/thread_pool_test.cpp — options, life, stealing, counters.
// Layer: runtime.  Bad options: tests/misuse/pool_misuse_test.cpp.  Under load:
// tests/stress/pool_stress.cpp.
#include <hotseat/core/waiter.hpp>
#include <hotseat/runtime/queue_order.hpp>
#include <hotseat/runtime/thread_pool.hpp>
#include <hotseat/runtime/topology.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/sched/reschedule.hpp>
#include <hotseat/sync/mutex.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/task.hpp>
#include <hotseat/task/task_group.hpp>
#include <hotseat/task/when_all.hpp>
#include <support/errand.hpp>
#include <support/hwloc.hpp>

#include <gtest/gtest.h>
#include <poll.h>
#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <latch>
#include <optional>
#include <ostream>
#include <set>
#include <thread>
#include <utility>
#include <vector>

namespace hotseat {
namespace {

using options = thread_pool::options;

task<int> fib(int n) {
  if (n < 2) co_return n;
  auto [a, b] = co_await when_all(fib(n - 1), fib(n - 2));
  co_return a + b;
}

/// Returns once all workers of the pool have been in a task of the test at the same time.
void meet_all_workers(thread_pool& pool) {
  std::latch everybody{static_cast<std::ptrdiff_t>(pool.size())};
  std::latch gone{static_cast<std::ptrdiff_t>(pool.size())};
  for (unsigned i = 0; i < pool.size(); ++i) {
    run_on(pool, [&] {
      everybody.arrive_and_wait();
      gone.count_down();
    });
  }
  gone.wait();
}

/// Schedules three errands in one call, and waits until all have run.
void schedule_three(thread_pool& pool) {
  std::latch run{3};
  waiter_queue batch;
  for (int i = 0; i < 3; ++i)
    batch.push_back(make_errand([&] { run.count_down(); }).place());
  pool.schedule_all(batch);
  run.wait();
}

TEST(ThreadPool, runs_all_of_a_batch_from_outside_and_from_one_of_its_workers) {
  thread_pool pool{2};
  schedule_three(pool);
  std::latch is_over{1};
  run_on(pool, [&] {
    schedule_three(pool);  // The other worker steals them.
    is_over.count_down();
  });
  is_over.wait();
}

// One worker, so that no task is stolen and the order is certain.
TEST(ThreadPool, a_worker_runs_first_what_became_ready_first_or_last_as_it_was_told) {
  EXPECT_EQ(options{}.order, queue_order::fifo);
  for (const queue_order order : {queue_order::fifo, queue_order::lifo}) {
    thread_pool pool{{.threads = 1, .block_size = 2, .block_count = 8, .order = order}};
    std::vector<int> log;
    std::latch all{10};
    const auto note = [&](int i) {
      log.push_back(i);
      all.count_down();
    };
    run_on(pool, [&] {
      for (int i = 0; i < 10; ++i) run_on(pool, [&note, i] { note(i); });
    });
    all.wait();
    std::vector<int> expected{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    if (order == queue_order::lifo) std::reverse(expected.begin(), expected.end());
    EXPECT_EQ(log, expected);
  }
}

unsigned cpus_allowed() {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  EXPECT_EQ(sched_getaffinity(0, sizeof mask, &mask), 0);
  return static_cast<unsigned>(CPU_COUNT(&mask));
}

// --- Options.

TEST(ThreadPool, no_number_of_threads_means_the_cpus_allowed) {
  const unsigned expected = topology::detect().default_worker_count();
  EXPECT_LE(expected, cpus_allowed());
  thread_pool pool;
  EXPECT_EQ(pool.size(), expected);
  thread_pool zero{0U};
  EXPECT_EQ(zero.size(), expected);
}

TEST(ThreadPool, a_thread_that_may_use_one_cpu_makes_a_pool_of_one_worker) {
  unsigned size = 0;
  std::thread pinned_one{[&size] {
    const int here = sched_getcpu();
    cpu_set_t mask;
    CPU_ZERO(&mask);
    CPU_SET(static_cast<std::size_t>(here), &mask);
    ASSERT_EQ(sched_setaffinity(0, sizeof mask, &mask), 0);
    size = thread_pool{}.size();
  }};
  pinned_one.join();
  EXPECT_EQ(size, 1U);
}

TEST(ThreadPool, runs_with_any_number_of_workers) {
  for (const unsigned threads : {1U, 2U, 3U, 7U, 65U}) {
    thread_pool pool{threads};
    EXPECT_EQ(pool.size(), threads);
    EXPECT_EQ(pool.stats().workers.size(), threads);
    EXPECT_EQ(sync_wait(pool, fib(12)), 144);
  }
}

TEST(ThreadPool, a_machine_without_threads_given_decides_about_their_number) {
  thread_pool pool{options{.machine = topology::flat(5)}};
  EXPECT_EQ(pool.size(), 5U);
  EXPECT_EQ(pool.machine().cpus().size(), 5U);
}

TEST(ThreadPool, runs_with_any_pinning) {
  for (const pinning level :
       {pinning::none, pinning::node, pinning::cache, pinning::core}) {
    thread_pool pool{options{.threads = 3, .pin = level}};
    EXPECT_EQ(sync_wait(pool, fib(10)), 55);
  }
}

TEST(ThreadPool, a_worker_pinned_to_a_core_stays_there) {
  if (!topology::detect().is_real()) GTEST_SKIP() << "CPUs are not known here";
  thread_pool pool{options{.threads = 1, .pin = pinning::core}};
  const cpu& place = pool.machine().cpus()[0];
  cpu_set_t mask;
  CPU_ZERO(&mask);
  std::latch done{1};
  run_on(pool, [&] {
    sched_getaffinity(0, sizeof mask, &mask);
    done.count_down();
  });
  done.wait();
  for (const cpu& each : pool.machine().cpus()) {
    EXPECT_EQ(CPU_ISSET(each.os_index, &mask) != 0, each.core == place.core);
  }
}

TEST(ThreadPool, runs_with_any_shape_of_queues_and_either_order) {
  for (const queue_order order : {queue_order::fifo, queue_order::lifo}) {
    for (const std::uint32_t size : {1U, 2U, 3U, 32U}) {
      for (const std::uint32_t count : {2U, 4U, 64U}) {
        thread_pool pool{options{
            .threads = 3, .block_size = size, .block_count = count, .order = order}};
        EXPECT_EQ(sync_wait(pool, fib(12)), 144) << count << " x " << size;
      }
    }
  }
}

TEST(ThreadPool, a_machine_of_two_nodes_with_128_workers_does_real_work) {
  if (!testing::has_hwloc()) GTEST_SKIP() << "built without hwloc";
  thread_pool pool{
      options{.threads = 128, .machine = topology::synthetic("numa:2 l3:4 core:16 pu:1")}};
  EXPECT_EQ(pool.size(), 128U);
  EXPECT_EQ(pool.machine().node_count(), 2U);
  EXPECT_EQ(pool.machine().cache_count(), 8U);
  EXPECT_EQ(sync_wait(pool, fib(16)), 987);
  meet_all_workers(pool);
  const worker_stats all = pool.stats().total();
  EXPECT_GE(all.tasks_run, 128U);
  for (const worker_stats& each : pool.stats().workers) EXPECT_GE(each.tasks_run, 1U);
}

// --- The calling thread.

TEST(ThreadPool, every_worker_knows_its_index) {
  thread_pool pool{5U};
  std::latch everybody{5};
  std::latch done{5};
  std::vector<std::optional<unsigned>> found(5);
  for (std::optional<unsigned>& mine : found) {
    run_on(pool, [&] {
      mine = pool.current_worker();
      everybody.arrive_and_wait();
      done.count_down();
    });
  }
  done.wait();
  const std::set<std::optional<unsigned>> distinct{found.begin(), found.end()};
  EXPECT_EQ(distinct, (std::set<std::optional<unsigned>>{0, 1, 2, 3, 4}));
}

TEST(ThreadPool, other_threads_are_not_its_workers) {
  thread_pool pool{1U};
  thread_pool other{1U};
  EXPECT_EQ(pool.current_worker(), std::nullopt);
  std::latch done{1};
  run_on(other, [&] {
    EXPECT_EQ(other.current_worker(), 0U);
    EXPECT_EQ(pool.current_worker(), std::nullopt);
    EXPECT_EQ(executor::current(), &other);
    done.count_down();
  });
  done.wait();
}

TEST(ThreadPool, a_worker_of_one_pool_can_schedule_to_another) {
  thread_pool first{1U};
  thread_pool second{1U};
  std::latch done{1};
  const executor* ran_on = nullptr;
  run_on(first, [&] {
    run_on(second, [&] {
      ran_on = executor::current();
      done.count_down();
    });
  });
  done.wait();
  EXPECT_EQ(ran_on, &second);
}

TEST(ThreadPool, rescheduling_lets_a_task_from_outside_run_first) {
  for (const queue_order order : {queue_order::fifo, queue_order::lifo}) {
    thread_pool pool{options{.threads = 1, .order = order}};
    std::latch is_running{1};
    std::latch has_come{1};
    bool was_run = false;
    bool was_run_first = false;
    const auto reschedule_once = [&]() -> task<> {
      EXPECT_FALSE(worker_scope::current()->has_ready());
      is_running.count_down();
      has_come.wait();
      EXPECT_TRUE(worker_scope::current()->has_ready());
      co_await reschedule();
      was_run_first = was_run;
    };
    task_group all{pool};
    all.spawn(reschedule_once());
    is_running.wait();
    run_on(pool, [&was_run] { was_run = true; });
    has_come.count_down();
    sync_wait(pool, all.join());
    EXPECT_TRUE(was_run_first);
  }
}

TEST(ThreadPool, a_worker_knows_whether_anything_waits_for_it) {
  thread_pool pool{1};
  std::latch is_over{1};
  const auto has_ready = [] { return worker_scope::current()->has_ready(); };
  run_on(pool, [&] {
    EXPECT_FALSE(has_ready());
    run_on(pool, [] {});
    EXPECT_TRUE(has_ready());
    run_on(pool, [&] {
      EXPECT_FALSE(has_ready());
      fork_here(make_errand([] {}).place());
      EXPECT_TRUE(has_ready());
      is_over.count_down();
    });
  });
  is_over.wait();
}

// --- The end of a pool.

TEST(ThreadPool, an_idle_pool_can_be_destroyed_at_once) {
  for (int i = 0; i < 50; ++i) thread_pool pool{4U};
}

TEST(ThreadPool, its_destructor_runs_what_is_queued) {
  for (const unsigned threads : {1U, 4U}) {
    std::atomic<int> runs{0};
    {
      thread_pool pool{threads};
      for (int i = 0; i < 1000; ++i) run_on(pool, [&runs] { ++runs; });
    }
    EXPECT_EQ(runs, 1000);
  }
}

void run_and_schedule_more(thread_pool& pool, std::atomic<int>& runs, int more) {
  ++runs;
  if (more == 0) return;
  for (int i = 0; i < 2; ++i) {
    run_on(pool, [&pool, &runs, more] { run_and_schedule_more(pool, runs, more - 1); });
  }
}

TEST(ThreadPool, its_destructor_runs_what_the_queued_tasks_make_ready) {
  for (const unsigned threads : {1U, 4U}) {
    std::atomic<int> runs{0};
    {
      thread_pool pool{threads};
      run_on(pool, [&] { run_and_schedule_more(pool, runs, 9); });
    }
    EXPECT_EQ(runs, 1023);
  }
}

/// A coroutine that the test owns, suspended half-way for ever.
class stranded {
 public:
  struct promise_type {
    stranded get_return_object() noexcept {
      return stranded{std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    static std::suspend_always initial_suspend() noexcept { return {}; }
    static std::suspend_always final_suspend() noexcept { return {}; }
    static void return_void() noexcept {}
    [[noreturn]] static void unhandled_exception() noexcept { std::terminate(); }
    waiter in_line;
  };

  stranded(const stranded&) = delete;
  stranded& operator=(const stranded&) = delete;
  ~stranded() { coroutine_.destroy(); }
  waiter& place() noexcept {
    coroutine_.promise().in_line.task = coroutine_;
    return coroutine_.promise().in_line;
  }
  [[nodiscard]] bool done() const noexcept { return coroutine_.done(); }

 private:
  explicit stranded(std::coroutine_handle<promise_type> coroutine) noexcept
      : coroutine_{coroutine} {}
  std::coroutine_handle<promise_type> coroutine_;
};

struct flag_at_the_end {
  explicit flag_at_the_end(bool& is_over) noexcept : is_over_{is_over} {}
  flag_at_the_end(const flag_at_the_end&) = delete;
  flag_at_the_end& operator=(const flag_at_the_end&) = delete;
  ~flag_at_the_end() { is_over_ = true; }
  bool& is_over_;
};

stranded run_half(bool& has_started, bool& is_destroyed) {
  const flag_at_the_end local{is_destroyed};
  has_started = true;
  co_await std::suspend_always{};
  has_started = false;
}

TEST(ThreadPool, its_destructor_leaves_a_suspended_task_to_its_owner) {
  bool has_started = false;
  bool is_destroyed = false;
  {
    stranded owner = run_half(has_started, is_destroyed);
    {
      thread_pool pool{2U};
      pool.schedule(owner.place());
    }
    EXPECT_TRUE(has_started);
    EXPECT_FALSE(is_destroyed);
    EXPECT_FALSE(owner.done());
  }
  EXPECT_TRUE(is_destroyed);
}

// --- No ready task waits for a busy worker while another worker is idle.

struct load {
  unsigned threads;
  int behind;  // tasks queued behind the long one
  queue_order order;
  bool do_others_sleep;
};

std::ostream& operator<<(std::ostream& out, const load& how) {
  return out << how.threads << "_workers_" << how.behind << "_behind_"
             << (how.order == queue_order::fifo ? "fifo" : "lifo")
             << (how.do_others_sleep ? "_others_asleep" : "");
}

class Conservation : public ::testing::TestWithParam<load> {
 protected:
  const load how = GetParam();
  std::latch gate{1};  // Outlives the workers, which may still be inside it.
  thread_pool pool{options{.threads = how.threads, .order = how.order}};

  /// All workers but one are held until `gate` opens, or all of them sleep.
  void hold_the_others() {
    if (how.do_others_sleep) return wait_until_all_sleep();
    std::latch standing{static_cast<std::ptrdiff_t>(how.threads) - 1};
    for (unsigned i = 1; i < how.threads; ++i) {
      run_on(pool, [this, &standing] {
        standing.count_down();
        gate.wait();
      });
    }
    standing.wait();
  }

  void wait_until_all_sleep() const {
    const auto do_all_sleep = [&] {
      const pool_stats now = pool.stats();
      return std::all_of(now.workers.begin(), now.workers.end(),
                         [](const worker_stats& one) { return one.parks != 0; });
    };
    while (!do_all_sleep()) std::this_thread::yield();
  }

  /// Releases the others and keeps its worker until `quick` tasks have run.
  std::function<void()> long_task(std::latch& quick) {
    return [this, &quick] {
      gate.count_down();
      quick.wait();
    };
  }
};

TEST_P(Conservation, tasks_behind_a_long_one_are_run_by_the_others) {
  hold_the_others();
  std::latch quick{how.behind};
  std::latch is_over{1};
  run_on(pool, [&] {
    const bool is_first = how.order == queue_order::fifo;
    const auto start_long_one = [&] {
      run_on(pool, [&] {
        long_task(quick)();
        is_over.count_down();
      });
    };
    if (is_first) start_long_one();
    for (int i = 0; i < how.behind; ++i) run_on(pool, [&quick] { quick.count_down(); });
    if (!is_first) start_long_one();
  });
  is_over.wait();
}

TEST_P(Conservation, forks_behind_a_long_one_are_run_by_the_others) {
  hold_the_others();
  std::latch quick{how.behind};
  std::latch is_over{1};
  run_on(pool, [&] {
    for (int i = 0; i < how.behind; ++i) {
      fork_here(make_errand([&quick] { quick.count_down(); }).place());
    }
    fork_here(make_errand([&] {
                long_task(quick)();
                is_over.count_down();
              }).place());
  });
  is_over.wait();
}

TEST_P(Conservation, tasks_that_came_from_outside_with_a_long_one_are_run_by_the_others) {
  // The one free worker is held, too, until everything is in the injector.
  hold_the_others();
  std::latch standing{1};
  std::latch start{1};
  std::latch is_over{2};
  run_on(pool, [&] {
    standing.count_down();
    start.wait();
    is_over.count_down();
  });
  standing.wait();
  std::latch quick{how.behind};
  run_on(pool, [&] {
    long_task(quick)();
    is_over.count_down();
  });
  for (int i = 0; i < how.behind; ++i) run_on(pool, [&quick] { quick.count_down(); });
  start.count_down();
  is_over.wait();
}

TEST_P(Conservation, tasks_that_a_long_one_makes_ready_are_run_by_the_others) {
  hold_the_others();
  std::latch quick{how.behind};
  std::latch is_over{1};
  run_on(pool, [&] {
    for (int i = 0; i < how.behind; ++i) run_on(pool, [&quick] { quick.count_down(); });
    long_task(quick)();
    is_over.count_down();
  });
  is_over.wait();
}

TEST_P(Conservation, children_of_a_long_one_are_run_by_the_others) {
  hold_the_others();
  std::latch quick{how.behind};
  std::latch is_over{1};
  run_on(pool, [&] {
    std::vector<waiter> children(static_cast<std::size_t>(how.behind));
    for (waiter& child : children) {
      child.task = make_errand([&quick] { quick.count_down(); }).place().task;
    }
    worker_scope::current()->fork_all(children);
    long_task(quick)();
    is_over.count_down();
  });
  is_over.wait();
}

class HeirThatGoesOn : public Conservation {};

// Both tasks are on the one free worker.  The heir, behind which no task waits, continues
// there for long.
TEST_P(HeirThatGoesOn, does_not_keep_the_task_that_left_from_the_others) {
  hold_the_others();
  mutex m;
  std::latch has_left{1};
  std::latch is_over{2};
  const auto leave = [&]() -> task<> {
    co_await m.lock();
    co_await reschedule();  // the other one joins the line
    co_await m.unlock();
    has_left.count_down();
    is_over.count_down();
  };
  const auto inherit = [&]() -> task<> {
    co_await m.lock();
    co_await m.unlock();
    long_task(has_left)();
    is_over.count_down();
  };
  task_group both{pool};
  run_on(pool, [&] {
    both.spawn(leave());
    both.spawn(inherit());
  });
  is_over.wait();
  sync_wait(pool, both.join());
}

std::vector<load> loads() {
  std::vector<load> result;
  for (const unsigned threads : {2U, 4U}) {
    for (const int behind : {1, 20, 100, 500}) {
      for (const queue_order order : {queue_order::fifo, queue_order::lifo}) {
        for (const bool do_others_sleep : {false, true}) {
          result.push_back({threads, behind, order, do_others_sleep});
        }
      }
    }
  }
  return result;
}

INSTANTIATE_TEST_SUITE_P(ThreadPool, Conservation, ::testing::ValuesIn(loads()),
                         ::testing::PrintToStringParamName());
INSTANTIATE_TEST_SUITE_P(ThreadPool, HeirThatGoesOn,
                         ::testing::Values(load{2, 1, queue_order::fifo, false},
                                           load{4, 1, queue_order::fifo, false},
                                           load{4, 1, queue_order::fifo, true}),
                         ::testing::PrintToStringParamName());

// --- What is counted.

TEST(PoolStats, every_task_that_was_run_is_counted_and_has_a_source) {
  thread_pool pool{3U};
  std::latch done{1000};
  for (int i = 0; i < 1000; ++i) run_on(pool, [&done] { done.count_down(); });
  done.wait();
  const worker_stats all = pool.stats().total();
  EXPECT_EQ(all.tasks_run, 1000U);
  EXPECT_EQ(all.injected, 1000U);
  EXPECT_LE(all.local_pops, 1000U);
}

TEST(PoolStats, steals_are_counted_by_distance) {
  // Two nodes with two caches of one core: no two workers share a cache.
  thread_pool pool{options{.threads = 4,
                           .machine = topology::described(
                               {{0, 0, 0, 0}, {1, 1, 1, 0}, {2, 2, 2, 1}, {3, 3, 3, 1}})}};
  while (pool.stats().total().parks < 4) std::this_thread::yield();
  std::latch everybody{4};
  std::latch done{4};
  const auto meet = [&] {
    everybody.arrive_and_wait();
    done.count_down();
  };
  run_on(pool, [&] {
    for (int i = 0; i < 3; ++i) run_on(pool, meet);
    meet();
  });
  done.wait();
  const worker_stats all = pool.stats().total();
  EXPECT_EQ(all.steals[0], 0U);
  EXPECT_GE(all.steals[2], 1U) << "two tasks went to the other node";
  EXPECT_GE(all.tasks_stolen[1] + all.tasks_stolen[2], 3U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_GE(all.tasks_stolen[i], all.steals[i]);
  EXPECT_GE(all.blocks_granted, 1U);
  EXPECT_GE(all.wake_ups, 1U) << "all slept; one is woken from outside and wakes the next";
}

task<> own(mutex& m) { co_await m.lock(); }

task<> pass_on_when_all_wait(thread_pool& pool, mutex& m, const std::atomic<int>& arrived,
                             int expected) {
  while (arrived != expected) co_await to_the_back{pool};
  co_await m.unlock();
}

task<> pass_through(mutex& m, std::atomic<int>& arrived) {
  ++arrived;
  co_await m.lock();
  co_await m.unlock();
}

/// The lock is owned until `waiters` tasks stand in line; then each hands it over.
worker_stats stats_of_a_line(const options& wanted, int waiters) {
  thread_pool pool{wanted};
  mutex m;
  std::atomic<int> arrived{0};
  // Before any other task can: other workers may be faster.
  sync_wait(pool, own(m));
  std::vector<task<>> all;
  all.push_back(pass_on_when_all_wait(pool, m, arrived, waiters));
  for (int i = 0; i < waiters; ++i) all.push_back(pass_through(m, arrived));
  sync_wait(pool, when_all(std::move(all)));
  meet_all_workers(pool);  // A worker counts its chain when it takes the next task.
  return pool.stats().total();
}

TEST(PoolStats, every_exchange_is_counted) {
  const worker_stats all = stats_of_a_line({.threads = 1}, 20);
  EXPECT_EQ(all.exchanges, 20U);
  EXPECT_EQ(all.longest_chain, 20U);
  EXPECT_EQ(all.chains_cut, 0U);
}

TEST(PoolStats, a_hand_over_is_an_exchange_or_cuts_a_chain) {
  for (const std::uint32_t limit : {1U, 2U, 3U, 8U}) {
    const worker_stats all = stats_of_a_line({.threads = 1, .chain_limit = limit}, 24);
    EXPECT_EQ(all.exchanges + all.chains_cut, 24U) << "limit " << limit;
    EXPECT_EQ(all.chains_cut, 24 / (limit + 1)) << "limit " << limit;
    EXPECT_EQ(all.longest_chain, limit);
  }
}

TEST(PoolStats, with_several_workers_no_hand_over_is_counted_twice) {
  for (const std::uint32_t limit : {1U, 2U, 7U, 1024U}) {
    const worker_stats all = stats_of_a_line({.threads = 3, .chain_limit = limit}, 2000);
    EXPECT_GE(all.exchanges, 1U);
    EXPECT_GE(all.longest_chain, 1U);
    EXPECT_LE(all.longest_chain, all.exchanges);
    EXPECT_LE(all.exchanges + all.chains_cut, 2000U);
    EXPECT_LE(all.exchanges, all.tasks_run);
  }
}

TEST(PoolStats, every_time_a_worker_falls_asleep_is_counted) {
  thread_pool pool{2U};
  const auto parks = [&pool] { return pool.stats().total().parks; };
  for (std::uint64_t round = 1; round <= 5; ++round) {
    // Each worker falls asleep once more after each meeting.
    while (parks() < 2 * round) std::this_thread::yield();
    meet_all_workers(pool);
  }
  EXPECT_GE(parks(), 10U);
}

TEST(PoolStats, an_idle_pool_uses_no_cpu) {
  thread_pool pool{8U};
  meet_all_workers(pool);
  while (pool.stats().total().parks < 8) std::this_thread::yield();
  const auto cpu_time = [] {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    const auto to_seconds = [](const timeval& t) {
      return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
    };
    return to_seconds(used.ru_utime) + to_seconds(used.ru_stime);
  };
  const auto start = std::chrono::steady_clock::now();
  const double before = cpu_time();
  poll(nullptr, 0, 500);  // The period that is measured.
  const double used = cpu_time() - before;
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
  EXPECT_LT(used, 0.05 * passed.count());
}

}  // namespace
}  // namespace hotseat
