// hotseat/tests/unit/sync/shared_state_test.cpp — which tasks are inside a shared_mutex,
// and which are next.
#include <gtest/gtest.h>

#include <hotseat/core/waiter.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sync/detail/shared_state.hpp>
#include <initializer_list>
#include <support/spinning.hpp>
#include <support/threads.hpp>

namespace hotseat::detail {
namespace {

constexpr access exclusive = access::exclusive;
constexpr access shared = access::shared;

struct place : testing::spinning<shared_waiter> {
  explicit place(access how) { wants = how; }
};

/// Takes the heirs out of the queue and compares them, in order.
void expect_heirs(waiter_queue heirs, std::initializer_list<const waiter*> expected) {
  for (const waiter* const each : expected) {
    ASSERT_FALSE(heirs.empty());
    EXPECT_EQ(&heirs.pop_front(), each);
  }
  EXPECT_TRUE(heirs.empty());
}

class SharedState : public ::testing::Test {
 protected:
  /// All tasks have left.
  void TearDown() override { EXPECT_TRUE(state.is_free()); }

  shared_state state;
};

TEST_F(SharedState, is_constant_initialized_and_free) {
  static constinit shared_state constant;
  EXPECT_TRUE(constant.is_free());
}

TEST_F(SharedState, R1_a_writer_inside_is_alone) {
  ASSERT_TRUE(state.try_acquire(exclusive));
  EXPECT_FALSE(state.is_free());
  EXPECT_FALSE(state.try_acquire(exclusive));
  EXPECT_FALSE(state.try_acquire(shared));
  expect_heirs(state.release(exclusive), {});
  EXPECT_TRUE(state.is_free());

  ASSERT_TRUE(state.try_acquire(shared));
  ASSERT_TRUE(state.try_acquire(shared));
  EXPECT_FALSE(state.try_acquire(exclusive));
  expect_heirs(state.release(shared), {});
  EXPECT_FALSE(state.try_acquire(exclusive));
  expect_heirs(state.release(shared), {});
  EXPECT_TRUE(state.try_acquire(exclusive));
  expect_heirs(state.release(exclusive), {});
}

TEST_F(SharedState, an_arrival_that_fits_enters_at_once) {
  place first{shared};
  place second{shared};
  EXPECT_TRUE(state.acquire_or_enqueue(first));
  EXPECT_TRUE(state.acquire_or_enqueue(second));
  expect_heirs(state.release(shared), {});
  expect_heirs(state.release(shared), {});
  place writer{exclusive};
  EXPECT_TRUE(state.acquire_or_enqueue(writer));
  expect_heirs(state.release(exclusive), {});
}

TEST_F(SharedState, R2_the_last_reader_lets_the_writer_in) {
  place writer{exclusive};
  ASSERT_TRUE(state.try_acquire(shared));
  ASSERT_TRUE(state.try_acquire(shared));
  ASSERT_FALSE(state.acquire_or_enqueue(writer));
  expect_heirs(state.release(shared), {});
  expect_heirs(state.release(shared), {&writer});
  EXPECT_FALSE(state.try_acquire(shared)) << "the writer is inside";
  expect_heirs(state.release(exclusive), {});
}

TEST_F(SharedState, R2_a_writer_lets_in_one_writer_or_all_readers_up_to_the_next_one) {
  place w1{exclusive};
  place r1{shared};
  place r2{shared};
  place w2{exclusive};
  place r3{shared};
  ASSERT_TRUE(state.try_acquire(exclusive));
  for (place* const each : {&w1, &r1, &r2, &w2, &r3}) {
    ASSERT_FALSE(state.acquire_or_enqueue(*each));
  }
  expect_heirs(state.release(exclusive), {&w1});
  expect_heirs(state.release(exclusive), {&r1, &r2});
  expect_heirs(state.release(shared), {});
  expect_heirs(state.release(shared), {&w2});
  expect_heirs(state.release(exclusive), {&r3});
  expect_heirs(state.release(shared), {});
}

TEST_F(SharedState, R2_a_writer_that_leaves_lets_in_the_readers_behind_it) {
  place writer{exclusive};
  place r1{shared};
  place r2{shared};
  place next{exclusive};
  ASSERT_TRUE(state.try_acquire(shared));
  for (place* const each : {&writer, &r1, &r2, &next}) {
    ASSERT_FALSE(state.acquire_or_enqueue(*each));
  }
  waiter_queue heirs;
  EXPECT_TRUE(state.leave(writer, heirs));
  expect_heirs(heirs, {&r1, &r2});
  expect_heirs(state.release(shared), {});
  expect_heirs(state.release(shared), {});
  expect_heirs(state.release(shared), {&next});
  expect_heirs(state.release(exclusive), {});
}

TEST_F(SharedState, R2_a_departure_from_behind_lets_none_in) {
  place w1{exclusive};
  place r1{shared};
  place r2{shared};
  place w2{exclusive};
  ASSERT_TRUE(state.try_acquire(shared));
  for (place* const each : {&w1, &r1, &r2, &w2}) {
    ASSERT_FALSE(state.acquire_or_enqueue(*each));
  }
  waiter_queue heirs;
  EXPECT_TRUE(state.leave(r1, heirs));
  expect_heirs(heirs, {});
  EXPECT_TRUE(state.leave(w2, heirs));
  expect_heirs(heirs, {});
  EXPECT_TRUE(state.leave(r2, heirs));
  expect_heirs(heirs, {});
  EXPECT_TRUE(state.leave(w1, heirs));
  expect_heirs(heirs, {});
  EXPECT_TRUE(state.try_acquire(shared)) << "no task waits any more";
  expect_heirs(state.release(shared), {});
  expect_heirs(state.release(shared), {});
}

TEST_F(SharedState, R3_readers_stand_behind_a_writer_that_waits) {
  place writer{exclusive};
  place late{shared};
  ASSERT_TRUE(state.try_acquire(shared));
  ASSERT_FALSE(state.acquire_or_enqueue(writer));
  EXPECT_FALSE(state.try_acquire(shared));
  ASSERT_FALSE(state.acquire_or_enqueue(late));
  expect_heirs(state.release(shared), {&writer});
  expect_heirs(state.release(exclusive), {&late});
  expect_heirs(state.release(shared), {});
}

TEST_F(SharedState, R3_a_waiter_that_was_let_in_cannot_leave) {
  place writer{exclusive};
  ASSERT_TRUE(state.try_acquire(exclusive));
  ASSERT_FALSE(state.acquire_or_enqueue(writer));
  expect_heirs(state.release(exclusive), {&writer});
  waiter_queue heirs;
  EXPECT_FALSE(state.leave(writer, heirs));
  expect_heirs(heirs, {});
  EXPECT_FALSE(state.try_acquire(shared));
  expect_heirs(state.release(exclusive), {});
}

/// Threads that spin until they are let in; some leave if they still can.
class crowd {
 public:
  void enter(access how, bool is_patient) {
    place self{how};
    if (!state_.acquire_or_enqueue(self)) {
      if (!is_patient) {
        platform::yield_core();
        waiter_queue heirs;
        const bool was_in_line = state_.leave(self, heirs);
        testing::let_in<shared_waiter>(heirs);
        if (was_in_line) return;
      }
      self.await_turn_elsewhere();
    }
    if (how == exclusive) {
      if (is_written_ || readers_.load(std::memory_order_relaxed) != 0) ++intruders_;
      is_written_ = true;
      platform::yield_core();  // So that there is a line, even on one core.
      is_written_ = false;
    } else {
      readers_.fetch_add(1, std::memory_order_relaxed);
      if (is_written_) ++intruders_;
      readers_.fetch_sub(1, std::memory_order_relaxed);
    }
    passages_.fetch_add(1, std::memory_order_relaxed);
    testing::let_in<shared_waiter>(state_.release(how));
  }

  platform::atomic<int> readers_{0};
  platform::atomic<int> intruders_{0};
  platform::atomic<int> passages_{0};
  bool is_written_ = false;  // Plain: ThreadSanitizer sees a missing edge.
  shared_state state_;
};

TEST(SharedStateThreads, departures_of_readers_and_writers_lose_no_waiter) {
  constexpr int threads = 4;
  constexpr int times = 1000;
  crowd all;
  testing::on_threads(threads, [&all](int t) {
    for (int i = 0; i < times; ++i) {
      all.enter((i + t) % 3 == 0 ? exclusive : shared, i % 4 != 0);
    }
  });
  EXPECT_EQ(all.intruders_.load(), 0);
  EXPECT_GE(all.passages_.load(), threads * times * 3 / 4);
  EXPECT_TRUE(all.state_.is_free());
}

}  // namespace
}  // namespace hotseat::detail
