// hotseat/tests/unit/sched/combine_test.cpp — taking turns for others.  With real locks:
// section_operation_test.cpp.
#include <gtest/gtest.h>

#include <array>
#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/waiter_queue.hpp>
#include <hotseat/sched/combine.hpp>
#include <hotseat/sched/handoff.hpp>
#include <support/manual_executor.hpp>

#include <coroutine>
#include <cstddef>

namespace hotseat::detail {
namespace {

using testing::manual_executor;
using testing::worker_scope;

struct asked_waiter : line_waiter {
  special_wait how_special;
  turn answer = turn::done;
  int times_asked = 0;

  void prepare(executor& where) {
    task = std::noop_coroutine();
    home = &where;
    how_special.on_turn = [](line_waiter& who) noexcept {
      auto& self = static_cast<asked_waiter&>(who);
      ++self.times_asked;
      return self.answer;
    };
    special = &how_special;
  }
};

class Combine : public ::testing::Test {
 protected:
  Combine() {
    for (asked_waiter& w : line) w.prepare(ex);
  }
  auto releasing() {
    return [this]() noexcept -> line_waiter* {
      ++released;
      return released < line.size() ? &line[released] : nullptr;
    };
  }
  manual_executor ex{1};
  std::array<asked_waiter, 3> line;
  std::size_t released = 0;
};

TEST_F(Combine, takes_all_turns_and_schedules_whoever_is_done) {
  const worker_scope scope{ex};
  line_waiter* const first = line.data();
  EXPECT_EQ(combine<handoff::exchange>(first, releasing()), nullptr);
  EXPECT_EQ(released, 3U);
  EXPECT_EQ(ex.ready().size(), 3U);
  EXPECT_EQ(this_thread().chain, 3U);
  EXPECT_EQ(this_thread().locks_held, 0U);
}

TEST_F(Combine, forgets_whoever_moved_to_another_line) {
  const worker_scope scope{ex};
  line[1].answer = turn::moved;
  line_waiter* const first = line.data();
  EXPECT_EQ(combine<handoff::exchange>(first, releasing()), nullptr);
  EXPECT_EQ(ex.ready().size(), 2U);
}

TEST_F(Combine, stops_at_one_who_owns_the_lock_and_wants_to_run) {
  const worker_scope scope{ex};
  line[1].answer = turn::owns;
  line_waiter* const first = line.data();
  EXPECT_EQ(combine<handoff::exchange>(first, releasing()), &line[1]);
  EXPECT_EQ(released, 1U);
}

TEST_F(Combine, a_policy_that_does_not_combine_asks_only_those_who_must_be_asked) {
  const worker_scope scope{ex};
  line_waiter* const first = line.data();
  EXPECT_EQ(combine<handoff::dispatch>(first, releasing()), first);
  EXPECT_EQ(line[0].times_asked, 0);
  line[0].how_special.must_be_asked = true;
  line[0].answer = turn::moved;
  EXPECT_EQ(combine<handoff::dispatch>(first, releasing()), &line[1]);
  EXPECT_EQ(line[0].times_asked, 1);
  EXPECT_EQ(line[1].times_asked, 0);
}

TEST_F(Combine, several_heirs_are_ordinary_ones) {
  const worker_scope scope{ex};
  waiter_queue heirs;
  heirs.push_back(line[0]);
  const auto nobody = []() noexcept { return waiter_queue{}; };
  EXPECT_TRUE(combine<handoff::exchange>(heirs, nobody).empty());
  EXPECT_EQ(line[0].times_asked, 1);
}

TEST_F(Combine, an_heir_of_another_home_is_not_run_in_the_slot) {
  manual_executor other{1};
  const worker_scope scope{ex};
  line[0].home = &other;
  run_in_slot(static_cast<line_waiter*>(line.data()));
  EXPECT_FALSE(this_thread().run_next);
  EXPECT_EQ(other.ready().size(), 1U);
  run_in_slot(static_cast<line_waiter*>(&line[1]));
  EXPECT_TRUE(this_thread().run_next);
  this_thread().run_next = nullptr;
}

}  // namespace
}  // namespace hotseat::detail
