// hotseat/tests/unit/sync/barrier_test.cpp — tasks that go on together, phase by phase.
#include <gtest/gtest.h>

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <hotseat/sync/barrier.hpp>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <support/counted_new.hpp>
#include <support/frugal_executor.hpp>
#include <support/gate_kinds.hpp>
#include <support/manual_executor.hpp>
#include <support/probes.hpp>
#include <type_traits>
#include <utility>
#include <vector>

namespace hotseat {
namespace {

using namespace std::chrono_literals;
using testing::detached;
using testing::manual_executor;
using testing::owned;

static_assert(std::same_as<barrier<>, barrier<no_completion>>);
static_assert(std::same_as<decltype(barrier{3}), barrier<>>);
static_assert(sizeof(barrier<>) == sizeof(detail::phase_state));

struct note {
  std::string* log;
  void operator()() const { *log += '|'; }
};

template <class Barrier>
owned arrive(Barrier& b, std::string& log, char name, int phases = 1) {
  for (int phase = 0; phase < phases; ++phase) {
    co_await b.arrive_and_wait();
    log += name;
  }
}

/// Notes its name, as a capital if the wait ended early.
template <class Barrier>
owned arrive_until_told(Barrier& b, std::stop_token stop, std::string& log, char name) {
  auto operation = b.arrive_and_wait(std::move(stop));
  const bool is_over = co_await operation;
  log += is_over ? name : static_cast<char>(name - 'a' + 'A');
}

template <class Barrier>
owned arrive_some_time(Barrier& b, std::chrono::hours time, std::string& log, char name) {
  auto operation = b.arrive_and_wait_for(time);
  const bool is_over = co_await operation;
  log += is_over ? name : static_cast<char>(name - 'a' + 'A');
}

template <class Barrier>
owned drop(Barrier& b, std::string& log, char name) {
  co_await b.arrive_and_drop();
  log += name;
}

class Barrier : public ::testing::Test {
 protected:
  using barrier_type = barrier<note>;
  static_assert(!std::is_copy_constructible_v<barrier_type>);
  static_assert(!std::is_move_constructible_v<barrier_type>);
  using arrive_operation = decltype(std::declval<barrier_type&>().arrive_and_wait());
  static_assert(noexcept(std::declval<arrive_operation&>().await_suspend(nullptr)));

  void start(owned& task) {
    task.start_on(ex);
    ex.run_all();
  }

  std::string log;
  barrier_type three{3, note{&log}};
  manual_executor ex{2};
  std::stop_source source;
};

TEST_F(Barrier, no_task_goes_on_before_all_have_arrived) {
  owned a = arrive(three, log, 'a');
  owned b = arrive(three, log, 'b');
  owned c = arrive(three, log, 'c');
  start(a);
  start(b);
  EXPECT_EQ(log, "");
  start(c);
  EXPECT_EQ(log.size(), 4U);
  EXPECT_EQ(log.front(), '|') << "the completion comes first";
}

TEST_F(Barrier, a_task_alone_never_waits) {
  barrier<note> alone{1, note{&log}};
  owned a = arrive(alone, log, 'a', 3);
  a.start_on(ex);
  ASSERT_TRUE(ex.step());
  EXPECT_EQ(log, "|a|a|a");
  EXPECT_EQ(ex.requests().size(), 1U);
}

TEST_F(Barrier, phases_never_mix) {
  constexpr int phases = 20;
  std::vector<owned> tasks;
  for (const char name : {'a', 'b', 'c'}) {
    tasks.push_back(arrive(three, log, name, phases));
    tasks.back().start_on(ex);
  }
  ex.run_all();
  ASSERT_EQ(log.size(), 4U * phases);
  for (std::size_t phase = 0; phase < phases; ++phase) {
    const std::string part = log.substr(4 * phase, 4);
    EXPECT_EQ(part.front(), '|');
    for (const char name : {'a', 'b', 'c'}) {
      EXPECT_NE(part.find(name), std::string::npos) << phase << ": " << part;
    }
  }
}

// It has just arrived, and what the others left for it is in this core's cache.
TEST_F(Barrier, the_last_to_arrive_goes_on_here) {
  owned a = arrive(three, log, 'a');
  owned b = arrive(three, log, 'b');
  owned last = arrive(three, log, 'z');
  start(a);
  start(b);
  last.start_on(ex);
  ASSERT_TRUE(ex.step(1));
  EXPECT_TRUE(last.done());
  EXPECT_EQ(log, "|z");
  ASSERT_EQ(ex.ready().size(), 2U);
  EXPECT_EQ(ex.ready()[0].task, a.handle());
  EXPECT_EQ(ex.ready()[1].task, b.handle());
  ex.run_all();
}

TEST_F(Barrier, the_others_are_scheduled_in_one_batch_and_nothing_is_allocated) {
  testing::frugal_executor frugal;
  std::string order;
  order.reserve(64);
  barrier<> plain{4};
  owned a = arrive(plain, order, 'a', 2);
  owned b = arrive(plain, order, 'b', 2);
  owned c = arrive(plain, order, 'c', 2);
  owned d = arrive(plain, order, 'd', 2);
  const std::uint64_t before = testing::allocations();
  for (owned* const task : {&a, &b, &c, &d}) task->start_on(frugal);
  frugal.portions.clear();
  frugal.run_all();
  const std::uint64_t after = testing::allocations();
  EXPECT_EQ(after, before);
  EXPECT_EQ(order.size(), 8U);
  EXPECT_EQ(frugal.portions, (std::vector<int>{3, 3}));
}

// --- The completion.

TEST_F(Barrier, the_last_to_arrive_runs_the_completion) {
  std::optional<unsigned> where;
  const auto ask = [this, &where] { where = ex.current_worker(); };
  barrier<decltype(ask)> both{2, ask};
  owned a = arrive(both, log, 'a');
  owned b = arrive(both, log, 'b');
  a.start_on(ex);
  ASSERT_TRUE(ex.step(0));
  EXPECT_EQ(where, std::nullopt);
  b.start_on(ex);
  ASSERT_TRUE(ex.step(1));
  EXPECT_EQ(where, 1U);
  ex.run_all();
}

TEST_F(Barrier, a_task_that_leaves_while_the_completion_runs_does_not_wait_for_its_end) {
  const auto stop_them = [this] { source.request_stop(); };
  barrier<decltype(stop_them)> both{2, stop_them};
  owned a = arrive_until_told(both, source.get_token(), log, 'a');
  owned b = arrive(both, log, 'b');
  start(a);
  start(b);
  EXPECT_EQ(log.size(), 2U);
  EXPECT_NE(log.find('A'), std::string::npos);
}

TEST_F(Barrier, a_completion_may_have_a_state_of_its_own) {
  int phases = 0;
  auto count = [&phases, own = 0]() mutable { phases = ++own; };
  barrier<decltype(count)> alone{1, count};
  owned a = arrive(alone, log, 'a', 3);
  start(a);
  EXPECT_EQ(phases, 3);
}

// --- Tasks that do not wait until the end.

TEST_F(Barrier, H4_a_task_that_is_told_to_stop_has_arrived_all_the_same) {
  owned a = arrive_until_told(three, source.get_token(), log, 'a');
  owned b = arrive(three, log, 'b');
  owned c = arrive(three, log, 'c');
  start(a);
  start(b);
  source.request_stop();
  ex.run_all();
  EXPECT_EQ(log, "A");
  start(c);
  EXPECT_EQ(log.substr(0, 2), "A|");
  EXPECT_TRUE(b.done() && c.done());
}

TEST_F(Barrier, H4_a_task_that_is_too_late_has_arrived_all_the_same) {
  owned a = arrive_some_time(three, 1h, log, 'a');
  owned b = arrive(three, log, 'b');
  owned c = arrive(three, log, 'c');
  start(a);
  ex.clock.ring_all();
  start(b);
  EXPECT_EQ(log, "A");
  start(c);
  EXPECT_TRUE(b.done() && c.done());
}

TEST_F(Barrier, H4_a_task_that_is_destroyed_while_it_waits_has_arrived_all_the_same) {
  owned b = arrive(three, log, 'b');
  owned c = arrive(three, log, 'c');
  {
    owned destroyed = arrive(three, log, 'a');
    start(destroyed);
    start(b);
  }
  start(c);
  EXPECT_EQ(log.find('a'), std::string::npos);
  EXPECT_TRUE(b.done() && c.done());
}

// --- Tasks that drop.

TEST_F(Barrier, a_task_that_drops_does_not_wait_and_is_not_expected_again) {
  owned a = drop(three, log, 'a');
  start(a);
  EXPECT_EQ(log, "a");
  owned b = arrive(three, log, 'b', 2);
  owned c = arrive(three, log, 'c', 2);
  start(b);
  start(c);
  EXPECT_TRUE(b.done() && c.done());
}

TEST_F(Barrier, a_task_that_drops_as_the_last_ends_the_phase) {
  owned b = arrive(three, log, 'b');
  owned c = arrive(three, log, 'c');
  owned a = drop(three, log, 'a');
  start(b);
  start(c);
  a.start_on(ex);
  ASSERT_TRUE(ex.step(1));
  EXPECT_EQ(log, "|b") << "it has left, and does not need this core";
  ASSERT_EQ(ex.ready().size(), 2U);
  EXPECT_EQ(ex.ready()[0].task, c.handle());
  EXPECT_EQ(ex.ready()[1].task, a.handle());
  ex.run_all();
  EXPECT_EQ(log.size(), 4U);
}

TEST_F(Barrier, a_destructor_may_drop) {
  owned b = arrive(three, log, 'b', 2);
  owned c = arrive(three, log, 'c', 2);
  start(b);
  start(c);
  three.arrive_and_drop_dispatch();
  EXPECT_EQ(log, "|");
  ex.run_all();
  EXPECT_TRUE(b.done() && c.done());
  three.arrive_and_drop_dispatch();
  three.arrive_and_drop_dispatch();
}

// --- Threads, and the end of a barrier.

detached arrive_then_destroy(executor& where, std::unique_ptr<barrier<>>& b) {
  co_await testing::on(where);
  co_await b->arrive_and_wait();
  b.reset();
}

detached drop_once(executor& where, barrier<>& b, bool& is_done) {
  co_await testing::on(where);
  co_await b.arrive_and_drop();
  is_done = true;
}

TEST_F(Barrier, a_task_that_is_let_out_may_destroy_it_at_once) {
  testing::immediate_executor now;
  auto shared = std::make_unique<barrier<>>(2);
  bool is_done = false;
  arrive_then_destroy(now, shared);
  drop_once(now, *shared, is_done);
  EXPECT_EQ(shared, nullptr);
  EXPECT_TRUE(is_done);
}

}  // namespace
}  // namespace hotseat
