// hotseat/tests/misuse/gates_misuse_test.cpp — a broken rule of an event, a latch, a
// barrier, a wait_group, a one_shot or a once_flag stops the program and is named.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <hotseat/sched/block_on.hpp>
#include <hotseat/sync/auto_reset_event.hpp>
#include <hotseat/sync/barrier.hpp>
#include <hotseat/sync/event.hpp>
#include <hotseat/sync/latch.hpp>
#include <hotseat/sync/once_flag.hpp>
#include <hotseat/sync/one_shot.hpp>
#include <hotseat/sync/wait_group.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <support/gate_kinds.hpp>
#include <support/manual_executor.hpp>
#include <support/probes.hpp>

namespace hotseat {
namespace {

using testing::manual_executor;
using testing::owned;

class GatesMisuseDeathTest : public ::testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

template <class Gate>
void destroy_while_a_task_waits(std::optional<Gate>& gate) {
  manual_executor ex{1};
  std::string log;
  owned waiting = testing::wait_for_ever(*gate, log, 'a');
  waiting.start_on(ex);
  ex.run_all();
  gate.reset();
}

TEST_F(GatesMisuseDeathTest, destruction_of_an_event_while_a_task_waits) {
  std::optional<event> e;
  EXPECT_DEATH(
      {
        e.emplace();
        destroy_while_a_task_waits(e);
      },
      "hotseat: violation: event 0x[0-9a-f]+: it must not be destroyed while a task "
      "waits");
}

TEST_F(GatesMisuseDeathTest, destruction_of_a_one_shot_while_a_task_waits) {
  std::optional<one_shot<>> shot;
  EXPECT_DEATH(
      {
        shot.emplace();
        destroy_while_a_task_waits(shot);
      },
      "hotseat: violation: one_shot 0x[0-9a-f]+: it must not be destroyed while a task "
      "waits");
}

TEST_F(GatesMisuseDeathTest, completion_of_a_one_shot_twice) {
  one_shot<int> shot;
  shot.set_value(1);
  EXPECT_DEATH(shot.set_stopped(), "one_shot 0x[0-9a-f]+: it must be completed once");
}

TEST_F(GatesMisuseDeathTest, a_second_completer_of_a_one_shot) {
  one_shot<int> shot;
  const auto done = shot.get_completer();
  EXPECT_DEATH(static_cast<void>(shot.get_completer()),
               "one_shot 0x[0-9a-f]+: it has one completer, and no more");
}

TEST_F(GatesMisuseDeathTest, destruction_of_an_auto_reset_event_while_a_task_waits) {
  std::optional<auto_reset_event> e;
  EXPECT_DEATH(
      {
        e.emplace();
        destroy_while_a_task_waits(e);
      },
      "hotseat: violation: auto_reset_event 0x[0-9a-f]+: it must not be destroyed while "
      "a task waits");
}

TEST_F(GatesMisuseDeathTest, destruction_of_a_latch_while_a_task_waits) {
  std::optional<latch> l;
  EXPECT_DEATH(
      {
        l.emplace(1U);
        destroy_while_a_task_waits(l);
      },
      "hotseat: violation: latch 0x[0-9a-f]+: it must not be destroyed while a task "
      "waits");
}

TEST_F(GatesMisuseDeathTest, destruction_of_a_wait_group_while_a_task_waits) {
  std::optional<wait_group> g;
  EXPECT_DEATH(
      {
        g.emplace(1U);
        destroy_while_a_task_waits(g);
      },
      "hotseat: violation: wait_group 0x[0-9a-f]+: it must not be destroyed while a task "
      "waits");
}

TEST_F(GatesMisuseDeathTest, counting_a_latch_below_zero) {
  constexpr const char* below =
      "hotseat: violation: latch 0x[0-9a-f]+: it must not be counted below zero";
  EXPECT_DEATH(
      {
        latch l{1};
        l.count_down_dispatch(2);
      },
      below);
  EXPECT_DEATH(
      {
        latch l{0};
        static_cast<void>(l.count_down().await_ready());
      },
      below);
  EXPECT_DEATH(
      {
        latch l{1};
        block_on(l.arrive_and_wait(2));
      },
      below);
}

TEST_F(GatesMisuseDeathTest, counting_a_latch_below_zero_while_a_task_waits) {
  EXPECT_DEATH(
      {
        manual_executor ex{1};
        std::string log;
        latch l{1};
        owned waiting = testing::wait_for_ever(l, log, 'a');
        waiting.start_on(ex);
        ex.run_all();
        l.count_down_dispatch(2);
      },
      "latch 0x[0-9a-f]+: it must not be counted below zero");
}

TEST_F(GatesMisuseDeathTest, more_done_than_added) {
  EXPECT_DEATH(
      {
        wait_group g;
        g.add();
        g.done_dispatch();
        g.done_dispatch();
      },
      "hotseat: violation: wait_group 0x[0-9a-f]+: it must not be counted below zero");
}

TEST_F(GatesMisuseDeathTest, more_added_than_can_be_counted) {
  EXPECT_DEATH(
      {
        wait_group g;
        g.add(UINT64_MAX >> 2U);
        g.add();
      },
      "hotseat: violation: wait_group 0x[0-9a-f]+: more than it can count");
  EXPECT_DEATH({ const latch l{UINT64_MAX}; }, "more than it can count");
  EXPECT_DEATH({ const barrier<> b{UINT64_MAX}; }, "more tasks than it can count");
}

template <class Barrier>
owned arrive(Barrier& b) {
  co_await b.arrive_and_wait();
}

TEST_F(GatesMisuseDeathTest, destruction_of_a_barrier_while_a_task_waits) {
  EXPECT_DEATH(
      {
        manual_executor ex{1};
        std::optional<barrier<>> b;
        b.emplace(2U);
        owned waiting = arrive(*b);
        waiting.start_on(ex);
        ex.run_all();
        b.reset();
      },
      "hotseat: violation: barrier 0x[0-9a-f]+: it must not be destroyed while a task "
      "waits");
}

void arrive_inside_the_completion() {
  using any_completion = std::function<void()>;
  barrier<any_completion>* itself = nullptr;
  barrier<any_completion> b{1, [&itself] { itself->arrive_and_wait_blocking(); }};
  itself = &b;
  b.arrive_and_wait_blocking();
}

TEST_F(GatesMisuseDeathTest, H2_more_arrivals_than_take_part) {
  constexpr const char* too_many =
      "hotseat: violation: barrier 0x[0-9a-f]+: no more tasks may arrive than take part in "
      "a phase";
  EXPECT_DEATH(
      {
        barrier<> b{1};
        b.arrive_and_drop_dispatch();
        b.arrive_and_wait_blocking();
      },
      too_many);
  EXPECT_DEATH(arrive_inside_the_completion(), too_many);
}

struct failing_completion {
  void operator()() const { throw std::runtime_error{"completion"}; }
};

void throw_from_the_completion() {
  try {
    barrier<failing_completion> b{1};
    b.arrive_and_wait_blocking();
  } catch (...) {
    std::_Exit(0);  // Must not be reached.
  }
}

TEST_F(GatesMisuseDeathTest, a_completion_that_throws_terminates) {
  EXPECT_DEATH(throw_from_the_completion(), "terminate called");
}

TEST_F(GatesMisuseDeathTest,
       destruction_of_a_once_flag_while_a_task_runs_what_is_to_be_done) {
  EXPECT_DEATH(
      {
        std::optional<once_flag> flag;
        flag.emplace();
        static_cast<void>(block_on(flag->enter()));
        flag.reset();
      },
      "hotseat: violation: once_flag 0x[0-9a-f]+: it must not be destroyed while a task "
      "runs what is to be done once");
}

owned let_in_later(event& e) { co_await e.wait(); }

TEST_F(GatesMisuseDeathTest, destruction_of_a_task_that_has_been_let_out) {
  EXPECT_DEATH(
      {
        manual_executor ex{1};
        event e;
        std::optional<owned> waiting{let_in_later(e)};
        waiting->start_on(ex);
        ex.run_all();
        e.set_dispatch();
        waiting.reset();
      },
      "a task that has been made ready must not be destroyed");
}

}  // namespace
}  // namespace hotseat
