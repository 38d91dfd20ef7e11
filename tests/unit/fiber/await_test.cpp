// hotseat/tests/unit/fiber/await_test.cpp — what a fiber can wait for, and what it yields.
#include <gtest/gtest.h>

#include <chrono>
#include <coroutine>
#include <hotseat/fiber/await.hpp>
#include <hotseat/fiber/fiber.hpp>
#include <hotseat/runtime/thread_pool.hpp>
#include <hotseat/sched/reschedule.hpp>
#include <hotseat/sync/channel.hpp>
#include <hotseat/sync/event.hpp>
#include <hotseat/sync/semaphore.hpp>
#include <hotseat/task/shared_task.hpp>
#include <hotseat/task/sleep.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/task.hpp>
#include <hotseat/task/this_task.hpp>
#include <hotseat/task/when_all.hpp>
#include <memory>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <support/probes.hpp>
#include <thread>
#include <vector>

namespace hotseat {
namespace {

using namespace std::chrono_literals;
using testing::manual_executor;
using testing::on;

TEST(Await, gives_what_the_awaitable_gives) {
  thread_pool pool{2};
  std::unique_ptr<int> result;
  fiber f{pool, [&] {
            channel<std::unique_ptr<int>> c{1};
            EXPECT_TRUE(await(c.send(std::make_unique<int>(7))));
            result = std::move(*await(c.receive()));
          }};
  f.join();
  EXPECT_EQ(*result, 7);
}

task<int> doubled(int n) {
  co_await reschedule();
  co_return 2 * n;
}
task<int> failing() {
  co_await reschedule();
  throw std::runtime_error{"from a task"};
}

TEST(Await, runs_a_task_and_throws_its_exception_here) {
  thread_pool pool{2};
  int result = 0;
  std::string caught;
  fiber f{pool, [&] {
            result = await(doubled(21));
            try {
              await(failing());
            } catch (const std::exception& error) {
              caught = error.what();
            }
          }};
  f.join();
  EXPECT_EQ(result, 42);
  EXPECT_EQ(caught, "from a task");
}

TEST(Await, joins_several_tasks) {
  thread_pool pool{2};
  int sum = 0;
  fiber f{pool, [&] {
            const auto [a, b] = await(when_all(doubled(1), doubled(2)));
            sum = a + b;
          }};
  f.join();
  EXPECT_EQ(sum, 6);
}

TEST(Await, a_shared_task_is_for_fibers_and_coroutines_alike) {
  thread_pool pool{2};
  for (int round = 0; round < 100; ++round) {
    const shared_task<int> shared{doubled(21)};
    int first = 0;
    bool has_ended = false;
    fiber a{pool, [&] { first = await(shared); }};
    fiber b{pool, [&] { has_ended = await(shared.wait_for(1h)); }};
    EXPECT_EQ(sync_wait(pool, shared), 42);
    a.join();
    b.join();
    EXPECT_EQ(first, 42);
    EXPECT_TRUE(has_ended);
  }
}

TEST(Await, a_deep_loop_of_tasks_takes_no_stack) {
  thread_pool pool{1};
  int sum = 0;
  fiber f{pool, {.stack_size = 32 << 10U}, [&] {
            for (int i = 0; i < 100'000; ++i) sum += await(doubled(i % 2));
          }};
  f.join();
  EXPECT_EQ(sum, 100'000);
}

TEST(Await, the_stop_token_of_the_fiber_travels_into_its_tasks) {
  thread_pool pool{1};
  std::stop_source source;
  bool is_asked = false;
  fiber f{pool, {.stop = source.get_token()}, [&] {
            source.request_stop();
            is_asked = await(this_task::stop_token()).stop_requested();
          }};
  f.join();
  EXPECT_TRUE(is_asked);
}

/// An operation that cannot be started.
class impossible {
 public:
  impossible() noexcept = default;
  static bool await_ready() noexcept { return false; }
  static bool await_suspend(std::coroutine_handle<>) { throw std::logic_error{"no"}; }
  static void await_resume() noexcept {}
};

TEST(Await, what_await_suspend_throws_arrives_in_the_fiber) {
  thread_pool pool{1};
  std::string caught;
  fiber f{pool, [&] {
            try {
              await(impossible{});
            } catch (const std::exception& error) {
              caught = error.what();
            }
          }};
  f.join();
  EXPECT_EQ(caught, "no");
}

/// Decides, on the other side of the switch, not to suspend.
class reluctant {
 public:
  explicit reluctant(bool& was_asked) noexcept : was_asked_{was_asked} {}
  static bool await_ready() noexcept { return false; }
  bool await_suspend(std::coroutine_handle<>) noexcept {
    was_asked_ = true;
    return false;
  }
  static void await_resume() noexcept {}

 private:
  bool& was_asked_;
};

TEST(Await, an_operation_may_decide_not_to_suspend) {
  manual_executor one;
  bool was_asked = false;
  bool is_over = false;
  fiber f{one, [&] {
            await(reluctant{was_asked});
            is_over = true;
          }};
  EXPECT_TRUE(one.step());
  EXPECT_TRUE(was_asked);
  EXPECT_TRUE(is_over);
  f.join();
}

/// Runs on the executor's stack, while the fiber is parked.
class where_it_is_suspended {
 public:
  explicit where_it_is_suspended(std::uintptr_t& where) noexcept : where_{where} {}
  static bool await_ready() noexcept { return false; }
  bool await_suspend(std::coroutine_handle<>) noexcept {
    where_ = platform::stack_position();
    return false;
  }
  static void await_resume() noexcept {}

 private:
  std::uintptr_t& where_;
};

TEST(Await, F1_the_operation_gets_to_know_the_driver_only_off_the_fiber_s_stack) {
  manual_executor one;
  std::uintptr_t inside = 0;
  std::uintptr_t outside = 0;
  fiber f{one, [&] {
            inside = platform::stack_position();
            await(where_it_is_suspended{outside});
          }};
  one.run_all();
  f.join();
  const auto distance = inside > outside ? inside - outside : outside - inside;
  EXPECT_GT(distance, fiber_options::default_stack_size);
}

TEST(Await, on_a_plain_thread_it_blocks) {
  semaphore s{0};
  std::thread later{[&] { s.release_dispatch(); }};
  await(s.acquire());
  later.join();
  EXPECT_FALSE(await(s.try_acquire_for(1ms)));
}

TEST(Await, deadlines_work_in_fibers) {
  thread_pool pool{1};
  semaphore s{0};
  std::optional<bool> in_time;
  fiber f{pool, [&] {
            await(sleep_for(1ms));
            in_time = await(s.try_acquire_for(1ms));
          }};
  f.join();
  EXPECT_EQ(in_time, false);
}

TEST(Await, lets_others_run_meanwhile) {
  manual_executor one;
  std::vector<int> order;
  const auto count = [&](int first) {
    return [&, first] {
      order.push_back(first);
      await(on{one});
      order.push_back(first + 1);
    };
  };
  fiber a{one, count(10)};
  fiber b{one, count(20)};
  one.run_all();
  a.join();
  b.join();
  EXPECT_EQ(order, (std::vector<int>{10, 20, 11, 21}));
}

}  // namespace
}  // namespace hotseat
