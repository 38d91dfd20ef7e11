// hotseat/tests/unit/runtime/pool_events_test.cpp — workers that wait in an event_source.
// Invariants E1 to E3 are those of pool_events.hpp; all schedules:
// tests/model/events_model.cpp.
#include <gtest/gtest.h>

#include <hotseat/runtime/detail/pool_events.hpp>
#include <hotseat/runtime/event_source.hpp>
#include <hotseat/runtime/thread_pool.hpp>
#include <hotseat/sync/one_shot.hpp>
#include <hotseat/task/sleep.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/task.hpp>
#include <hotseat/task/task_group.hpp>
#include <hotseat/task/when_all.hpp>

#include <support/posted_events.hpp>

#include <atomic>
#include <chrono>
#include <deque>
#include <stdexcept>
#include <thread>
#include <vector>

namespace hotseat {
namespace {

using namespace std::chrono_literals;
using testing::posted_events;

task<> wait_for(one_shot<>& what) { co_await what.wait(); }

class PoolEvents : public ::testing::TestWithParam<unsigned> {
 protected:
  posted_events events;
};

TEST_P(PoolEvents, each_worker_has_a_part) {
  const thread_pool pool{{.threads = GetParam(), .events = &events}};
  EXPECT_EQ(events.size, GetParam());
}

TEST_P(PoolEvents, events_of_all_workers_are_completed) {
  thread_pool pool{{.threads = GetParam(), .events = &events}};
  std::deque<one_shot<>> all(100);
  std::vector<task<>> tasks;
  for (one_shot<>& each : all) tasks.push_back(wait_for(each));
  std::thread kernel{[&] {
    unsigned whose = 0;
    for (one_shot<>& each : all) events.post(whose++ % GetParam(), each);
  }};
  sync_wait(pool, when_all(std::move(tasks)));
  kernel.join();
}

TEST_P(PoolEvents, tasks_from_outside_interrupt_a_wait) {
  thread_pool pool{{.threads = GetParam(), .events = &events}};
  int done = 0;
  for (int i = 0; i < 100; ++i) {
    sync_wait(pool, [](int& count) -> task<> {
      ++count;
      co_return;
    }(done));
  }
  EXPECT_EQ(done, 100);
}

TEST_P(PoolEvents, alarms_ring_in_the_same_wait) {
  thread_pool pool{{.threads = GetParam(), .events = &events}};
  const auto start = std::chrono::steady_clock::now();
  std::vector<task<>> tasks;
  for (int i = 0; i < 20; ++i) {
    tasks.push_back([](int n) -> task<> { co_await sleep_for(n % 3 * 1ms); }(i));
  }
  sync_wait(pool, when_all(std::move(tasks)));
  EXPECT_GE(std::chrono::steady_clock::now() - start, 2ms);
}

TEST_P(PoolEvents, the_end_of_the_pool_wakes_a_task_that_sleeps) {
  bool has_ended = false;
  {
    thread_pool pool{{.threads = GetParam(), .events = &events}};
    task_group tasks{pool};
    tasks.spawn([](bool& ended) -> task<> {
      co_await sleep_for(1h);
      ended = true;
    }(has_ended));
    tasks.request_stop();
    sync_wait(pool, tasks.join());
  }
  EXPECT_TRUE(has_ended);
}

// The worker spins in the first task until the second has run, which only the watch can
// complete.
TEST_P(PoolEvents, E3_a_worker_that_is_busy_for_long_does_not_hold_up_its_events) {
  if (GetParam() == 1) GTEST_SKIP() << "the busy worker is the only one";
  thread_pool pool{{.threads = GetParam(), .events = &events}};
  one_shot<> first;
  one_shot<> second;
  std::atomic<bool> is_busy{false};
  std::atomic<bool> has_run{false};
  const auto be_busy = [&]() -> task<> {
    co_await first.wait();
    is_busy = true;
    while (!has_run) std::this_thread::yield();
  };
  const auto be_waited_for = [&]() -> task<> {
    co_await second.wait();
    has_run = true;
  };
  std::thread kernel{[&] {
    events.post(0, first);
    while (!is_busy) std::this_thread::yield();
    events.post(0, second);
  }};
  sync_wait(pool, when_all(be_busy(), be_waited_for()));
  kernel.join();
}

INSTANTIATE_TEST_SUITE_P(Workers, PoolEvents, ::testing::Values(1U, 2U, 4U));

struct refusing : event_source {
  void open(unsigned) override { throw std::runtime_error{"no"}; }
  void poll(unsigned) noexcept override {}
  void wait(unsigned, platform::clock::time_point) noexcept override {}
  void interrupt(unsigned) noexcept override {}
};

TEST(PoolEventsOpen, what_open_throws_comes_out_of_the_constructor) {
  refusing events;
  EXPECT_THROW((thread_pool{{.threads = 2, .events = &events}}), std::runtime_error);
}

}  // namespace
}  // namespace hotseat
