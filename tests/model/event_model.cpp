// hotseat/tests/model/event_model.cpp — event, auto_reset_event, latch and wait_group: a
// waiter is let out, and sees what happened before.
#include <gtest/gtest.h>

#include <hotseat/platform/seam.hpp>
#include <hotseat/sched/block_on.hpp>
#include <hotseat/sync/auto_reset_event.hpp>
#include <hotseat/sync/detail/broadcast_state.hpp>
#include <hotseat/sync/event.hpp>
#include <hotseat/sync/latch.hpp>
#include <hotseat/sync/wait_group.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/when_all.hpp>

#include <support/explored.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

namespace hotseat {
namespace {

using namespace std::chrono_literals;
using detail::broadcast_state;
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

void pass(broadcast_state& state) noexcept {
  if (state.is_open()) return;
  place self;
  if (!state.pass_or_enqueue(self)) self.await_turn();
}

TEST(BroadcastStateModel, all_that_wait_are_let_out_and_see_what_came_before) {
  explore_all(4, [] {
    broadcast_state state{2};
    std::array<platform::var<int>, 2> parts{0, 0};
    const auto look = [&] {
      pass(state);
      verify(parts[0] + parts[1] == 2, "both parts are done");
    };
    thread waiting{look};
    thread working{[&] {
      parts[0] = 1;
      let_in<line_waiter>(state.subtract(1, "test"));
    }};
    parts[1] = 1;
    let_in<line_waiter>(state.subtract(1, "test"));
    look();
    waiting.join();
    working.join();
    verify(!state.is_waited(), "none waits");
  });
}

TEST(BroadcastStateModel, two_that_wait_are_let_out_together) {
  explore_all(4, [] {
    broadcast_state state{1};
    platform::var<int> done = 0;
    const auto look = [&] {
      pass(state);
      verify(done == 1, "it is done");
    };
    thread a{look};
    thread b{look};
    done = 1;
    let_in<line_waiter>(state.open());
    a.join();
    b.join();
    verify(state.is_open() && !state.is_waited(), "none waits");
  });
}

TEST(BroadcastStateModel, one_that_leaves_is_out_of_the_line_or_let_out) {
  bool has_left = false;
  bool was_let_out = false;
  explore_all(4, [&] {
    broadcast_state state{1};
    platform::var<int> done = 0;
    thread leaving{[&] {
      place self;
      if (!state.pass_or_enqueue(self)) {
        if (state.leave(self)) {
          has_left = true;
          return;
        }
        self.await_turn();
      }
      was_let_out = true;
      verify(done == 1, "it is done");
    }};
    thread staying{[&] {
      pass(state);
      verify(done == 1, "it is done");
    }};
    done = 1;
    let_in<line_waiter>(state.subtract(1, "test"));
    leaving.join();
    staying.join();
    verify(!state.is_waited(), "none waits");
  });
  EXPECT_TRUE(has_left && was_let_out);
}

TEST(BroadcastStateModel, the_last_to_arrive_goes_on_and_takes_the_others_along) {
  explore_all(4, [] {
    broadcast_state state{2};
    std::array<platform::var<int>, 2> parts{0, 0};
    const auto arrive = [&](std::size_t part) {
      parts[part] = 1;
      if (!state.try_subtract_and_pass(1)) {
        place self;
        waiter_queue others;
        if (!state.subtract_and_pass_or_enqueue(1, "test", self, others)) {
          self.await_turn();
        }
        let_in<line_waiter>(others);
      }
      verify(parts[0] + parts[1] == 2, "both have arrived");
    };
    thread other{[&] { arrive(0); }};
    thread third{[&] {
      pass(state);
      verify(parts[0] + parts[1] == 2, "both have arrived");
    }};
    arrive(1);
    other.join();
    third.join();
  });
}

TEST(BroadcastStateModel, a_reset_takes_nothing_from_those_that_were_let_out) {
  explore_all(4, [] {
    broadcast_state state{1};
    milestone waits;
    thread waiting{[&] {
      place self;
      const bool is_out = state.pass_or_enqueue(self);
      waits.reach();
      if (!is_out) self.await_turn();
    }};
    waits.await();
    let_in<line_waiter>(state.open());
    state.close();
    waiting.join();
    verify(!state.is_open() && !state.is_waited(), "it is closed, and none waits");
  });
}

// --- Among tasks of a pool.

/// The three gates behind one interface: closed, and opened by a task's action.
struct event_gate {
  event gate;
  auto open() { return gate.set(); }
  void open_dispatch() { gate.set_dispatch(); }
};
struct latch_gate {
  latch gate{1};
  auto open() { return gate.count_down(); }
  void open_dispatch() { gate.count_down_dispatch(); }
};
struct group_gate {
  wait_group gate{1};
  auto open() { return gate.done(); }
  void open_dispatch() { gate.done_dispatch(); }
};

template <class Gate>
class GateModel : public ::testing::Test {};

using gates = ::testing::Types<event_gate, latch_gate, group_gate>;
class gate_names {
 public:
  template <class>
  static std::string GetName(int i) {
    constexpr std::array names{"event", "latch", "wait_group"};
    return names.at(static_cast<std::size_t>(i));
  }
};
TYPED_TEST_SUITE(GateModel, gates, gate_names);

template <class Gate>
task<> wait(Gate& g, const platform::var<int>& done) {
  co_await g.gate.wait();
  verify(done == 1, "it sees what came before");
}

template <class Gate>
task<> open(Gate& g, platform::var<int>& done) {
  done = 1;
  co_await g.open();
}

TYPED_TEST(GateModel, all_that_wait_are_let_out_and_see_what_came_before) {
  explore_some(25'000, [] {
    thread_pool pool{small_pool()};
    TypeParam g;
    platform::var<int> done = 0;
    sync_wait(pool, when_all(wait(g, done), wait(g, done), open(g, done)));
  });
}

template <class Gate>
task<> wait_in_time(Gate& g, const platform::var<int>& done, endings& seen) {
  auto operation = g.gate.wait_for(40us);
  const bool is_open = co_await operation;
  seen.note(is_open);
  if (is_open) verify(done == 1, "it sees what came before");
}

TYPED_TEST(GateModel, a_task_that_is_too_late_is_out_of_the_line) {
  endings seen;
  explore_some(17'000, [&] {
    thread_pool pool{small_pool()};
    TypeParam g;
    platform::var<int> done = 0;
    sync_wait(pool, when_all(wait_in_time(g, done, seen), wait(g, done), open(g, done)));
  });
  EXPECT_TRUE(seen.granted && seen.left);
}

template <class Gate>
task<> wait_until_told(Gate& g, std::stop_token stop, const platform::var<int>& done,
                       endings& seen) {
  auto operation = g.gate.wait(std::move(stop));
  const bool is_open = co_await operation;
  seen.note(is_open);
  if (is_open) verify(done == 1, "it sees what came before");
}

TYPED_TEST(GateModel, a_task_that_is_told_to_stop_is_out_of_the_line) {
  endings seen;
  explore_some(17'000, [&] {
    thread_pool pool{small_pool()};
    TypeParam g;
    platform::var<int> done = 0;
    std::stop_source source;
    thread stopping{[&] { source.request_stop(); }};
    sync_wait(pool, when_all(wait_until_told(g, source.get_token(), done, seen),
                             wait(g, done), open(g, done)));
    stopping.join();
  });
  EXPECT_TRUE(seen.granted && seen.left);
}

template <class Gate>
task<> wait_never(Gate& g, milestone& waits) {
  auto operation = g.gate.wait();
  co_await announced{operation, waits};
  verify(false, "it is destroyed before its turn comes");
}

TYPED_TEST(GateModel, a_task_is_destroyed_in_line_while_others_come_and_go) {
  explore_some(10'000, [] {
    milestone waits;
    endings seen;
    thread_pool pool{small_pool()};
    TypeParam g;
    platform::var<int> done = 0;
    loose_task doomed{wait_never(g, waits)};
    doomed.start_on(pool);
    thread destroying{[&] {
      waits.await_and_see();
      doomed.destroy();
      done = 1;
      g.open_dispatch();
    }};
    sync_wait(pool, when_all(wait(g, done), wait_in_time(g, done, seen)));
    destroying.join();
  });
}

template <class Gate>
task<> wait_and_destroy(std::optional<Gate>& g) {
  co_await g->gate.wait();
  g.reset();
}
template <class Gate>
task<> open_last(std::optional<Gate>& g) {
  co_await g->open();
}

TYPED_TEST(GateModel, a_task_that_was_let_out_may_destroy_it_at_once) {
  explore_some(20'000, [] {
    thread_pool pool{small_pool()};
    std::optional<TypeParam> g{std::in_place};
    sync_wait(pool, when_all(wait_and_destroy(g), open_last(g)));
    verify(!g, "it is gone");
  });
}

TYPED_TEST(GateModel, plain_threads_are_like_tasks) {
  explore_some(17'000, [] {
    thread_pool pool{small_pool()};
    TypeParam g;
    platform::var<int> done = 0;
    thread waiting{[&] {
      g.gate.wait_blocking();
      verify(done == 1, "it sees what came before");
    }};
    thread opening{[&] {
      done = 1;
      g.open_dispatch();
    }};
    sync_wait(pool, wait(g, done));
    waiting.join();
    opening.join();
  });
}

// --- Specific to each of them.

task<> arrive(latch& l, std::array<platform::var<int>, 3>& parts, std::size_t number) {
  parts.at(number) = 1;
  co_await l.arrive_and_wait();
  verify(parts[0] + parts[1] + parts[2] == 3, "all have arrived");
}

TEST(LatchModel, all_that_arrive_go_on_together) {
  explore_some(30'000, [] {
    thread_pool pool{small_pool()};
    latch l{3};
    std::array<platform::var<int>, 3> parts{0, 0, 0};
    sync_wait(pool,
              when_all(arrive(l, parts, 0), arrive(l, parts, 1), arrive(l, parts, 2)));
  });
}

/// It has arrived, whether or not it sees the latch open.
task<> arrive_limited(latch& l, std::optional<std::stop_token> stop,
                      std::array<platform::var<int>, 3>& parts, std::size_t number,
                      endings& seen) {
  parts.at(number) = 1;
  bool is_open = false;
  if (stop) {
    auto operation = l.arrive_and_wait(*stop);
    is_open = co_await operation;
  } else {
    auto operation = l.arrive_and_wait_for(40us);
    is_open = co_await operation;
  }
  seen.note(is_open);
  if (is_open) verify(parts[0] + parts[1] + parts[2] == 3, "all have arrived");
}

TEST(LatchModel, a_task_that_is_too_late_has_arrived_all_the_same) {
  endings seen;
  explore_some(30'000, [&] {
    thread_pool pool{small_pool()};
    latch l{3};
    std::array<platform::var<int>, 3> parts{0, 0, 0};
    sync_wait(pool, when_all(arrive_limited(l, {}, parts, 0, seen), arrive(l, parts, 1),
                             arrive_limited(l, {}, parts, 2, seen)));
    verify(l.try_wait(), "it is open");
  });
  EXPECT_TRUE(seen.granted && seen.left);
}

TEST(LatchModel, a_task_that_is_told_to_stop_has_arrived_all_the_same) {
  endings seen;
  explore_some(30'000, [&] {
    thread_pool pool{small_pool()};
    latch l{3};
    std::array<platform::var<int>, 3> parts{0, 0, 0};
    std::stop_source source;
    thread stopping{[&] { source.request_stop(); }};
    sync_wait(pool, when_all(arrive_limited(l, source.get_token(), parts, 0, seen),
                             arrive(l, parts, 1), arrive(l, parts, 2)));
    stopping.join();
    verify(l.try_wait(), "it is open");
  });
  EXPECT_TRUE(seen.granted && seen.left);
}

task<> work(wait_group& g, platform::var<int>& part) {
  part = 1;
  co_await g.done();
}

task<> hire(wait_group& g, platform::var<int>& first, platform::var<int>& second) {
  g.add();
  co_await when_all(work(g, first), work(g, second));
}

task<> await_all(wait_group& g, const platform::var<int>& first,
                 const platform::var<int>& second) {
  co_await g.wait();
  verify(first + second == 2, "as many are done as were added");
}

TEST(WaitGroupModel, what_is_added_is_waited_for) {
  explore_some(30'000, [] {
    thread_pool pool{small_pool()};
    wait_group g{1};
    platform::var<int> first = 0;
    platform::var<int> second = 0;
    sync_wait(pool, when_all(await_all(g, first, second), hire(g, first, second)));
  });
}

task<> set_and_reset(event& e, milestone& waits) {
  co_await testing::until(waits);
  co_await e.set();
  e.reset();
}
task<> wait_announced(event& e, milestone& waits) {
  auto operation = e.wait();
  co_await announced{operation, waits};
}

TEST(EventModel, a_task_that_was_let_out_goes_on_although_it_is_reset) {
  explore_some(15'000, [] {
    milestone waits;
    thread_pool pool{small_pool()};
    event e;
    sync_wait(pool, when_all(wait_announced(e, waits), set_and_reset(e, waits)));
    verify(!e.is_set(), "it was reset");
  });
}

// --- auto_reset_event

/// Takes a signal and passes it on.
task<> take_turn(auto_reset_event& e, testing::guarded_count& count) {
  co_await e.wait();
  count.increment();
  co_await e.set();
}

TEST(AutoResetEventModel, a_signal_lets_one_in_at_a_time) {
  explore_some(45'000, [] {
    thread_pool pool{small_pool()};
    auto_reset_event e{true};
    testing::guarded_count count;
    sync_wait(pool,
              when_all(take_turn(e, count), take_turn(e, count), take_turn(e, count)));
    verify(count.value() == 3, "each had its turn");
  });
}

/// Passes the signal on, if it took one in time.
template <class Wait>
task<> take_limited(auto_reset_event& e, Wait limited, endings& seen) {
  auto operation = limited(e);
  const bool has_signal = co_await operation;
  seen.note(has_signal);
  if (has_signal) co_await e.set();
}

task<> set_once(auto_reset_event& e) { co_await e.set(); }
task<> wait_once(auto_reset_event& e) { co_await e.wait(); }

TEST(AutoResetEventModel, a_task_that_is_too_late_takes_no_signal_along) {
  endings seen;
  explore_some(36'000, [&] {
    thread_pool pool{small_pool()};
    auto_reset_event e;
    const auto in_time = [](auto_reset_event& of) { return of.wait_for(40us); };
    sync_wait(pool, when_all(take_limited(e, in_time, seen), wait_once(e), set_once(e)));
  });
  EXPECT_TRUE(seen.granted && seen.left);
}

TEST(AutoResetEventModel, a_task_that_is_told_to_stop_takes_no_signal_along) {
  endings seen;
  explore_some(36'000, [&] {
    thread_pool pool{small_pool()};
    auto_reset_event e;
    std::stop_source source;
    const auto until_told = [&](auto_reset_event& of) {
      return of.wait(source.get_token());
    };
    thread stopping{[&] { source.request_stop(); }};
    sync_wait(pool, when_all(take_limited(e, until_told, seen), wait_once(e), set_once(e)));
    stopping.join();
  });
  EXPECT_TRUE(seen.granted && seen.left);
}

task<> take_never(auto_reset_event& e, milestone& waits) {
  auto operation = e.wait();
  co_await announced{operation, waits};
  verify(false, "it is destroyed before its turn comes");
}

TEST(AutoResetEventModel, a_task_is_destroyed_in_line_and_takes_no_signal_along) {
  explore_some(18'000, [] {
    milestone waits;
    thread_pool pool{small_pool()};
    auto_reset_event e;
    loose_task doomed{take_never(e, waits)};
    doomed.start_on(pool);
    thread destroying{[&] {
      waits.await_and_see();
      doomed.destroy();
      e.set_dispatch();
    }};
    sync_wait(pool, wait_once(e));
    destroying.join();
  });
}

}  // namespace
}  // namespace hotseat
