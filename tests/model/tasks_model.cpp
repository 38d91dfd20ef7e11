// hotseat/tests/model/tasks_model.cpp — joining: the last to end brings what all have done,
// and none accesses what the joiner may have destroyed.
#include <gtest/gtest.h>

#include <hotseat/hotseat.hpp>
#include <hotseat/platform/seam.hpp>
#include <support/scenario.hpp>

#include <chrono>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <tuple>
#include <utility>
#include <vector>

namespace hotseat {
namespace {

using platform::thread;
using testing::explore_all;
using testing::explore_some;

/// Any other deadline may pass at any time.
constexpr std::chrono::nanoseconds for_ever = std::chrono::nanoseconds::max();

thread_pool_options small(unsigned threads) {
  thread_pool_options result;
  result.threads = threads;
  result.block_size = 2;
  result.block_count = 2;
  result.machine = topology::flat(1);
  return result;
}

/// What a task leaves behind: a race unless its end is ordered before the reader.
using trace = platform::var<int>;

task<> write(trace& where) {
  where = 1;
  co_return;
}
task<> write_later(trace& where) {
  co_await reschedule();
  where = 1;
}
task<int> fail_later() {
  co_await reschedule();
  throw std::runtime_error{"failed"};
}

TEST(WhenAllModel, the_joiner_sees_what_all_children_did) {
  explore_some(100'000, [] {
    thread_pool pool{small(2)};
    trace a = 0;
    trace b = 0;
    const auto body = [&]() -> task<> {
      co_await when_all(write(a), write_later(b));
      verify(a + b == 2, "both are done");
    };
    sync_wait(pool, body());
    verify(a + b == 2, "the caller sees it, too");
  });
}

TEST(WhenAllModel, an_exception_is_thrown_when_all_have_ended) {
  explore_some(80'000, [] {
    thread_pool pool{small(2)};
    trace a = 0;
    bool has_thrown = false;
    const auto body = [&]() -> task<> {
      try {
        co_await when_all(fail_later(), write_later(a));
      } catch (const std::runtime_error&) {
        has_thrown = true;
      }
      verify(a == 1, "the other has ended");
    };
    sync_wait(pool, body());
    verify(has_thrown, "it was thrown");
  });
}

TEST(WhenAllModel, a_tree_of_joins) {
  explore_some(50'000, [] {
    thread_pool pool{small(2)};
    trace a = 0;
    trace b = 0;
    trace c = 0;
    const auto inner = [&]() -> task<> { co_await when_all(write(a), write_later(b)); };
    const auto outer = [&]() -> task<> {
      co_await when_all(inner(), write(c));
      verify(a + b + c == 3, "all are done");
    };
    sync_wait(pool, outer());
  });
}

/// `m` is destroyed with the function that waits for all tasks, perhaps before the last
/// unlock has returned.
task<> last_to_unlock(trace& count) {
  mutex m;
  const auto section = [&]() -> task<> {
    co_await m.lock();
    count = count + 1;
    co_await m.unlock();
  };
  co_await when_all(section(), section());
}

TEST(WhenAllModel, a_mutex_may_die_when_all_that_used_it_have_ended) {
  explore_some(80'000, [] {
    thread_pool pool{small(2)};
    trace count = 0;
    sync_wait(pool, last_to_unlock(count));
    verify(count == 2, "both were inside");
  });
}

// --- when_any

task<int> nap(std::chrono::nanoseconds time, int result) {
  auto sleep = sleep_for(time);
  const bool in_time = co_await sleep;
  co_return in_time ? result : -1;
}
task<int> number(trace& where, int result) {
  co_await reschedule();
  where = 1;
  co_return result;
}

TEST(WhenAnyModel, the_loser_is_stopped_and_awaited) {
  explore_some(60'000, [] {
    thread_pool pool{small(2)};
    trace a = 0;
    const auto first = sync_wait(pool, when_any(nap(for_ever, 1), number(a, 2)));
    verify(first.index == 1 && first.value == 2, "the one that could end was first");
    verify(a == 1, "and it is seen");
  });
}

TEST(WhenAnyModel, one_of_two_that_end_together_wins) {
  explore_some(60'000, [] {
    thread_pool pool{small(2)};
    trace a = 0;
    trace b = 0;
    const auto first = sync_wait(pool, when_any(number(a, 0), number(b, 1)));
    verify(first.value == static_cast<int>(first.index), "the result is the winner's");
    verify(a + b == 2, "the loser has ended as well");
  });
}

TEST(WhenAnyModel, a_stop_from_above_against_the_end_of_a_child) {
  explore_some(60'000, [] {
    thread_pool pool{small(2)};
    trace a = 0;
    std::stop_source stop;
    thread stopper{[&] { stop.request_stop(); }};
    const auto first =
        sync_wait(pool, when_any(nap(for_ever, 1), number(a, 2)), stop.get_token());
    verify(first.value == (first.index == 1 ? 2 : -1), "stopped, or the one that ended");
    verify(a == 1, "all have ended");
    stopper.join();
  });
}

TEST(WhenAnyModel, an_exception_may_be_first) {
  explore_some(60'000, [] {
    thread_pool pool{small(2)};
    bool has_thrown = false;
    try {
      sync_wait(pool, when_any(nap(for_ever, 1), fail_later()));
    } catch (const std::runtime_error&) {
      has_thrown = true;
    }
    verify(has_thrown, "the sleeper was stopped, and the exception is the result");
  });
}

// --- task_group

TEST(TaskGroupModel, it_may_be_destroyed_right_after_join) {
  explore_some(100'000, [] {
    thread_pool pool{small(2)};
    trace a = 0;
    trace b = 0;
    const auto body = [&]() -> task<> {
      {
        task_group group{pool};
        group.spawn(write(a));
        group.spawn(write_later(b));
        co_await group.join();
      }
      verify(a + b == 2, "the joiner sees what all did");
    };
    sync_wait(pool, body());
  });
}

TEST(TaskGroupModel, a_plain_thread_joins_and_destroys) {
  explore_some(100'000, [] {
    thread_pool pool{small(2)};
    trace a = 0;
    trace b = 0;
    {
      task_group group{pool};
      group.spawn(write(a));
      group.spawn(write(b));
      block_on(group.join());
    }
    verify(a + b == 2, "the joiner sees what all did");
  });
}

TEST(TaskGroupModel, tasks_spawn_into_their_own_group) {
  explore_some(60'000, [] {
    thread_pool pool{small(2)};
    trace a = 0;
    trace b = 0;
    task_group group{pool};
    const auto parent = [&]() -> task<> {
      group.spawn(write_later(a));
      co_await reschedule();
      b = 1;
    };
    group.spawn(parent());
    block_on(group.join());
    verify(a + b == 2, "the child of the child is waited for");
  });
}

TEST(TaskGroupModel, the_first_exception_reaches_the_joiner_and_the_group_is_used_again) {
  explore_some(60'000, [] {
    thread_pool pool{small(2)};
    trace a = 0;
    task_group group{pool};
    const auto failing = []() -> task<> {
      co_await reschedule();
      throw std::runtime_error{"failed"};
    };
    group.spawn(failing());
    group.spawn(failing());
    bool has_thrown = false;
    try {
      block_on(group.join());
    } catch (const std::runtime_error&) {
      has_thrown = true;
    }
    verify(has_thrown, "one of them was thrown");
    group.spawn(write(a));
    block_on(group.join());
    verify(a == 1, "it works as before");
  });
}

TEST(TaskGroupModel, a_stop_reaches_a_task_that_sleeps) {
  explore_some(60'000, [] {
    thread_pool pool{small(2)};
    trace result = 0;
    task_group group{pool};
    const auto sleeper = [&]() -> task<> {
      const int woken = co_await nap(for_ever, 1);
      result = woken;
    };
    group.spawn(sleeper());
    group.request_stop();
    block_on(group.join());
    verify(result == -1, "it was stopped");
  });
}

// --- sync_wait

TEST(SyncWaitModel, the_caller_sees_what_the_task_did_and_leaves_at_once) {
  explore_all([] {
    thread_pool pool{small(1)};
    trace a = 0;
    sync_wait(pool, write(a));
    verify(a == 1, "it is done");
  });
}

TEST(SyncWaitModel, an_exception_reaches_the_caller) {
  explore_some(80'000, [] {
    thread_pool pool{small(2)};
    bool has_thrown = false;
    try {
      sync_wait(pool, fail_later());
    } catch (const std::runtime_error&) {
      has_thrown = true;
    }
    verify(has_thrown, "it was thrown");
  });
}

}  // namespace
}  // namespace hotseat
