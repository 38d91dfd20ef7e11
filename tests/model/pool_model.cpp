// hotseat/tests/model/pool_model.cpp — the pool's workers: nothing is lost, no task waits
// while a worker sleeps, and everything ends.
#include <gtest/gtest.h>

#include <hotseat/hotseat.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/runtime/detail/injector.hpp>
#include <hotseat/runtime/detail/urgent_tasks.hpp>
#include <support/probes.hpp>
#include <support/scenario.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace hotseat {
namespace {

using platform::thread;
using testing::explore_all;
using testing::explore_some;

/// Queues of 2 blocks of 2 slots, and workers that are quick to sleep.
thread_pool_options small(unsigned threads) {
  thread_pool_options result;
  result.threads = threads;
  result.block_size = 2;
  result.block_count = 2;
  result.machine = topology::flat(1);
  return result;
}

/// Counts with relaxed operations, so that it adds no order of its own.
class tally {
 public:
  void add() noexcept { count_.fetch_add(1, std::memory_order_relaxed); }
  [[nodiscard]] int get() const noexcept { return count_.load(std::memory_order_relaxed); }
  /// Like a long task that needs the others.
  void wait_for(int wanted) const noexcept {
    while (get() < wanted) platform::relax();
  }

 private:
  platform::atomic<int> count_{0};
};

task<> add_to(tally& t) {
  t.add();
  co_return;
}
task<> add_later(tally& t) {
  co_await reschedule();
  t.add();
}
/// Long from its second start on: tasks behind it can be stolen once a worker has taken it
/// out of a queue (docs/design/queue.md).
task<> meet_later(tally& t, int wanted) {
  co_await reschedule();
  t.add();
  t.wait_for(wanted);
}
task<> meet(tally& t, int wanted) {
  t.add();
  t.wait_for(wanted);
  co_return;
}

// --- What tasks pass through.

/// Places in line whose contents are a race for a thread that they were not handed to.
struct letters {
  std::array<waiter, 3> places;
  std::array<platform::var<int>, 3> contents;
  std::array<int, 3> times_read{};

  void write(std::size_t i) { contents[i] = static_cast<int>(i); }
  /// Returns how many there were.
  int read(waiter* list) {
    int count = 0;
    for (; list != nullptr; list = list->next, ++count) {
      const auto i = static_cast<std::size_t>(list - places.data());
      verify(contents[i] == static_cast<int>(i), "it is what was sent");
      verify(++times_read[i] == 1, "no other has got it");
    }
    return count;
  }
};

TEST(UrgentTasksModel, two_senders_and_two_takers) {
  explore_all(
      [] {
        detail::urgent_tasks box;
        letters all;
        const auto send = [&](std::size_t i) {
          all.write(i);
          box.push(all.places[i]);
        };
        send(0);
        thread sender{[&] { send(1); }};
        thread raider{[&] { all.read(box.take_all()); }};
        send(2);
        all.read(box.take_all());
        sender.join();
        raider.join();
        all.read(box.take_all());
        verify(all.times_read == std::array{1, 1, 1}, "each is taken once");
      },
      {.preemptions = 3});
}

TEST(InjectorModel, two_senders_and_two_takers) {
  explore_all(
      [] {
        detail::injector line;
        letters all;
        const auto send = [&](std::size_t i) {
          all.write(i);
          line.push(all.places[i]);
        };
        send(0);
        thread sender{[&] { send(1); }};
        thread taker{[&] { all.read(line.pop(2)); }};
        send(2);
        all.read(line.pop(1));
        sender.join();
        taker.join();
        all.read(line.pop(3));
        verify(all.times_read == std::array{1, 1, 1}, "each is taken once");
        verify(line.length() == 0, "and none is left");
      },
      {.preemptions = 3});
}

// --- Start and end.

TEST(PoolModel, a_pool_starts_and_ends_without_a_task) {
  explore_some(150'000, [] { const thread_pool pool{small(2)}; });
}
TEST(PoolModel, a_pool_of_one_starts_and_ends_without_a_task) {
  explore_all([] { const thread_pool pool{small(1)}; }, {.preemptions = 2});
}

TEST(PoolModel, a_task_that_comes_while_the_worker_falls_asleep_is_run) {
  explore_all([] {
    thread_pool pool{small(1)};
    tally t;
    sync_wait(pool, add_to(t));
    verify(t.get() == 1, "it ran");
  });
}

TEST(PoolModel, it_may_be_destroyed_right_after_sync_wait) {
  explore_some(120'000, [] {
    tally t;
    {
      thread_pool pool{small(2)};
      sync_wait(pool, when_all(add_later(t), add_to(t)));
    }
    verify(t.get() == 2, "both ran");
  });
}

TEST(PoolModel, it_may_be_destroyed_right_after_sync_wait_without_membarrier) {
  explore_some(80'000,
               [] {
                 tally t;
                 {
                   thread_pool pool{small(2)};
                   sync_wait(pool, when_all(add_later(t), add_to(t)));
                 }
                 verify(t.get() == 2, "both ran");
               },
               {.has_membarrier = false});
}

TEST(PoolModel, shutdown_runs_what_is_queued) {
  explore_some(120'000, [] {
    tally t;
    std::optional<thread_pool> pool{small(2)};
    task_group group{*pool};
    for (int i = 0; i < 3; ++i) group.spawn(add_later(t));
    pool.reset();
    verify(t.get() == 3, "all ran to their end");
  });
}

testing::owned wait_for(event& e, tally& t) {
  t.add();
  co_await e.wait();
  t.add();
}

TEST(PoolModel, shutdown_leaves_a_task_that_waits_where_it_is) {
  explore_some(120'000, [] {
    event never;
    tally t;
    testing::owned waiting = wait_for(never, t);
    {
      thread_pool pool{small(2)};
      waiting.start_on(pool);
    }
    verify(t.get() == 1, "it ran until it had to wait");
  });
}

// --- Tasks from outside, and between pools.

TEST(PoolModel, two_plain_threads_schedule_at_the_same_time) {
  explore_some(100'000, [] {
    thread_pool pool{small(2)};
    tally t;
    thread other{[&] { sync_wait(pool, add_to(t)); }};
    sync_wait(pool, add_to(t));
    other.join();
    verify(t.get() == 2, "both ran");
  });
}

task<> pass(event& e) { co_await e.wait(); }

// The thread that opens the event may still be inside the pool when its task has run.
TEST(PoolModel, L1_a_task_from_outside_may_end_the_pool) {
  explore_some(100'000, [] {
    event e;
    thread opener;
    {
      thread_pool pool{small(2)};
      opener = thread{[&] { e.set_dispatch(); }};
      sync_wait(pool, pass(e));
    }
    opener.join();
  });
}

task<> visit(thread_pool& there, thread_pool& back, tally& t) {
  co_await resume_on(there);
  verify(executor::current() == &there, "it has moved");
  t.add();
  co_await resume_on(back);
  verify(executor::current() == &back, "it has moved back");
  t.add();
}

TEST(PoolModel, a_task_moves_between_two_pools) {
  explore_some(100'000, [] {
    thread_pool one{small(1)};
    thread_pool other{small(1)};
    tally t;
    sync_wait(one, visit(other, one, t));
    verify(t.get() == 2, "it was here and there");
  });
}

// --- What runs where.

TEST(PoolModel, forks_are_stolen_by_a_worker_that_wakes_up) {
  explore_some(80'000, [] {
    thread_pool pool{small(2)};
    tally t;
    sync_wait(pool, when_all(add_later(t), add_to(t), add_later(t)));
    verify(t.get() == 3, "all ran");
  });
}

TEST(PoolModel, what_does_not_fit_into_the_ring_is_run_too) {
  explore_some(60'000, [] {
    thread_pool pool{small(2)};
    tally t;
    std::vector<task<>> children;
    for (int i = 0; i < 7; ++i) children.push_back(add_to(t));
    auto all = when_all(std::move(children));
    sync_wait(pool, std::move(all));
    verify(t.get() == 7, "all ran");
  });
}

TEST(PoolModel, a_fork_does_not_wait_behind_a_long_task) {
  explore_some(80'000, [] {
    thread_pool pool{small(2)};
    tally t;
    sync_wait(pool, when_all(meet_later(t, 2), meet(t, 2)));
  });
}

TEST(PoolModel, a_fork_does_not_wait_behind_a_long_task_without_membarrier) {
  explore_some(80'000,
               [] {
                 thread_pool pool{small(2)};
                 tally t;
                 sync_wait(pool, when_all(meet_later(t, 2), meet(t, 2)));
               },
               {.has_membarrier = false});
}

// All are offered at once, so that nothing is left to offer when a sleeper is seen.
TEST(PoolModel, several_forks_do_not_wait_behind_a_long_task) {
  explore_some(80'000, [] {
    thread_pool pool{small(2)};
    tally t;
    sync_wait(pool, when_all(meet(t, 2), meet(t, 2), meet(t, 2)));
  });
}

TEST(PoolModel, a_ready_task_does_not_wait_behind_a_long_one) {
  explore_some(80'000, [] {
    thread_pool pool{small(2)};
    tally t;
    task_group group{pool};
    const auto body = [&]() -> task<> {
      group.spawn(meet(t, 2));
      group.spawn(meet(t, 2));
      co_await group.join();
    };
    sync_wait(pool, body());
  });
}

TEST(PoolModel, a_task_from_outside_does_not_wait_behind_a_long_one) {
  explore_some(80'000, [] {
    thread_pool pool{small(2)};
    tally t;
    thread other{[&] { sync_wait(pool, meet(t, 2)); }};
    sync_wait(pool, meet(t, 2));
    other.join();
  });
}

// --- Chains.

task<> lock_and_add(mutex& m, int& count) {
  co_await m.lock();
  ++count;
  co_await m.unlock();
}

TEST(PoolModel, a_chain_that_is_cut_goes_on_elsewhere) {
  explore_some(60'000, [] {
    thread_pool_options options = small(2);
    options.chain_limit = 1;
    thread_pool pool{options};
    mutex m;
    int count = 0;
    sync_wait(pool, when_all(lock_and_add(m, count), lock_and_add(m, count),
                             lock_and_add(m, count)));
    verify(count == 3, "each was inside");
  });
}

task<> lock_and_tell(mutex& m, tally& t) {
  co_await m.lock();
  t.add();
  co_await m.unlock();
}
task<> outlast(const tally& t, int wanted) {
  co_await reschedule();
  t.wait_for(wanted);
}

TEST(PoolModel, an_heir_of_a_cut_chain_does_not_wait_for_a_worker_that_is_busy_for_long) {
  explore_some(60'000, [] {
    thread_pool_options options = small(2);
    options.chain_limit = 1;
    thread_pool pool{options};
    mutex m;
    tally t;
    sync_wait(pool, when_all(outlast(t, 3), lock_and_tell(m, t), lock_and_tell(m, t),
                             lock_and_tell(m, t)));
  });
}

TEST(PoolModel, a_pool_of_one_cuts_its_chains_too) {
  explore_some(60'000, [] {
    thread_pool_options options = small(1);
    options.chain_limit = 1;
    thread_pool pool{options};
    mutex m;
    int count = 0;
    thread other{[&] { sync_wait(pool, lock_and_add(m, count)); }};
    sync_wait(pool, when_all(lock_and_add(m, count), lock_and_add(m, count)));
    other.join();
    verify(count == 3, "each was inside");
  });
}

}  // namespace
}  // namespace hotseat
