// hotseat/tests/unit/runtime/pool_core_test.cpp — what workers share: injectors, urgent
// tasks, life.  Layer: runtime.  Workers are held at a gate, so that what is put in stays
// where it is.
#include <hotseat/core/waiter.hpp>
#include <hotseat/runtime/detail/pool_core.hpp>
#include <hotseat/runtime/thread_pool.hpp>
#include <hotseat/runtime/topology.hpp>
#include <hotseat/sched/executor.hpp>
#include <support/errand.hpp>
#include <support/waiters.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <deque>
#include <latch>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace hotseat::detail {
namespace {

using testing::listed;

/// A pool without its public interface, all of whose workers can be held.
class held_pool : executor {
 public:
  explicit held_pool(thread_pool_options wanted)
      : core_{std::in_place, static_cast<executor&>(*this), wanted} {}
  ~held_pool() { let_go(); }

  pool_core& operator*() { return *core_; }
  pool_core* operator->() { return &*core_; }

  /// Returns when every worker is held inside a task.
  void hold() {
    const std::ptrdiff_t count = core_->size();
    std::latch standing{count};
    for (unsigned i = 0; i < core_->size(); ++i) {
      core_->inject(make_errand([this, &standing] {
                      standing.count_down();
                      gate_.wait();
                    }).place());
    }
    standing.wait();
    is_held_ = true;
  }
  void let_go() {
    if (std::exchange(is_held_, false)) gate_.count_down();
  }

 private:
  void schedule(waiter& ready) noexcept override { core_->inject(ready); }

  std::latch gate_{1};
  bool is_held_ = false;
  std::optional<pool_core> core_;  // Last: its destructor runs what is left.
};

/// Waiters whose tasks count how often they run.
class several_tasks {
 public:
  explicit several_tasks(std::size_t size) : runs_(size) {
    for (std::atomic<int>& mine : runs_) {
      places_.push_back(&make_errand([&mine] { ++mine; }).place());
    }
  }
  waiter& operator[](std::size_t i) { return *places_[i]; }
  void expect_run_once() {
    for (const std::atomic<int>& mine : runs_) EXPECT_EQ(mine, 1);
  }

 private:
  std::deque<std::atomic<int>> runs_;
  std::vector<waiter*> places_;
};

thread_pool_options two_nodes(unsigned threads) {
  thread_pool_options result;
  result.threads = threads;
  result.machine = topology::described({{0, 0, 0, 0}, {1, 1, 1, 1}});
  return result;
}

TEST(PoolCore, has_as_many_workers_as_wanted_each_at_its_index) {
  held_pool pool{two_nodes(3)};
  EXPECT_EQ(pool->size(), 3U);
  for (unsigned i = 0; i < 3; ++i) {
    EXPECT_EQ(pool->at(i).index(), i);
  }
  EXPECT_EQ(pool->assigned(), (std::vector<unsigned>{0, 1, 0}));
  EXPECT_EQ(pool->machine().node_count(), 2U);
  EXPECT_FALSE(pool->is_over());
}

TEST(PoolCore, a_worker_takes_what_was_injected_in_order_and_up_to_a_limit) {
  several_tasks tasks{10};
  {
    held_pool pool{thread_pool_options{.threads = 2, .machine = topology::flat(2)}};
    pool.hold();
    waiter_queue together;
    for (std::size_t i = 0; i < 10; ++i) together.push_back(tasks[i]);
    pool->inject_all(together);
    EXPECT_TRUE(together.empty());
    const std::vector<waiter*> some = listed(pool->pop_injected(0, 2));
    ASSERT_EQ(some.size(), 2U);
    const std::vector<waiter*> rest = listed(pool->pop_injected(1, 64));
    ASSERT_EQ(rest.size(), 8U);
    EXPECT_EQ(some[1], &tasks[1]);
    EXPECT_EQ(rest[0], &tasks[2]);
    for (std::size_t i = 0; i < 10; ++i) pool->inject(tasks[i]);
  }
  tasks.expect_run_once();
}

TEST(PoolCore, the_injector_of_the_workers_own_node_comes_first) {
  several_tasks tasks{4};
  {
    held_pool pool{two_nodes(2)};
    pool.hold();
    for (std::size_t i = 0; i < 4; ++i) pool->inject(tasks[i]);
    // From outside the nodes take turns; worker 1 is on node 1.
    using list = std::vector<waiter*>;
    const list even{&tasks[0], &tasks[2]};
    const list odd{&tasks[1], &tasks[3]};
    EXPECT_EQ(listed(pool->pop_injected(0, 64)), even);
    EXPECT_EQ(listed(pool->pop_injected(1, 64)), odd);
    EXPECT_EQ(pool->pop_injected(0, 64), nullptr);
    for (std::size_t i = 0; i < 4; ++i) pool->inject(tasks[i]);
    EXPECT_EQ(listed(pool->pop_injected(1, 64)), odd);
    EXPECT_EQ(listed(pool->pop_injected(1, 64)), even) << "then those of the others";
    for (std::size_t i = 0; i < 4; ++i) pool->inject(tasks[i]);
  }
  tasks.expect_run_once();
}

TEST(PoolCore, what_an_idle_worker_could_take_is_shown) {
  several_tasks tasks{2};
  {
    held_pool pool{thread_pool_options{.threads = 2}};
    pool.hold();
    EXPECT_FALSE(pool->shows_work());
    pool->inject(tasks[0]);
    EXPECT_TRUE(pool->shows_work());
    EXPECT_EQ(pool->pop_injected(0, 1), &tasks[0]);
    EXPECT_FALSE(pool->shows_work());
    pool->urgent().push(tasks[0]);
    EXPECT_TRUE(pool->shows_work());
    pool->inject(tasks[1]);
  }
  tasks.expect_run_once();
}

TEST(PoolCore, what_overflows_waits_in_the_injector_of_the_node) {
  several_tasks tasks{1};
  {
    std::latch is_over_full{1};
    std::latch is_seen{1};
    held_pool pool{two_nodes(2)};
    pool->inject(make_errand([&] {
                   const auto& here = static_cast<worker&>(*worker_scope::current());
                   pool->overflow(tasks[0], here.index());
                   is_over_full.count_down();
                   is_seen.wait();
                 }).place());
    is_over_full.wait();
    // The other worker may have been faster.
    if (waiter* const first = pool->pop_injected(0, 64)) {
      EXPECT_EQ(first, &tasks[0]);
      pool->inject(*first);
    }
    is_seen.count_down();
  }
  tasks.expect_run_once();
}

TEST(PoolCore, all_workers_sleep_when_there_is_nothing_to_do_and_wake_up_for_more) {
  constexpr unsigned workers = 4;
  held_pool pool{thread_pool_options{.threads = workers}};
  for (int round = 0; round < 3; ++round) {
    while (pool->sleep().look().asleep != workers) std::this_thread::yield();
    std::latch done{8};
    for (int i = 0; i < 8; ++i) {
      pool->inject(make_errand([&done] { done.count_down(); }).place());
    }
    done.wait();
  }
}

}  // namespace
}  // namespace hotseat::detail
