// hotseat/tests/unit/sync/barrier_test.cpp — tasks that go on together, phase by phase.
#include <gtest/gtest.h>

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <hotseat/sched/handoff.hpp>
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

static_assert(std::same_as<barrier<>, basic_barrier<handoff::exchange, no_completion>>);
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

/// Notes its name in capitals if the wait ended early.
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

template <class Handoff>
class Barrier : public ::testing::Test {
 protected:
  using barrier_type = basic_barrier<Handoff, note>;
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
TYPED_TEST_SUITE(Barrier, testing::handoffs);

TYPED_TEST(Barrier, nobody_goes_on_before_all_have_arrived) {
  owned a = arrive(this->three, this->log, 'a');
  owned b = arrive(this->three, this->log, 'b');
  owned c = arrive(this->three, this->log, 'c');
  this->start(a);
  this->start(b);
  EXPECT_EQ(this->log, "");
  this->start(c);
  EXPECT_EQ(this->log.size(), 4U);
  EXPECT_EQ(this->log.front(), '|') << "the completion comes first";
}

TYPED_TEST(Barrier, one_alone_never_waits) {
  basic_barrier<TypeParam, note> alone{1, note{&this->log}};
  owned a = arrive(alone, this->log, 'a', 3);
  a.start_on(this->ex);
  ASSERT_TRUE(this->ex.step());
  EXPECT_EQ(this->log, "|a|a|a");
  EXPECT_EQ(this->ex.requests().size(), 1U);
}

TYPED_TEST(Barrier, phases_never_mix) {
  constexpr int phases = 20;
  std::vector<owned> tasks;
  for (const char name : {'a', 'b', 'c'}) {
    tasks.push_back(arrive(this->three, this->log, name, phases));
    tasks.back().start_on(this->ex);
  }
  this->ex.run_all();
  ASSERT_EQ(this->log.size(), 4U * phases);
  for (std::size_t phase = 0; phase < phases; ++phase) {
    const std::string part = this->log.substr(4 * phase, 4);
    EXPECT_EQ(part.front(), '|');
    for (const char name : {'a', 'b', 'c'}) {
      EXPECT_NE(part.find(name), std::string::npos) << phase << ": " << part;
    }
  }
}

// It has just arrived, and what the others left for it is in this core's cache.
TYPED_TEST(Barrier, the_last_to_arrive_goes_on_here) {
  owned a = arrive(this->three, this->log, 'a');
  owned b = arrive(this->three, this->log, 'b');
  owned last = arrive(this->three, this->log, 'z');
  this->start(a);
  this->start(b);
  last.start_on(this->ex);
  ASSERT_TRUE(this->ex.step(1));
  EXPECT_TRUE(last.done());
  if (std::is_same_v<TypeParam, handoff::resume_inline>) {
    EXPECT_EQ(this->log, "|abz");
  } else {
    EXPECT_EQ(this->log, "|z");
    ASSERT_EQ(this->ex.ready().size(), 2U);
    EXPECT_EQ(this->ex.ready()[0].task, a.handle());
    EXPECT_EQ(this->ex.ready()[1].task, b.handle());
  }
  this->ex.run_all();
}

TYPED_TEST(Barrier, the_others_are_scheduled_in_one_batch_and_nothing_is_allocated) {
  testing::frugal_executor frugal;
  std::string order;
  order.reserve(64);
  basic_barrier<TypeParam> plain{4};
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
  const bool is_inline = std::is_same_v<TypeParam, handoff::resume_inline>;
  EXPECT_EQ(frugal.portions, is_inline ? std::vector<int>{} : (std::vector<int>{3, 3}));
}

// --- The completion.

TYPED_TEST(Barrier, the_last_to_arrive_runs_the_completion) {
  std::optional<unsigned> where;
  const auto ask = [this, &where] { where = this->ex.current_worker(); };
  basic_barrier<TypeParam, decltype(ask)> both{2, ask};
  owned a = arrive(both, this->log, 'a');
  owned b = arrive(both, this->log, 'b');
  a.start_on(this->ex);
  ASSERT_TRUE(this->ex.step(0));
  EXPECT_EQ(where, std::nullopt);
  b.start_on(this->ex);
  ASSERT_TRUE(this->ex.step(1));
  EXPECT_EQ(where, 1U);
  this->ex.run_all();
}

TYPED_TEST(Barrier, who_leaves_while_the_completion_runs_does_not_wait_for_its_end) {
  const auto stop_them = [this] { this->source.request_stop(); };
  basic_barrier<TypeParam, decltype(stop_them)> both{2, stop_them};
  owned a = arrive_until_told(both, this->source.get_token(), this->log, 'a');
  owned b = arrive(both, this->log, 'b');
  this->start(a);
  this->start(b);
  EXPECT_EQ(this->log.size(), 2U);
  EXPECT_NE(this->log.find('A'), std::string::npos);
}

TYPED_TEST(Barrier, a_completion_may_have_a_state_of_its_own) {
  int phases = 0;
  auto count = [&phases, own = 0]() mutable { phases = ++own; };
  basic_barrier<TypeParam, decltype(count)> alone{1, count};
  owned a = arrive(alone, this->log, 'a', 3);
  this->start(a);
  EXPECT_EQ(phases, 3);
}

// --- Who does not wait until the end.

TYPED_TEST(Barrier, H4_who_is_told_to_stop_has_arrived_all_the_same) {
  owned a = arrive_until_told(this->three, this->source.get_token(), this->log, 'a');
  owned b = arrive(this->three, this->log, 'b');
  owned c = arrive(this->three, this->log, 'c');
  this->start(a);
  this->start(b);
  this->source.request_stop();
  this->ex.run_all();
  EXPECT_EQ(this->log, "A");
  this->start(c);
  EXPECT_EQ(this->log.substr(0, 2), "A|");
  EXPECT_TRUE(b.done() && c.done());
}

TYPED_TEST(Barrier, H4_who_is_too_late_has_arrived_all_the_same) {
  owned a = arrive_some_time(this->three, 1h, this->log, 'a');
  owned b = arrive(this->three, this->log, 'b');
  owned c = arrive(this->three, this->log, 'c');
  this->start(a);
  this->ex.clock.ring_all();
  this->start(b);
  EXPECT_EQ(this->log, "A");
  this->start(c);
  EXPECT_TRUE(b.done() && c.done());
}

TYPED_TEST(Barrier, H4_a_task_that_is_destroyed_while_it_waits_has_arrived_all_the_same) {
  owned b = arrive(this->three, this->log, 'b');
  owned c = arrive(this->three, this->log, 'c');
  {
    owned destroyed = arrive(this->three, this->log, 'a');
    this->start(destroyed);
    this->start(b);
  }
  this->start(c);
  EXPECT_EQ(this->log.find('a'), std::string::npos);
  EXPECT_TRUE(b.done() && c.done());
}

// --- Who drops.

TYPED_TEST(Barrier, who_drops_does_not_wait_and_is_not_expected_again) {
  owned a = drop(this->three, this->log, 'a');
  this->start(a);
  EXPECT_EQ(this->log, "a");
  owned b = arrive(this->three, this->log, 'b', 2);
  owned c = arrive(this->three, this->log, 'c', 2);
  this->start(b);
  this->start(c);
  EXPECT_TRUE(b.done() && c.done());
}

TYPED_TEST(Barrier, who_drops_as_the_last_ends_the_phase) {
  owned b = arrive(this->three, this->log, 'b');
  owned c = arrive(this->three, this->log, 'c');
  owned a = drop(this->three, this->log, 'a');
  this->start(b);
  this->start(c);
  a.start_on(this->ex);
  ASSERT_TRUE(this->ex.step(1));
  if (std::is_same_v<TypeParam, handoff::exchange>) {
    EXPECT_EQ(this->log, "|b") << "it has left, and does not need this core";
    ASSERT_EQ(this->ex.ready().size(), 2U);
    EXPECT_EQ(this->ex.ready()[0].task, c.handle());
    EXPECT_EQ(this->ex.ready()[1].task, a.handle());
  } else if (std::is_same_v<TypeParam, handoff::dispatch>) {
    EXPECT_EQ(this->log, "|a");
  } else {
    EXPECT_EQ(this->log, "|bca");
  }
  this->ex.run_all();
  EXPECT_EQ(this->log.size(), 4U);
}

TYPED_TEST(Barrier, a_destructor_may_drop) {
  owned b = arrive(this->three, this->log, 'b', 2);
  owned c = arrive(this->three, this->log, 'c', 2);
  this->start(b);
  this->start(c);
  this->three.arrive_and_drop_dispatch();
  EXPECT_EQ(this->log, "|");
  this->ex.run_all();
  EXPECT_TRUE(b.done() && c.done());
  this->three.arrive_and_drop_dispatch();
  this->three.arrive_and_drop_dispatch();
}

// --- Threads, and the end of a barrier.

template <class Handoff>
detached arrive_then_destroy(executor& where, std::unique_ptr<basic_barrier<Handoff>>& b) {
  co_await testing::on(where);
  co_await b->arrive_and_wait();
  b.reset();
}

template <class Handoff>
detached drop_once(executor& where, basic_barrier<Handoff>& b, bool& is_done) {
  co_await testing::on(where);
  co_await b.arrive_and_drop();
  is_done = true;
}

TYPED_TEST(Barrier, whoever_is_let_out_may_destroy_it_at_once) {
  testing::immediate_executor now;
  auto shared = std::make_unique<basic_barrier<TypeParam>>(2);
  bool is_done = false;
  arrive_then_destroy(now, shared);
  drop_once(now, *shared, is_done);
  EXPECT_EQ(shared, nullptr);
  EXPECT_TRUE(is_done);
}

}  // namespace
}  // namespace hotseat
