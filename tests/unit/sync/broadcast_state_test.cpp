// hotseat/tests/unit/sync/broadcast_state_test.cpp — a gate: closed, with a line, or open.
#include <gtest/gtest.h>

#include <deque>
#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sync/detail/broadcast_state.hpp>
#include <memory>
#include <support/threads.hpp>
#include <support/waiters.hpp>
#include <thread>
#include <vector>

namespace hotseat::detail {
namespace {

using testing::listed;

class BroadcastState : public ::testing::Test {
 protected:
  line_waiter& enqueue(broadcast_state& gate) {
    line_waiter& w = waiters.emplace_back();
    EXPECT_FALSE(gate.pass_or_enqueue(w));
    return w;
  }
  std::deque<line_waiter> waiters;
};

TEST_F(BroadcastState, is_open_when_nothing_is_missing) {
  EXPECT_TRUE(broadcast_state{0}.is_open());
  broadcast_state gate{2};
  EXPECT_FALSE(gate.is_open());
  EXPECT_TRUE(listed(gate.subtract(1, "gate")).empty());
  EXPECT_FALSE(gate.is_open());
  EXPECT_EQ(gate.missing(), 1U);
  EXPECT_TRUE(listed(gate.subtract(1, "gate")).empty());
  EXPECT_TRUE(gate.is_open());
}

TEST_F(BroadcastState, B1_no_task_waits_at_an_open_gate) {
  broadcast_state gate{1};
  enqueue(gate);
  EXPECT_TRUE(gate.is_waited());
  EXPECT_EQ(listed(gate.open()).size(), 1U);
  EXPECT_FALSE(gate.is_waited());
  line_waiter late;
  EXPECT_TRUE(gate.pass_or_enqueue(late));
  EXPECT_FALSE(gate.is_waited());
}

TEST_F(BroadcastState, B2_opening_lets_out_all_waiters_in_order_of_arrival) {
  broadcast_state gate{2};
  line_waiter& a = enqueue(gate);
  line_waiter& b = enqueue(gate);
  EXPECT_TRUE(listed(gate.subtract(1, "gate")).empty());
  line_waiter& c = enqueue(gate);
  EXPECT_EQ(listed(gate.subtract(1, "gate")), (std::vector<waiter*>{&a, &b, &c}));
  for (const line_waiter& w : waiters) EXPECT_FALSE(w.is_in_line);
}

TEST_F(BroadcastState, B2_an_arrival_after_the_close_waits_for_the_next_opening) {
  broadcast_state gate{1};
  line_waiter& a = enqueue(gate);
  EXPECT_EQ(listed(gate.open()), (std::vector<waiter*>{&a}));
  gate.close();
  line_waiter& b = enqueue(gate);
  EXPECT_EQ(listed(gate.open()), (std::vector<waiter*>{&b}));
}

// The waiter destroys the gate as soon as it sees that it is open.
TEST_F(BroadcastState, B3_the_opening_is_the_last_touch) {
  for (int round = 0; round < 200; ++round) {
    auto gate = std::make_unique<broadcast_state>(2);
    broadcast_state& seen = *gate;
    std::thread opener{[&seen] {
      for (int i = 0; i < 2; ++i) static_cast<void>(seen.subtract(1, "gate"));
    }};
    while (!gate->is_open()) platform::yield_core();
    gate.reset();
    opener.join();
  }
}

TEST_F(BroadcastState, counting_goes_on_beside_the_line) {
  broadcast_state gate{3};
  line_waiter& a = enqueue(gate);
  EXPECT_TRUE(listed(gate.subtract(2, "gate")).empty());
  gate.add(4, "gate");
  EXPECT_EQ(gate.missing(), 5U);
  EXPECT_TRUE(gate.is_waited());
  EXPECT_EQ(listed(gate.subtract(5, "gate")), (std::vector<waiter*>{&a}));
}

TEST_F(BroadcastState, adding_to_an_open_one_closes_it) {
  broadcast_state gate{0};
  gate.add(2, "gate");
  EXPECT_FALSE(gate.is_open());
  enqueue(gate);
  EXPECT_EQ(listed(gate.subtract(2, "gate")).size(), 1U);
}

TEST_F(BroadcastState, closing_a_closed_one_changes_nothing) {
  broadcast_state gate{3};
  gate.close();
  EXPECT_EQ(gate.missing(), 3U);
  enqueue(gate);
  gate.close();
  EXPECT_EQ(gate.missing(), 3U);
  EXPECT_TRUE(gate.is_waited());
  EXPECT_EQ(listed(gate.open()).size(), 1U);
}

TEST_F(BroadcastState, the_last_to_count_down_passes_with_those_it_lets_out) {
  broadcast_state gate{3};
  line_waiter first;
  line_waiter second;
  waiter_queue heirs;
  EXPECT_FALSE(gate.subtract_and_pass_or_enqueue(1, "gate", first, heirs));
  EXPECT_FALSE(gate.try_subtract_and_pass(2)) << "a task waits";
  EXPECT_TRUE(gate.subtract_and_pass_or_enqueue(2, "gate", second, heirs));
  EXPECT_EQ(listed(heirs), (std::vector<waiter*>{&first}));
  EXPECT_FALSE(second.is_in_line);
}

TEST_F(BroadcastState, one_that_is_alone_passes_without_the_guard) {
  broadcast_state gate{2};
  EXPECT_FALSE(gate.try_subtract_and_pass(1));
  EXPECT_EQ(gate.missing(), 2U);
  EXPECT_TRUE(gate.try_subtract_and_pass(2));
  EXPECT_TRUE(gate.is_open());
}

TEST_F(BroadcastState, W1_a_waiter_is_taken_out_once) {
  broadcast_state gate{1};
  line_waiter& a = enqueue(gate);
  line_waiter& b = enqueue(gate);
  EXPECT_TRUE(gate.leave(a));
  EXPECT_FALSE(gate.leave(a));
  EXPECT_TRUE(gate.is_waited());
  EXPECT_EQ(listed(gate.open()), (std::vector<waiter*>{&b}));
  EXPECT_FALSE(gate.leave(b));
  EXPECT_TRUE(gate.is_open());
}

TEST_F(BroadcastState, W1_the_last_departure_leaves_an_empty_line) {
  broadcast_state gate{1};
  EXPECT_TRUE(gate.leave(enqueue(gate)));
  EXPECT_FALSE(gate.is_waited());
  EXPECT_FALSE(gate.is_open());
}

// Threads that count, wait and leave: each is let out or has left, exactly once.
TEST_F(BroadcastState, no_waiter_is_forgotten_while_others_open_close_and_leave) {
  constexpr int threads = 4;
  constexpr int rounds = 5'000;
  struct place : line_waiter {
    platform::atomic<int> let_out{0};
  };
  broadcast_state gate{1};
  platform::atomic<int> twice{0};
  const auto let_out = [](waiter_queue heirs) {
    while (!heirs.empty()) {
      static_cast<place&>(heirs.pop_front())
          .let_out.fetch_add(1, std::memory_order_release);
    }
  };
  testing::on_threads(threads, [&](int t) {
    for (int i = 0; i < rounds; ++i) {
      place self;
      if (!gate.pass_or_enqueue(self)) {
        if ((i + t) % 3 == 0) let_out(gate.open());
        if (!gate.leave(self)) {
          while (self.let_out.load(std::memory_order_acquire) == 0) platform::relax();
        } else if (self.let_out.load(std::memory_order_acquire) != 0) {
          twice.fetch_add(1);
        }
      }
      gate.close();
    }
  });
  EXPECT_EQ(twice.load(), 0);
  EXPECT_FALSE(gate.is_waited());
}

}  // namespace
}  // namespace hotseat::detail
