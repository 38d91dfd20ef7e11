// hotseat/tests/unit/fiber/fiber_condition_variable_test.cpp — wait and notify, in fibers
// and on threads.
#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <hotseat/fiber/fiber.hpp>
#include <hotseat/fiber/fiber_condition_variable.hpp>
#include <hotseat/fiber/fiber_mutex.hpp>
#include <hotseat/runtime/thread_pool.hpp>
#include <mutex>
#include <stop_token>
#include <support/probes.hpp>
#include <thread>
#include <vector>

namespace hotseat {
namespace {

using namespace std::chrono_literals;
using testing::manual_executor;

TEST(FiberConditionVariable, a_fiber_waits_until_it_is_notified) {
  manual_executor one;
  fiber_mutex m;
  fiber_condition_variable ready;
  bool is_ready = false;
  bool is_over = false;
  fiber waits{one, [&] {
                std::unique_lock held{m};
                ready.wait(held, [&] { return is_ready; });
                EXPECT_TRUE(held.owns_lock());
                is_over = true;
              }};
  one.run_all();
  EXPECT_FALSE(is_over);
  fiber notifies{one, [&] {
                   const std::lock_guard held{m};
                   is_ready = true;
                   ready.notify_one();
                 }};
  one.run_all();
  EXPECT_TRUE(is_over);
  waits.join();
  notifies.join();
}

TEST(FiberConditionVariable, a_fiber_notified_in_vain_waits_again) {
  manual_executor one;
  fiber_mutex m;
  fiber_condition_variable ready;
  int asked = 0;
  bool is_ready = false;
  fiber waits{one, [&] {
                std::unique_lock held{m};
                ready.wait(held, [&] {
                  ++asked;
                  return is_ready;
                });
              }};
  one.run_all();
  ready.notify_all();
  one.run_all();
  EXPECT_EQ(asked, 2);
  is_ready = true;
  ready.notify_all();
  one.run_all();
  waits.join();
}

TEST(FiberConditionVariable, a_wait_ends_in_time_or_when_told_to_stop) {
  thread_pool pool{1};
  fiber_mutex m;
  fiber_condition_variable never;
  std::stop_source source;
  std::vector<bool> got;
  fiber waits{
      pool, [&] {
        std::unique_lock held{m};
        got.push_back(never.wait_for(held, 1ms) == std::cv_status::timeout);
        got.push_back(never.wait_for(held, 1ms, [] { return false; }));
        got.push_back(
            never.wait_until(held, std::chrono::steady_clock::now(), [] { return true; }));
        source.request_stop();
        got.push_back(never.wait(held, source.get_token(), [] { return false; }));
        got.push_back(never.wait(held, {1h, source.get_token()}, [] { return false; }));
        got.push_back(never.wait(held, 1ms, [] { return false; }));
      }};
  waits.join();
  EXPECT_EQ(got, (std::vector<bool>{true, false, true, false, false, false}));
}

TEST(FiberConditionVariable, a_queue_between_fibers_and_threads) {
  constexpr int each = 500;
  thread_pool pool{3};
  fiber_mutex m;
  fiber_condition_variable not_empty;
  std::deque<int> queue;
  long sum = 0;
  const auto produce = [&] {
    for (int i = 1; i <= each; ++i) {
      {
        const std::lock_guard held{m};
        queue.push_back(i);
      }
      not_empty.notify_one();
    }
  };
  const auto consume = [&] {
    for (int i = 0; i < each; ++i) {
      std::unique_lock held{m};
      not_empty.wait(held, [&] { return !queue.empty(); });
      sum += queue.front();
      queue.pop_front();
    }
  };
  std::vector<fiber> fibers;
  for (int i = 0; i < 4; ++i) {
    fibers.emplace_back(pool, produce);
    fibers.emplace_back(pool, consume);
  }
  std::thread producer{produce};
  std::thread consumer{consume};
  producer.join();
  consumer.join();
  for (fiber& f : fibers) f.join();
  EXPECT_EQ(sum, 5L * each * (each + 1) / 2);
}

}  // namespace
}  // namespace hotseat
