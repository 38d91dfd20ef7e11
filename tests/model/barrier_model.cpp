// hotseat/tests/model/barrier_model.cpp — tasks go on together, phase by phase, and the
// completion runs in between.
#include <gtest/gtest.h>

#include <hotseat/platform/seam.hpp>
#include <hotseat/sched/block_on.hpp>
#include <hotseat/sync/barrier.hpp>
#include <hotseat/sync/detail/phase_state.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/when_all.hpp>

#include <support/explored.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <stop_token>
#include <utility>

namespace hotseat {
namespace {

using namespace std::chrono_literals;
using detail::phase_state;
using platform::thread;
using testing::announced;
using testing::endings;
using testing::explore_all;
using testing::explore_some;
using testing::let_in;
using testing::loose_task;
using testing::milestone;
using testing::small_pool;

using place = testing::spinning<line_waiter>;

/// Arrives and waits; the last to arrive changes the round before any thread goes on.
void arrive(phase_state& state, platform::var<int>& round) {
  place self;
  if (!state.arrive_or_enqueue(self)) return self.await_turn();
  round = round + 1;
  let_in<line_waiter>(state.end_phase());
}

TEST(PhaseStateModel, three_threads_go_on_together) {
  explore_all(2, [] {
    phase_state state{3};
    platform::var<int> round = 0;
    std::array<platform::var<int>, 3> parts{0, 0, 0};
    const auto work = [&](std::size_t part) {
      parts.at(part) = 1;
      arrive(state, round);
      verify(round == 1 && parts[0] + parts[1] + parts[2] == 3, "all have arrived");
    };
    thread a{[&] { work(0); }};
    thread b{[&] { work(1); }};
    work(2);
    a.join();
    b.join();
  });
}

TEST(PhaseStateModel, two_threads_go_through_two_phases) {
  explore_all(4, [] {
    phase_state state{2};
    platform::var<int> round = 0;
    const auto rounds = [&] {
      arrive(state, round);
      arrive(state, round);
    };
    thread other{rounds};
    rounds();
    other.join();
    verify(round == 2, "each phase was completed once");
  });
}

TEST(PhaseStateModel, one_that_leaves_has_arrived_all_the_same) {
  bool has_left = false;
  bool was_let_out = false;
  explore_all(3, [&] {
    phase_state state{3};
    platform::var<int> round = 0;
    thread leaving{[&] {
      place self;
      if (state.arrive_or_enqueue(self)) {
        round = round + 1;
        let_in<line_waiter>(state.end_phase());
      } else if (state.leave(self)) {
        has_left = true;
      } else {
        self.await_turn();
        was_let_out = true;
      }
    }};
    thread other{[&] { arrive(state, round); }};
    arrive(state, round);
    leaving.join();
    other.join();
    verify(round == 1 && !state.is_waited(), "the phase is over, and none waits");
  });
  EXPECT_TRUE(has_left && was_let_out);
}

TEST(PhaseStateModel, one_that_drops_out_is_not_expected_again) {
  explore_all(2, [] {
    phase_state state{3};
    platform::var<int> round = 0;
    thread dropping{[&] {
      if (!state.arrive_and_drop()) return;
      round = round + 1;
      let_in<line_waiter>(state.end_phase());
    }};
    const auto rounds = [&] {
      arrive(state, round);
      arrive(state, round);
    };
    thread other{rounds};
    rounds();
    dropping.join();
    other.join();
    verify(round == 2, "each phase was completed once");
  });
}

// --- Among tasks of a pool.

/// The completion counts rounds.
struct count_rounds {
  explicit count_rounds(platform::var<int>& of) noexcept : rounds{&of} {}
  void operator()() const noexcept { *rounds = *rounds + 1; }
  platform::var<int>* rounds;
};

using counting_barrier = barrier<count_rounds>;

task<> take_part(counting_barrier& b, const platform::var<int>& rounds, int phases) {
  for (int i = 1; i <= phases; ++i) {
    co_await b.arrive_and_wait();
    // The next completion does not run before this task has arrived again.
    verify(rounds == i, "each phase is completed once, before any goes on");
  }
}

TEST(BarrierModel, three_tasks_go_through_two_phases) {
  explore_some(45'000, [] {
    thread_pool pool{small_pool()};
    platform::var<int> rounds = 0;
    counting_barrier b{3, count_rounds{rounds}};
    sync_wait(pool, when_all(take_part(b, rounds, 2), take_part(b, rounds, 2),
                             take_part(b, rounds, 2)));
    verify(rounds == 2, "each phase was completed once");
  });
}

task<> drop_out(counting_barrier& b) { co_await b.arrive_and_drop(); }

TEST(BarrierModel, one_that_drops_out_is_not_expected_again) {
  explore_some(36'000, [] {
    thread_pool pool{small_pool()};
    platform::var<int> rounds = 0;
    counting_barrier b{3, count_rounds{rounds}};
    sync_wait(pool,
              when_all(take_part(b, rounds, 2), drop_out(b), take_part(b, rounds, 2)));
    verify(rounds == 2, "each phase was completed once");
  });
}

task<> arrive_limited(counting_barrier& b, std::optional<std::stop_token> stop,
                      const platform::var<int>& rounds, endings& seen) {
  bool is_over = false;
  if (stop) {
    auto operation = b.arrive_and_wait(*stop);
    is_over = co_await operation;
  } else {
    auto operation = b.arrive_and_wait_for(40us);
    is_over = co_await operation;
  }
  seen.note(is_over);
  if (is_over) verify(rounds == 1, "the phase is over");
}

TEST(BarrierModel, a_task_that_is_too_late_has_arrived_all_the_same) {
  endings seen;
  explore_some(30'000, [&] {
    thread_pool pool{small_pool()};
    platform::var<int> rounds = 0;
    counting_barrier b{3, count_rounds{rounds}};
    sync_wait(pool, when_all(arrive_limited(b, {}, rounds, seen), take_part(b, rounds, 1),
                             take_part(b, rounds, 1)));
    verify(rounds == 1, "the phase is over");
  });
  EXPECT_TRUE(seen.granted && seen.left);
}

TEST(BarrierModel, a_task_that_is_told_to_stop_has_arrived_all_the_same) {
  endings seen;
  explore_some(30'000, [&] {
    thread_pool pool{small_pool()};
    platform::var<int> rounds = 0;
    counting_barrier b{3, count_rounds{rounds}};
    std::stop_source source;
    thread stopping{[&] { source.request_stop(); }};
    sync_wait(pool, when_all(arrive_limited(b, source.get_token(), rounds, seen),
                             take_part(b, rounds, 1), take_part(b, rounds, 1)));
    stopping.join();
    verify(rounds == 1, "the phase is over");
  });
  EXPECT_TRUE(seen.granted && seen.left);
}

task<> wait_never(counting_barrier& b, milestone& waits) {
  auto operation = b.arrive_and_wait();
  co_await announced{operation, waits};
  verify(false, "it is destroyed before its turn comes");
}

TEST(BarrierModel, a_task_is_destroyed_in_line_and_has_arrived_all_the_same) {
  explore_some(18'000, [] {
    milestone waits;
    thread_pool pool{small_pool()};
    platform::var<int> rounds = 0;
    counting_barrier b{3, count_rounds{rounds}};
    loose_task doomed{wait_never(b, waits)};
    doomed.start_on(pool);
    thread destroying{[&] {
      waits.await_and_see();
      doomed.destroy();
      b.arrive_and_wait_blocking();
    }};
    sync_wait(pool, take_part(b, rounds, 1));
    destroying.join();
    verify(rounds == 1, "the phase is over");
  });
}

task<> wait_and_destroy(std::optional<barrier<>>& b, platform::atomic<int>& left) {
  co_await b->arrive_and_wait();
  if (left.fetch_sub(1, std::memory_order_acq_rel) == 1) b.reset();
}

TEST(BarrierModel, the_last_to_go_on_may_destroy_it_at_once) {
  explore_some(36'000, [] {
    thread_pool pool{small_pool()};
    std::optional<barrier<>> b{std::in_place, 2U};
    platform::atomic<int> left{2};
    sync_wait(pool, when_all(wait_and_destroy(b, left), wait_and_destroy(b, left)));
    verify(!b, "it is gone");
  });
}

}  // namespace
}  // namespace hotseat
