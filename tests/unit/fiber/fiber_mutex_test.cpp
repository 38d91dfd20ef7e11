// hotseat/tests/unit/fiber/fiber_mutex_test.cpp — one mutex for fibers, coroutines and
// threads; what runs where after an unlock.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <hotseat/fiber/fiber.hpp>
#include <hotseat/fiber/fiber_mutex.hpp>
#include <hotseat/runtime/thread_pool.hpp>
#include <hotseat/sched/current.hpp>
#include <hotseat/sched/handoff.hpp>
#include <hotseat/sched/reschedule.hpp>
#include <hotseat/sched/worker_scope.hpp>
#include <hotseat/sync/lock_state.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/task.hpp>
#include <hotseat/task/task_group.hpp>
#include <mutex>
#include <stop_token>
#include <string>
#include <support/probes.hpp>
#include <support/threads.hpp>
#include <thread>
#include <vector>

namespace hotseat {
namespace {

using namespace std::chrono_literals;
using testing::manual_executor;
using testing::owned;

template <class Mutex>
class FiberMutex : public ::testing::Test {};
using kinds =
    ::testing::Types<basic_fiber_mutex<handoff::exchange>,
                     basic_fiber_mutex<handoff::dispatch>,
                     basic_fiber_mutex<handoff::resume_inline>,
                     basic_fiber_mutex<handoff::exchange, lock_state::spin_locked>>;
TYPED_TEST_SUITE(FiberMutex, kinds);

template <class Mutex>
task<> enter(Mutex& m, int& count, int times) {
  for (int i = 0; i < times; ++i) {
    co_await m.native().lock();
    ++count;
    co_await m.native().unlock();
  }
}

TYPED_TEST(FiberMutex, serves_fibers_coroutines_and_threads_at_once) {
  constexpr int times = 300;
  thread_pool pool{3};
  TypeParam m;
  int count = 0;
  const auto enter_plainly = [&] {
    for (int i = 0; i < times; ++i) {
      const std::lock_guard held{m};
      ++count;
    }
  };
  std::vector<fiber> fibers;
  for (int i = 0; i < 10; ++i) fibers.emplace_back(pool, enter_plainly);
  task_group coroutines{pool};
  for (int i = 0; i < 10; ++i) coroutines.spawn(enter(m, count, times));
  std::thread first{enter_plainly};
  std::thread second{enter_plainly};
  sync_wait(pool, coroutines.join());
  first.join();
  second.join();
  for (fiber& each : fibers) each.join();
  EXPECT_EQ(count, 22 * times);
}

TYPED_TEST(FiberMutex, is_held_across_a_suspension) {
  thread_pool pool{2};
  TypeParam m;
  int count = 0;
  std::vector<fiber> fibers;
  for (int i = 0; i < 10; ++i) {
    fibers.emplace_back(pool, [&] {
      const std::lock_guard held{m};
      const int before = count;
      await(reschedule());
      count = before + 1;
    });
  }
  for (fiber& each : fibers) each.join();
  EXPECT_EQ(count, 10);
}

/// Records what happens, in order.
struct scene {
  manual_executor one;
  fiber_mutex m;
  fiber_mutex other;
  std::vector<std::string> log;
  void note(const char* what) { log.emplace_back(what); }
};

TEST(FiberMutexExchange, unlock_runs_the_heir_here_and_schedules_the_fiber_that_left) {
  scene s;
  fiber owner{s.one, [&] {
                s.m.lock();
                await(reschedule());
                s.m.unlock();
                s.note("owner");
              }};
  fiber heir{s.one, [&] {
               s.m.lock();
               s.note("heir");
               s.m.unlock();
             }};
  s.one.step();
  s.one.step();
  s.one.step();  // The owner unlocks; the heir follows in the slot.
  EXPECT_EQ(s.log, std::vector<std::string>{"heir"});
  EXPECT_EQ(s.one.ready().size(), 1U);
  s.one.run_all();
  EXPECT_EQ(s.log, (std::vector<std::string>{"heir", "owner"}));
  owner.join();
  heir.join();
}

TEST(FiberMutexExchange, a_guard_s_destructor_exchanges_too) {
  scene s;
  fiber owner{s.one, [&] {
                {
                  const std::lock_guard held{s.m};
                  await(reschedule());
                }
                s.note("owner");
              }};
  fiber heir{s.one, [&] {
               const std::lock_guard held{s.m};
               s.note("heir");
             }};
  for (int i = 0; i < 3; ++i) s.one.step();
  EXPECT_EQ(s.log, std::vector<std::string>{"heir"});
  s.one.run_all();
  owner.join();
  heir.join();
}

TEST(FiberMutexExchange, inside_another_section_the_heir_is_dispatched) {
  scene s;
  fiber owner{s.one, [&] {
                const std::lock_guard outer{s.other};
                s.m.lock();
                await(reschedule());
                s.m.unlock();
                s.note("owner, still inside");
              }};
  fiber heir{s.one, [&] {
               s.m.lock();
               s.note("heir");
               s.m.unlock();
             }};
  for (int i = 0; i < 3; ++i) s.one.step();
  EXPECT_EQ(s.log, std::vector<std::string>{"owner, still inside"});
  s.one.run_all();
  EXPECT_EQ(s.log, (std::vector<std::string>{"owner, still inside", "heir"}));
  owner.join();
  heir.join();
}

owned wait_for_it(fiber_mutex& m, std::vector<std::string>& log) {
  co_await m.native().lock();
  log.emplace_back("coroutine");
  co_await m.native().unlock();
}

TEST(FiberMutexExchange, a_fiber_passes_on_to_a_coroutine_and_back) {
  scene s;
  fiber owner{s.one, [&] {
                s.m.lock();
                await(reschedule());
                s.m.unlock();
                s.note("owner");
              }};
  owned second = wait_for_it(s.m, s.log);
  second.start_on(s.one);
  fiber third{s.one, [&] {
                s.m.lock();
                s.note("third");
                s.m.unlock();
              }};
  s.one.run_all();
  EXPECT_EQ(s.log, (std::vector<std::string>{"coroutine", "third", "owner"}));
  owner.join();
  third.join();
}

TEST(FiberMutexExchange, F3_the_count_is_kept_on_the_thread_the_fiber_is_on) {
  // Lock and unlock in one function, which a compiler may inline as a whole; the fiber
  // moves to another thread in between.
  manual_executor one;
  waiter_queue line;
  fiber_mutex m;
  std::uint32_t on_other_thread = 99;
  fiber f{one, [&] {
            m.lock();
            await(testing::stand_in{line});
            m.unlock();
            m.lock();
            m.unlock();
          }};
  one.run_all();
  EXPECT_EQ(detail::current().locks_held, 0U);
  testing::on_another_thread([&] {
    const worker_scope scope{one};
    run_until_idle(line.pop_front().task);
    on_other_thread = detail::current().locks_held;
  });
  f.join();
  EXPECT_EQ(detail::current().locks_held, 0U);
  EXPECT_EQ(on_other_thread, 0U);
}

TEST(FiberMutexLimits, a_fiber_gives_up_in_time) {
  thread_pool pool{1};
  fiber_mutex m;
  m.lock();
  bool in_time = true;
  bool was_stopped = true;
  std::stop_source source;
  source.request_stop();
  fiber f{pool, [&] {
            in_time = m.try_lock_for(1ms);
            was_stopped = !m.lock(source.get_token()) && !m.lock({1h, source.get_token()});
          }};
  f.join();
  EXPECT_FALSE(in_time);
  EXPECT_TRUE(was_stopped);
  EXPECT_FALSE(m.try_lock());
  EXPECT_FALSE(m.try_lock_until(std::chrono::steady_clock::now()));  // a plain thread, too
  EXPECT_FALSE(m.lock(1ms));
  m.unlock();
  std::unique_lock held{m, 1s};
  EXPECT_TRUE(held.owns_lock());
}

TEST(FiberMutexPlain, works_without_any_pool) {
  fiber_mutex m;
  int count = 0;
  const auto enter_often = [&] {
    for (int i = 0; i < 1000; ++i) {
      const std::scoped_lock held{m};
      ++count;
    }
  };
  std::thread other{enter_often};
  enter_often();
  other.join();
  EXPECT_EQ(count, 2000);
}

TEST(FiberMutexPlain, works_when_the_pool_is_gone) {
  fiber_mutex m;
  {
    thread_pool pool{1};
    fiber f{pool, [&] { const std::lock_guard held{m}; }};
    f.join();
  }
  const std::lock_guard held{m};
  EXPECT_FALSE(m.try_lock());
}

task<> unlock_for(fiber_mutex& m) {
  m.unlock();
  co_return;
}

TEST(FiberMutexPlain, a_coroutine_that_unlocks_goes_on) {
  manual_executor one;
  fiber_mutex m;
  m.lock();
  bool was_inside = false;
  fiber f{one, [&] {
            const std::lock_guard held{m};
            was_inside = true;
          }};
  one.run_all();
  EXPECT_FALSE(was_inside);
  fiber other{one, [&] { await(unlock_for(m)); }};
  one.step();
  EXPECT_FALSE(was_inside);
  EXPECT_EQ(one.ready().size(), 1U);
  one.run_all();
  EXPECT_TRUE(was_inside);
  f.join();
  other.join();
}

}  // namespace
}  // namespace hotseat
