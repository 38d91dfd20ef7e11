// hotseat/tests/model/once_model.cpp — one caller runs it, the others wait; if it fails,
// the next one tries.
#include <gtest/gtest.h>

#include <hotseat/platform/seam.hpp>
#include <hotseat/sched/block_on.hpp>
#include <hotseat/sync/detail/once_state.hpp>
#include <hotseat/sync/once_flag.hpp>
#include <hotseat/task/call_once.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/when_all.hpp>

#include <support/explored.hpp>

#include <chrono>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <utility>

namespace hotseat {
namespace {

using namespace std::chrono_literals;
using detail::once_state;
using detail::once_turn;
using detail::once_waiter;
using platform::thread;
using testing::announced;
using testing::endings;
using testing::explore_all;
using testing::explore_some;
using testing::guarded_count;
using testing::let_in;
using testing::loose_task;
using testing::milestone;
using testing::small_pool;

using place = testing::spinning<once_waiter>;

/// Returns whether it is the caller's turn.
bool enter(once_state& state) noexcept {
  if (state.is_done()) return false;
  if (state.try_enter()) return true;
  place self;
  const once_turn turn = state.enter_or_enqueue(self);
  if (turn != once_turn::wait) return turn == once_turn::ours;
  self.await_turn();
  return self.found == once_turn::ours;
}

TEST(OnceStateModel, one_of_three_threads_does_it_and_all_see_it) {
  explore_all(4, [] {
    once_state state;
    guarded_count done;
    const auto call = [&] {
      if (enter(state)) {
        done.increment();
        let_in<once_waiter>(state.succeed());
      }
      verify(done.value() == 1, "it has been done, once");
    };
    thread a{call};
    thread b{call};
    call();
    a.join();
    b.join();
    verify(state.is_done(), "it is done");
  });
}

TEST(OnceStateModel, after_a_failure_the_next_one_tries) {
  explore_all(4, [] {
    once_state state;
    guarded_count tries;
    const auto call = [&] {
      if (!enter(state)) return;
      tries.increment();
      let_in<once_waiter>(tries.value() == 1 ? state.fail() : state.succeed());
    };
    thread a{call};
    thread b{call};
    call();
    a.join();
    b.join();
    verify(tries.value() == 2 && state.is_done(), "the second try has done it");
  });
}

TEST(OnceStateModel, one_that_leaves_takes_no_turn_along) {
  bool has_left = false;
  explore_all(4, [&] {
    once_state state;
    guarded_count tries;
    const auto end_turn = [&] {
      tries.increment();
      let_in<once_waiter>(tries.value() == 1 ? state.fail() : state.succeed());
    };
    thread leaving{[&] {
      place self;
      once_turn turn = state.enter_or_enqueue(self);
      if (turn == once_turn::wait) {
        if (state.leave(self)) {
          has_left = true;
          return;
        }
        self.await_turn();
        turn = self.found;
      }
      if (turn == once_turn::ours) end_turn();
    }};
    const auto call = [&] {
      if (enter(state)) end_turn();
    };
    thread other{call};
    call();
    leaving.join();
    other.join();
    verify(!state.is_running(), "no turn is left that does not end");
    verify(tries.value() == 2 && state.is_done(), "the second try has done it");
  });
  EXPECT_TRUE(has_left);
}

// --- Among tasks of a pool.

task<> call(once_flag& flag, guarded_count& done) {
  auto operation = call_once(flag, [&done] { done.increment(); });
  co_await operation;
  verify(done.value() == 1, "it has been done, once");
}

TEST(OnceModel, one_caller_runs_it_and_all_see_it) {
  explore_some(45'000, [] {
    thread_pool pool{small_pool()};
    once_flag flag;
    guarded_count done;
    sync_wait(pool, when_all(call(flag, done), call(flag, done), call(flag, done)));
  });
}

task<> do_slowly(guarded_count& done) {
  co_await reschedule();
  done.increment();
}

task<> call_slowly(once_flag& flag, guarded_count& done) {
  auto operation = call_once(flag, [&done] { return do_slowly(done); });
  co_await operation;
  verify(done.value() == 1, "it has been done, once");
}

TEST(OnceModel, what_is_done_may_suspend) {
  explore_some(36'000, [] {
    thread_pool pool{small_pool()};
    once_flag flag;
    guarded_count done;
    sync_wait(pool,
              when_all(call_slowly(flag, done), call_slowly(flag, done), call(flag, done)));
  });
}

task<> call_and_throw_first(once_flag& flag, guarded_count& tries, int& caught) {
  const auto attempt = [&tries] {
    tries.increment();
    if (tries.value() == 1) throw std::runtime_error{"not yet"};
  };
  auto operation = call_once(flag, attempt);
  bool has_thrown = false;
  try {
    co_await operation;
  } catch (const std::runtime_error&) {
    has_thrown = true;
  }
  if (has_thrown) ++caught;
}

TEST(OnceModel, after_an_exception_the_next_one_tries) {
  explore_some(36'000, [] {
    thread_pool pool{small_pool()};
    once_flag flag;
    guarded_count tries;
    int caught = 0;
    sync_wait(pool, when_all(call_and_throw_first(flag, tries, caught),
                             call_and_throw_first(flag, tries, caught),
                             call_and_throw_first(flag, tries, caught)));
    verify(caught == 1, "the exception goes to the one that called");
    verify(tries.value() == 2 && flag.is_done(), "the second try has done it");
  });
}

TEST(OnceModel, plain_threads_are_like_tasks) {
  explore_some(30'000, [] {
    thread_pool pool{small_pool()};
    once_flag flag;
    guarded_count done;
    thread plain{[&] {
      call_once_blocking(flag, [&] { done.increment(); });
      verify(done.value() == 1, "it has been done, once");
    }};
    sync_wait(pool, when_all(call(flag, done), call(flag, done)));
    plain.join();
  });
}

/// Runs it, or waits for the task that runs it, but not for ever.
task<> call_in_time(once_flag& flag, std::optional<std::stop_token> stop,
                    guarded_count& done, endings& seen) {
  bool is_done = false;
  if (stop) {
    auto operation = call_once(flag, *stop, [&done] { return do_slowly(done); });
    is_done = co_await operation;
  } else {
    auto operation = call_once_for(flag, 20us, [&done] { return do_slowly(done); });
    is_done = co_await operation;
  }
  seen.note(is_done);
  if (is_done) verify(done.value() == 1, "it has been done, once");
}

TEST(OnceModel, a_task_that_is_too_late_is_out_of_the_line) {
  endings seen;
  explore_some(30'000, [&] {
    thread_pool pool{small_pool()};
    once_flag flag;
    guarded_count done;
    sync_wait(pool, when_all(call_in_time(flag, {}, done, seen), call(flag, done),
                             call_in_time(flag, {}, done, seen)));
    verify(done.value() == 1, "it has been done, once");
  });
  EXPECT_TRUE(seen.granted && seen.left);
}

TEST(OnceModel, a_task_that_is_told_to_stop_is_out_of_the_line) {
  endings seen;
  explore_some(30'000, [&] {
    thread_pool pool{small_pool()};
    once_flag flag;
    guarded_count done;
    std::stop_source source;
    thread stopping{[&] { source.request_stop(); }};
    sync_wait(pool,
              when_all(call_in_time(flag, source.get_token(), done, seen), call(flag, done),
                       call_in_time(flag, source.get_token(), done, seen)));
    stopping.join();
    verify(done.value() == 1, "it has been done, once");
  });
  EXPECT_TRUE(seen.granted && seen.left);
}

task<> enter_never(once_flag& flag, milestone& waits) {
  auto operation = flag.enter();
  static_cast<void>(co_await announced{operation, waits});
  verify(false, "it is destroyed before its turn comes");
}

TEST(OnceModel, a_task_is_destroyed_in_line_and_takes_no_turn_along) {
  explore_some(18'000, [] {
    milestone waits;
    thread_pool pool{small_pool()};
    once_flag flag;
    guarded_count done;
    verify(block_on(flag.enter()), "it is the first");
    loose_task doomed{enter_never(flag, waits)};
    doomed.start_on(pool);
    thread destroying{[&] {
      waits.await_and_see();
      doomed.destroy();
      flag.fail_dispatch();
    }};
    sync_wait(pool, when_all(call(flag, done), call(flag, done)));
    destroying.join();
  });
}

task<> call_and_destroy(std::optional<once_flag>& flag, platform::atomic<int>& left) {
  auto operation = call_once(*flag, [] {});
  co_await operation;
  if (left.fetch_sub(1, std::memory_order_acq_rel) == 1) flag.reset();
}

TEST(OnceModel, the_last_to_go_on_may_destroy_it_at_once) {
  explore_some(36'000, [] {
    thread_pool pool{small_pool()};
    std::optional<once_flag> flag{std::in_place};
    platform::atomic<int> left{2};
    sync_wait(pool, when_all(call_and_destroy(flag, left), call_and_destroy(flag, left)));
    verify(!flag, "it is gone");
  });
}

}  // namespace
}  // namespace hotseat
