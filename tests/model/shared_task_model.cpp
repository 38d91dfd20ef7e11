// hotseat/tests/model/shared_task_model.cpp — a task that several tasks await: it runs
// once, all see its result, and the last user destroys it.
#include <gtest/gtest.h>

#include <hotseat/platform/seam.hpp>
#include <hotseat/sched/reschedule.hpp>
#include <hotseat/sync/event.hpp>
#include <hotseat/task/detail/frame_allocator.hpp>
#include <hotseat/task/detail/shared_life.hpp>
#include <hotseat/task/shared_task.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/task.hpp>
#include <hotseat/task/this_task.hpp>
#include <hotseat/task/when_all.hpp>

#include <support/explored.hpp>

#include <chrono>
#include <coroutine>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <utility>

namespace hotseat {
namespace {

using namespace std::chrono_literals;
using detail::shared_life;
using platform::thread;
using testing::endings;
using testing::explore_all;
using testing::explore_some;
using testing::loose_task;
using testing::milestone;
using testing::small_pool;

// --- The state word.

/// What the users share: destroying it is a write, which races with any access not ordered
/// before. It lies in a recycled frame, so that a lost one is noticed.
struct shared_object : detail::recycled_frame {
  shared_life life;
  platform::var<int> a = 0;
  platform::var<int> b = 0;
};

void drop(shared_object* object) {
  if (object->life.drop_handle([] {})) delete object;
}

TEST(SharedLifeModel, L2_the_last_handle_sees_what_all_did_and_destroys) {
  explore_all(4, [] {
    auto* const object = new shared_object;
    object->life.add_handle();
    object->life.add_handle();
    thread one{[=] {
      object->a = 1;
      drop(object);
    }};
    thread two{[=] {
      object->b = 1;
      drop(object);
    }};
    drop(object);
    one.join();
    two.join();
  });
}

TEST(SharedLifeModel, L2_either_the_end_or_the_last_handle_destroys) {
  explore_all(4, [] {
    auto* const object = new shared_object;
    object->life.add_handle();
    verify(object->life.try_start(), "it is the first");
    thread running{[=] {
      object->a = 1;
      if (object->life.end()) delete object;
    }};
    thread other{[=] {
      object->b = 1;
      drop(object);
    }};
    drop(object);
    running.join();
    other.join();
  });
}

TEST(SharedLifeModel, L1_of_two_one_starts_it) {
  explore_all(4, [] {
    auto* const object = new shared_object;
    object->life.add_handle();
    platform::var<int> starts = 0;
    const auto use = [object, &starts] {
      if (object->life.try_start()) {
        starts = starts + 1;
        if (object->life.end()) delete object;
      }
      drop(object);
    };
    thread other{use};
    use();
    other.join();
    verify(starts == 1, "it was started once");
  });
}

TEST(SharedLifeModel, L3_one_of_two_that_drop_together_knows_that_it_is_the_last) {
  explore_all(4, [] {
    auto* const object = new shared_object;
    object->life.add_handle();
    verify(object->life.try_start(), "it is the first");
    platform::atomic<int> last{0};
    const auto use = [object, &last] {
      bool is_last = false;
      verify(!object->life.drop_handle([&] { is_last = true; }), "it runs");
      if (is_last) last.fetch_add(1, std::memory_order_relaxed);
    };
    thread other{use};
    use();
    other.join();
    verify(last.load(std::memory_order_relaxed) == 1, "one of them, and one only");
    verify(object->life.end(), "no handle is left");
    delete object;
  });
}

// --- Among tasks of a pool.

/// A result that must live until all users have read it.
struct answer {
  explicit answer(int what) : value{what} {}
  answer(const answer&) = delete;
  answer& operator=(const answer&) = delete;
  platform::var<int> value;
};

task<answer> find(platform::var<int>& runs) {
  runs = runs + 1;
  co_await reschedule();
  co_return 42;
}

task<> look(shared_task<answer> shared) {
  const answer& found = co_await shared;
  verify(found.value == 42, "it sees the result");
}

TEST(SharedTaskModel, it_runs_once_and_all_see_the_result) {
  explore_some(60'000, [] {
    thread_pool pool{small_pool()};
    platform::var<int> runs = 0;
    {
      const shared_task<answer> shared{find(runs)};
      sync_wait(pool, when_all(look(shared), look(shared), look(shared)));
      verify(shared.is_done(), "it has ended");
    }
    verify(runs == 1, "it has run once");
  });
}

TEST(SharedTaskModel, the_last_handle_goes_while_others_resume) {
  explore_some(60'000, [] {
    thread_pool pool{small_pool()};
    platform::var<int> runs = 0;
    std::optional<shared_task<answer>> shared{find(runs)};
    auto first = look(*shared);
    auto second = look(*shared);
    shared.reset();
    sync_wait(pool, when_all(std::move(first), std::move(second)));
    verify(runs == 1, "it has run once");
  });
}

TEST(SharedTaskModel, awaiters_of_two_pools_go_on_at_home) {
  explore_some(20'000, [] {
    thread_pool here{small_pool(1)};
    thread_pool there{small_pool(1)};
    platform::var<int> runs = 0;
    const auto look_at_home = [](shared_task<answer> shared, executor& home) -> task<> {
      co_await resume_on(home);
      const answer& found = co_await shared;
      verify(found.value == 42, "it sees the result");
      verify(executor::current() == &home, "it is at home");
    };
    const shared_task<answer> shared{find(runs)};
    thread other{[&] { sync_wait(there, look_at_home(shared, there)); }};
    sync_wait(here, look_at_home(shared, here));
    other.join();
  });
}

task<int> fail_later() {
  co_await reschedule();
  throw std::runtime_error{"failed"};
}

task<> catch_it(shared_task<int> shared, bool& has_thrown) {
  try {
    co_await shared;
  } catch (const std::runtime_error&) {
    has_thrown = true;
  }
}

TEST(SharedTaskModel, an_exception_is_thrown_at_each) {
  explore_some(30'000, [] {
    thread_pool pool{small_pool()};
    bool first = false;
    bool second = false;
    {
      const shared_task<int> shared{fail_later()};
      sync_wait(pool, when_all(catch_it(shared, first), catch_it(shared, second)));
    }
    verify(first && second, "both have caught it");
  });
}

// --- Waits that end early.

task<> look_in_time(shared_task<answer> shared, endings& seen) {
  auto operation = shared.wait_for(40us);
  const bool has_ended = co_await operation;
  seen.note(has_ended);
  if (has_ended) verify(shared.result().value == 42, "it sees the result");
}

TEST(SharedTaskModel, a_late_awaiter_leaves_it_to_the_others) {
  endings seen;
  explore_some(30'000, [&] {
    thread_pool pool{small_pool()};
    platform::var<int> runs = 0;
    std::optional<shared_task<answer>> shared{find(runs)};
    auto first = look_in_time(*shared, seen);
    auto second = look(*shared);
    shared.reset();
    sync_wait(pool, when_all(std::move(first), std::move(second)));
    verify(runs == 1, "it has run once");
  });
  EXPECT_TRUE(seen.granted && seen.left);
}

task<> look_until_told(shared_task<answer> shared, std::stop_token stop, endings& seen) {
  auto operation = shared.wait(std::move(stop));
  const bool has_ended = co_await operation;
  seen.note(has_ended);
  if (has_ended) verify(shared.result().value == 42, "it sees the result");
}

TEST(SharedTaskModel, an_awaiter_told_to_stop_leaves_it_to_the_others) {
  endings seen;
  explore_some(30'000, [&] {
    thread_pool pool{small_pool()};
    platform::var<int> runs = 0;
    std::stop_source source;
    const shared_task<answer> shared{find(runs)};
    thread stopping{[&] { source.request_stop(); }};
    sync_wait(pool,
              when_all(look_until_told(shared, source.get_token(), seen), look(shared)));
    stopping.join();
    verify(runs == 1, "it has run once");
  });
  EXPECT_TRUE(seen.granted && seen.left);
}

/// Runs on after all its awaiters have left, and publishes when it has ended.
task<> run_alone(milestone& is_over, bool& was_told) {
  const std::stop_token token = co_await this_task::stop_token();
  while (!token.stop_requested()) co_await reschedule();
  was_told = true;
  is_over.publish();
}

task<> start_and_leave(shared_task<> shared, std::stop_token stop) {
  auto operation = shared.wait(std::move(stop));
  const bool has_ended = co_await operation;
  verify(!has_ended, "it cannot end before");
}

TEST(SharedTaskModel, when_all_have_left_it_is_told_to_stop_and_ends_by_itself) {
  explore_some(20'000, [] {
    milestone is_over;
    bool was_told = false;
    thread_pool pool{small_pool()};
    std::stop_source source;
    source.request_stop();
    std::optional<shared_task<>> shared{run_alone(is_over, was_told)};
    auto first = start_and_leave(*shared, source.get_token());
    auto second = start_and_leave(*shared, source.get_token());
    shared.reset();
    sync_wait(pool, when_all(std::move(first), std::move(second)));
    is_over.await_and_see();
    verify(was_told, "no handle was left");
  });
}

/// Like `announced`, for an operation that may continue with another coroutine.
template <class Operation>
class [[nodiscard]] told {
 public:
  told(Operation& operation, milestone& suspended) noexcept
      : operation_{operation}, suspended_{suspended} {}
  bool await_ready() { return operation_.await_ready(); }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> self) {
    milestone& suspended = suspended_;
    const std::coroutine_handle<> instead = operation_.await_suspend(self);
    if (instead != self) suspended.publish();  // `this` may be gone.
    return instead;
  }
  void await_resume() { operation_.await_resume(); }

 private:
  Operation& operation_;
  milestone& suspended_;
};

task<> wait_never(shared_task<> shared, milestone& waits) {
  auto operation = shared.wait();
  co_await told{operation, waits};
  verify(false, "it is destroyed before");
}
task<> until_set(event& go) { co_await go.wait(); }
task<> await_end(shared_task<> shared) { co_await shared; }

TEST(SharedTaskModel, a_task_is_destroyed_while_it_waits_and_the_others_wait_on) {
  explore_some(20'000, [] {
    milestone waits;
    thread_pool pool{small_pool()};
    event go;
    std::optional<shared_task<>> shared{until_set(go)};
    loose_task doomed{wait_never(*shared, waits)};
    auto other = await_end(*shared);
    shared.reset();
    doomed.start_on(pool);
    thread destroying{[&] {
      waits.await_and_see();
      doomed.destroy();
      go.set_dispatch();
    }};
    sync_wait(pool, std::move(other));
    destroying.join();
  });
}

}  // namespace
}  // namespace hotseat
