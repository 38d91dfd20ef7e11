// hotseat/tests/unit/fiber/fiber_test.cpp — start, join, detach.
#include <gtest/gtest.h>

#include <atomic>
#include <hotseat/fiber/fiber.hpp>
#include <hotseat/runtime/thread_pool.hpp>
#include <hotseat/sched/reschedule.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/task.hpp>
#include <memory>
#include <stdexcept>
#include <string>
#include <support/probes.hpp>
#include <utility>
#include <vector>

namespace hotseat {
namespace {

using testing::manual_executor;

TEST(Fiber, runs_its_function_on_a_worker) {
  thread_pool pool{2};
  bool was_worker = false;
  fiber f{pool, [&] { was_worker = pool.current_worker().has_value(); }};
  EXPECT_TRUE(f.joinable());
  f.join();
  EXPECT_FALSE(f.joinable());
  EXPECT_TRUE(was_worker);
}

TEST(Fiber, takes_what_can_only_be_moved) {
  thread_pool pool{1};
  int seen = 0;
  fiber f{pool, [p = std::make_unique<int>(7), &seen] { seen = *p; }};
  f.join();
  EXPECT_EQ(seen, 7);
}

TEST(Fiber, an_exception_that_leaves_it_is_thrown_by_join) {
  thread_pool pool{1};
  fiber f{pool, [] { throw std::runtime_error{"from a fiber"}; }};
  std::string caught;
  try {
    f.join();
  } catch (const std::exception& error) {
    caught = error.what();
  }
  EXPECT_EQ(caught, "from a fiber");
  EXPECT_FALSE(f.joinable());
}

TEST(Fiber, one_fiber_joins_another) {
  thread_pool pool{2};
  std::string caught;
  fiber outer{pool, [&] {
                fiber inner{pool, [] {
                              await(reschedule());
                              throw std::runtime_error{"inner"};
                            }};
                try {
                  inner.join();
                } catch (const std::exception& error) {
                  caught = error.what();
                }
              }};
  outer.join();
  EXPECT_EQ(caught, "inner");
}

task<> join_it(fiber f, std::string& caught) {
  try {
    co_await f.when_joined();
  } catch (const std::exception& error) {
    caught = error.what();
  }
}

TEST(Fiber, a_coroutine_joins_one) {
  thread_pool pool{2};
  std::string caught;
  sync_wait(pool, join_it(fiber{pool,
                                [] {
                                  await(reschedule());
                                  throw std::runtime_error{"fiber"};
                                }},
                          caught));
  EXPECT_EQ(caught, "fiber");
}

TEST(Fiber, a_joiner_on_the_same_worker_runs_there_at_once) {
  manual_executor one;
  bool is_joined = false;
  fiber f{one, [] { await(reschedule()); }};
  fiber joiner{one, [&] {
                 f.join();
                 is_joined = true;
               }};
  one.step();  // f, to its reschedule
  one.step();  // joiner, into its wait
  EXPECT_FALSE(is_joined);
  one.step();  // f ends, and the joiner follows in the slot
  EXPECT_TRUE(is_joined);
  EXPECT_TRUE(one.is_idle());
  joiner.join();
}

TEST(Fiber, a_detached_one_runs_to_its_end) {
  std::atomic<int> count{0};
  {
    thread_pool pool{2};
    for (int i = 0; i < 100; ++i) {
      fiber f{pool, [&count] {
                await(reschedule());
                ++count;
              }};
      f.detach();
      EXPECT_FALSE(f.joinable());
    }
  }
  EXPECT_EQ(count, 100);
}

TEST(Fiber, can_be_detached_after_its_end) {
  manual_executor one;
  fiber f{one, [] {}};
  one.run_all();
  f.detach();
  EXPECT_FALSE(f.joinable());
}

TEST(Fiber, can_be_moved) {
  thread_pool pool{1};
  fiber first{pool, [] {}};
  fiber second{std::move(first)};
  EXPECT_FALSE(first.joinable());  // NOLINT(bugprone-use-after-move)
  fiber third;
  EXPECT_FALSE(third.joinable());
  third = std::move(second);
  EXPECT_TRUE(third.joinable());
  third.join();
}

TEST(Fiber, many_at_once_each_have_their_stack) {
  thread_pool pool{2};
  std::atomic<int> sum{0};
  std::vector<fiber> all;
  for (int i = 0; i < 500; ++i) {
    all.emplace_back(pool, [&sum, i] {
      volatile int here[100];
      for (int& each : const_cast<int(&)[100]>(here)) each = i;
      for (int j = 0; j < 5; ++j) await(reschedule());
      int total = 0;
      for (const int each : const_cast<int(&)[100]>(here)) total += each;
      sum += total == 100 * i ? 1 : 0;
    });
  }
  for (fiber& each : all) each.join();
  EXPECT_EQ(sum, 500);
}

}  // namespace
}  // namespace hotseat
