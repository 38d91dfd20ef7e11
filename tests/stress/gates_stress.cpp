// hotseat/tests/stress/gates_stress.cpp — thousands of tasks through events, latches,
// barriers, wait_groups and once_flags.  Layer: sync.
// HOTSEAT_STRESS_SCALE (1) scales the numbers of rounds.
#include <hotseat/runtime/thread_pool.hpp>
#include <hotseat/sched/reschedule.hpp>
#include <hotseat/sync/auto_reset_event.hpp>
#include <hotseat/sync/barrier.hpp>
#include <hotseat/sync/event.hpp>
#include <hotseat/sync/latch.hpp>
#include <hotseat/sync/once_flag.hpp>
#include <hotseat/sync/wait_group.hpp>
#include <hotseat/task/call_once.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/task.hpp>
#include <hotseat/task/when_all.hpp>
#include <support/scaled.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

namespace hotseat {
namespace {

using namespace std::chrono_literals;

using testing::scaled;

// --- Barriers.

/// What a barrier protects: plain data, so that ThreadSanitizer sees a missing edge.
struct rounds_data {
  explicit rounds_data(std::size_t tasks) : arrived(tasks) {}

  std::vector<std::size_t> arrived;  // Written by each task before it arrives.
  std::size_t phase = 0;             // Written by the completion.
  std::size_t mistakes = 0;          // Written by the completion.

  void complete() {
    for (const std::size_t each : arrived) {
      if (each != gone && each != phase) ++mistakes;
    }
    ++phase;
  }
  static constexpr std::size_t gone = SIZE_MAX;
};

template <class Barrier>
task<> take_part(Barrier& b, rounds_data& data, std::size_t phases, std::size_t self,
                 std::atomic<std::size_t>& mistakes) {
  for (std::size_t phase = 0; phase < phases; ++phase) {
    data.arrived[self] = phase;
    co_await b.arrive_and_wait();
    // No task can be further, since this one has not arrived at the next phase.
    if (data.phase != phase + 1) ++mistakes;
    if ((phase + self) % 16 == 0) co_await reschedule();
  }
  data.arrived[self] = rounds_data::gone;
  co_await b.arrive_and_drop();
}

TEST(GatesStress, phases_of_a_barrier_never_mix) {
  for (const unsigned workers : {1U, 2U, 4U, 8U}) {
    thread_pool pool{workers};
    const std::size_t tasks = 500;
    rounds_data data{tasks};
    std::atomic<std::size_t> mistakes{0};
    const auto complete = [&data] { data.complete(); };
    barrier<decltype(complete)> b{tasks, complete};
    const std::size_t longest = scaled(200, 4);
    std::vector<task<>> all;
    // Some tasks drop out earlier than others.
    for (std::size_t i = 0; i < tasks; ++i) {
      all.push_back(take_part(b, data, longest - i % 3, i, mistakes));
    }
    sync_wait(pool, when_all(std::move(all)));
    EXPECT_EQ(data.mistakes, 0U);
    EXPECT_EQ(mistakes.load(), 0U);
    EXPECT_EQ(data.phase, longest + 1);
  }
}

/// Sometimes gives up waiting.  It has arrived all the same, and comes again only when a
/// task that was let out has signalled that the phase has ended.
template <class Barrier>
task<> take_part_impatiently(Barrier& b, std::vector<std::unique_ptr<event>>& is_over,
                             std::atomic<std::size_t>& early) {
  for (auto& phase : is_over) {
    auto operation = b.arrive_and_wait_for(20us);
    const bool is_over_in_time = co_await operation;
    if (is_over_in_time) {
      co_await phase->set();
    } else {
      ++early;
      co_await phase->wait();
    }
  }
}

TEST(GatesStress, a_task_that_gives_up_at_a_barrier_has_arrived) {
  thread_pool pool{4U};
  const std::size_t tasks = 50;
  std::vector<std::unique_ptr<event>> is_over;
  for (std::size_t i = 0; i < scaled(1'000, 4); ++i) {
    is_over.push_back(std::make_unique<event>());
  }
  std::size_t phase = 0;
  const auto complete = [&phase] { ++phase; };
  barrier<decltype(complete)> b{tasks, complete};
  std::atomic<std::size_t> early{0};
  std::vector<task<>> all;
  for (std::size_t i = 0; i < tasks; ++i) {
    all.push_back(take_part_impatiently(b, is_over, early));
  }
  sync_wait(pool, when_all(std::move(all)));
  EXPECT_EQ(phase, is_over.size());
}

// --- Latches and wait_groups.

task<> count_down(latch& l, int& data) {
  data = 1;
  co_await l.count_down();
}

task<> wait_and_add_up(latch& l, const std::vector<int>& data,
                       std::atomic<std::size_t>& mistakes) {
  co_await l.wait();
  if (std::count(data.begin(), data.end(), 1) != static_cast<std::ptrdiff_t>(data.size())) {
    ++mistakes;
  }
}

task<> wait_impatiently(latch& l, std::stop_token stop) {
  auto operation = l.wait_for(5us, std::move(stop));
  const bool is_open = co_await operation;
  if (!is_open) co_await l.wait();
}

TEST(GatesStress, a_latch_opens_when_all_have_counted_down) {
  thread_pool pool{4U};
  for (std::size_t round = 0; round < scaled(300, 4); ++round) {
    std::vector<int> data(200);
    std::atomic<std::size_t> mistakes{0};
    std::stop_source stop;
    latch l{data.size()};
    std::vector<task<>> all;
    for (std::size_t i = 0; i < data.size(); ++i) {
      if (i % 4 == 0) all.push_back(wait_and_add_up(l, data, mistakes));
      if (i % 4 == 1) all.push_back(wait_impatiently(l, stop.get_token()));
      all.push_back(count_down(l, data[i]));
    }
    std::thread thread{[&] {
      stop.request_stop();
      l.wait_blocking();
    }};
    sync_wait(pool, when_all(std::move(all)));
    thread.join();
    EXPECT_EQ(mistakes.load(), 0U);
  }
}

task<> arrive_and_look(latch& l, std::atomic<std::size_t>& arrived, std::size_t tasks,
                       std::atomic<std::size_t>& mistakes) {
  ++arrived;
  co_await l.arrive_and_wait();
  if (arrived != tasks) ++mistakes;
}

TEST(GatesStress, tasks_that_arrive_at_a_latch_go_on_together) {
  thread_pool pool{4U};
  for (std::size_t round = 0; round < scaled(1'000, 4); ++round) {
    constexpr std::size_t tasks = 100;
    latch l{tasks};
    std::atomic<std::size_t> arrived{0};
    std::atomic<std::size_t> mistakes{0};
    std::vector<task<>> all;
    for (std::size_t i = 0; i < tasks; ++i) {
      all.push_back(arrive_and_look(l, arrived, tasks, mistakes));
    }
    sync_wait(pool, when_all(std::move(all)));
    EXPECT_EQ(mistakes.load(), 0U);
  }
}

task<> do_and_pass_on(wait_group& group, std::atomic<std::size_t>& done,
                      std::size_t depth) {
  if (depth != 0) {
    group.add(2);
    co_await when_all(do_and_pass_on(group, done, depth - 1),
                      do_and_pass_on(group, done, depth - 1));
  }
  ++done;
  co_await group.done();
}

task<> wait_for_the_tree(wait_group& group, const std::atomic<std::size_t>& done,
                         std::size_t expected, std::atomic<std::size_t>& mistakes) {
  co_await group.wait();
  if (done != expected) ++mistakes;
}

TEST(GatesStress, a_wait_group_waits_for_a_tree_of_tasks_again_and_again) {
  thread_pool pool{4U};
  wait_group group;
  std::atomic<std::size_t> mistakes{0};
  for (std::size_t round = 0; round < scaled(300, 4); ++round) {
    constexpr std::size_t depth = 8;
    std::atomic<std::size_t> done{0};
    group.add();
    std::vector<task<>> all;
    for (int i = 0; i < 10; ++i) {
      all.push_back(wait_for_the_tree(group, done, (2U << depth) - 1, mistakes));
    }
    all.push_back(do_and_pass_on(group, done, depth));
    sync_wait(pool, when_all(std::move(all)));
    EXPECT_EQ(mistakes.load(), 0U);
  }
}

// --- Events.

task<> wait_often(event& e, std::size_t times, std::size_t self, std::stop_token stop,
                  std::atomic<std::size_t>& let_out, std::atomic<std::size_t>& left) {
  for (std::size_t i = 0; i < times; ++i) {
    bool is_open = false;
    if ((i + self) % 3 == 0) {
      auto operation = e.wait_for(10us, stop);
      is_open = co_await operation;
    } else if ((i + self) % 3 == 1) {
      auto operation = e.wait(stop);
      is_open = co_await operation;
    } else {
      auto operation = e.wait_for(1h, stop);
      is_open = co_await operation;
    }
    ++(is_open ? let_out : left);
  }
}

task<> set_and_reset(event& e, const std::atomic<std::size_t>& ended, std::size_t all) {
  while (ended != all) {
    co_await e.set();
    co_await reschedule();
    e.reset();
    co_await reschedule();
  }
}

task<> wait_often_and_end(event& e, std::size_t times, std::size_t self,
                          std::stop_token stop, std::atomic<std::size_t>& let_out,
                          std::atomic<std::size_t>& left, std::atomic<std::size_t>& ended) {
  co_await wait_often(e, times, self, std::move(stop), let_out, left);
  ++ended;
}

TEST(GatesStress, events_are_set_and_reset_while_waiters_come_and_go) {
  for (const unsigned workers : {1U, 4U}) {
    thread_pool pool{workers};
    event e;
    const std::size_t tasks = 200;
    const std::size_t times = scaled(500, 4);
    std::atomic<std::size_t> let_out{0};
    std::atomic<std::size_t> left{0};
    std::atomic<std::size_t> ended{0};
    std::stop_source stop;
    std::vector<task<>> all;
    for (std::size_t i = 0; i < tasks; ++i) {
      all.push_back(
          wait_often_and_end(e, times, i, stop.get_token(), let_out, left, ended));
    }
    all.push_back(set_and_reset(e, ended, tasks));
    all.push_back(set_and_reset(e, ended, tasks));
    sync_wait(pool, when_all(std::move(all)));
    EXPECT_EQ(let_out + left, tasks * times);
  }
}

task<> take_signals(auto_reset_event& e, std::size_t signals,
                    std::atomic<std::size_t>& taken, std::atomic<bool>& is_taken) {
  while (taken != signals) {
    auto operation = e.wait_for(20us);
    const bool has_signal = co_await operation;
    if (has_signal) {
      ++taken;
      is_taken = true;
    }
  }
}

task<> send_signals(auto_reset_event& e, std::size_t signals, std::atomic<bool>& is_taken) {
  for (std::size_t i = 0; i < signals; ++i) {
    is_taken = false;
    co_await e.set();
    while (!is_taken) co_await reschedule();
  }
}

TEST(GatesStress, each_signal_of_an_auto_reset_event_is_taken_once) {
  thread_pool pool{4U};
  auto_reset_event e;
  const std::size_t signals = scaled(20'000, 4);
  std::atomic<std::size_t> taken{0};
  std::atomic<bool> is_taken{false};
  std::vector<task<>> all;
  for (std::size_t i = 0; i < 20; ++i) {
    all.push_back(take_signals(e, signals, taken, is_taken));
  }
  all.push_back(send_signals(e, signals, is_taken));
  sync_wait(pool, when_all(std::move(all)));
  EXPECT_EQ(taken.load(), signals);
}

// --- Once.

struct once_data {
  int attempts = 0;  // Plain: one task tries at a time, and all look afterwards.
  bool is_done = false;

  task<> attempt() {
    ++attempts;
    if (attempts % 2 == 0) co_await reschedule();
    if (attempts < 10) throw std::runtime_error{"attempt"};
    is_done = true;
  }
};

task<> call(once_flag& flag, once_data& data, std::atomic<std::size_t>& failures,
            std::atomic<std::size_t>& mistakes) {
  try {
    auto attempt = [&data] { return data.attempt(); };
    co_await call_once(flag, attempt);
    if (!data.is_done || data.attempts != 10) ++mistakes;
  } catch (const std::runtime_error&) {
    ++failures;
  }
}

TEST(GatesStress, what_is_called_once_is_tried_until_it_succeeds) {
  thread_pool pool{4U};
  for (std::size_t round = 0; round < scaled(1'000, 4); ++round) {
    once_flag flag;
    once_data data;
    std::atomic<std::size_t> failures{0};
    std::atomic<std::size_t> mistakes{0};
    std::vector<task<>> all;
    for (int i = 0; i < 50; ++i) all.push_back(call(flag, data, failures, mistakes));
    sync_wait(pool, when_all(std::move(all)));
    EXPECT_EQ(failures.load(), 9U);
    EXPECT_EQ(mistakes.load(), 0U);
  }
}

}  // namespace
}  // namespace hotseat
