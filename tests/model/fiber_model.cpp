// hotseat/tests/model/fiber_model.cpp — fibers under many schedules: published once they
// are parked, joined or detached at any moment, on one lock with coroutines and threads.
#include <gtest/gtest.h>

#include <hotseat/fiber/await.hpp>
#include <hotseat/fiber/detail/fiber_control.hpp>
#include <hotseat/fiber/fiber.hpp>
#include <hotseat/fiber/fiber_condition_variable.hpp>
#include <hotseat/fiber/fiber_mutex.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sched/reschedule.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/task.hpp>

#include <support/explored.hpp>

#include <chrono>
#include <coroutine>
#include <mutex>
#include <stdexcept>

namespace hotseat {
namespace {

using namespace std::chrono_literals;
using platform::thread;
using testing::endings;
using testing::explore_some;
using testing::guarded_count;
using testing::small_pool;

// As small as the explorer allows.
fiber_options small(const char* name = "fiber") {
  return {.name = name, .stack_size = std::size_t{64} << 10U};
}

template <class Handoff>
class FiberModel : public ::testing::Test {};
TYPED_TEST_SUITE(FiberModel, testing::handoffs, testing::handoff_names);

template <class Mutex>
task<> enter(Mutex& m, guarded_count& count) {
  co_await m.native().lock();
  count.increment();
  co_await m.native().unlock();
}

TYPED_TEST(FiberModel, fibers_own_it_one_at_a_time) {
  explore_some(10'000, [] {
    thread_pool pool{small_pool()};
    basic_fiber_mutex<TypeParam> m;
    guarded_count count;
    const auto enter_plainly = [&] {
      const std::lock_guard held{m};
      count.increment();
    };
    fiber a{pool, small("a"), enter_plainly};
    fiber b{pool, small("b"), enter_plainly};
    fiber c{pool, small("c"), enter_plainly};
    a.join();
    b.join();
    c.join();
    verify(count.value() == 3, "each was inside");
  });
}

TYPED_TEST(FiberModel, a_fiber_a_coroutine_and_a_thread_share_it) {
  explore_some(10'000, [] {
    thread_pool pool{small_pool()};
    basic_fiber_mutex<TypeParam> m;
    guarded_count count;
    const auto enter_plainly = [&] {
      const std::lock_guard held{m};
      count.increment();
    };
    fiber a{pool, small(), enter_plainly};
    thread plain{enter_plainly};
    sync_wait(pool, enter(m, count));
    plain.join();
    a.join();
    verify(count.value() == 3, "each was inside");
  });
}

TYPED_TEST(FiberModel, nested_sections_are_not_torn) {
  explore_some(10'000, [] {
    thread_pool pool{small_pool()};
    basic_fiber_mutex<TypeParam> outer;
    basic_fiber_mutex<TypeParam> inner;
    guarded_count count;
    guarded_count both;
    fiber a{pool, small("a"), [&] {
              const std::lock_guard first{outer};
              {
                const std::lock_guard second{inner};
                count.increment();
              }
              both.increment();
            }};
    fiber b{pool, small("b"), [&] {
              const std::lock_guard only{inner};
              count.increment();
            }};
    fiber c{pool, small("c"), [&] {
              const std::lock_guard first{outer};
              both.increment();
            }};
    a.join();
    b.join();
    c.join();
    verify(count.value() == 2 && both.value() == 2, "each was inside");
  });
}

TEST(FiberLifeModel, join_meets_the_end_at_any_moment) {
  explore_some(20'000, [] {
    thread_pool pool{small_pool()};
    guarded_count effect;
    fiber f{pool, small(), [&] { effect.increment(); }};
    f.join();
    verify(effect.value() == 1, "its effect is seen by the one that joined it");
  });
}

TEST(FiberLifeModel, an_exception_arrives_at_the_join) {
  explore_some(10'000, [] {
    thread_pool pool{small_pool()};
    bool is_caught = false;
    fiber outer{pool, small("outer"), [&] {
                  fiber inner{pool, small("inner"), [] { throw 5; }};
                  try {
                    inner.join();
                  } catch (int) {
                    is_caught = true;
                  }
                }};
    outer.join();
    verify(is_caught, "it was thrown");
  });
}

TEST(FiberLifeModel, detach_meets_the_end_at_any_moment) {
  explore_some(20'000, [] {
    guarded_count effect;
    {
      thread_pool pool{small_pool()};
      fiber f{pool, small(), [&] {
                await(reschedule());
                effect.increment();
              }};
      f.detach();
    }
    verify(effect.value() == 1, "it ran");
  });
}

TEST(FiberLifeModel, waits_that_end_early_leave_the_line) {
  endings seen;
  explore_some(10'000, [&] {
    thread_pool pool{small_pool()};
    fiber_mutex m;
    guarded_count count;
    bool got = false;
    fiber owner{pool, small("owner"), [&] {
                  const std::lock_guard held{m};
                  count.increment();
                  await(reschedule());
                }};
    fiber hasty{pool, small("hasty"), [&] {
                  got = m.try_lock_for(5us);
                  if (!got) return;
                  count.increment();
                  m.unlock();
                }};
    owner.join();
    hasty.join();
    verify(count.value() == (got ? 2 : 1), "it was inside if it was granted");
    seen.note(got);
  });
  EXPECT_TRUE(seen.granted);
  EXPECT_TRUE(seen.left);
}

TEST(FiberLifeModel, a_condition_between_fibers) {
  explore_some(10'000, [] {
    thread_pool pool{small_pool()};
    fiber_mutex m;
    fiber_condition_variable changed;
    guarded_count value;
    fiber waits{pool, small("waits"), [&] {
                  std::unique_lock held{m};
                  changed.wait(held, [&] { return value.value() == 1; });
                  value.increment();
                }};
    fiber sets{pool, small("sets"), [&] {
                 {
                   const std::lock_guard held{m};
                   value.increment();
                 }
                 changed.notify_one();
               }};
    waits.join();
    sets.join();
    verify(value.value() == 2, "both were there");
  });
}

/// The classic mistake: from its own stack, the fiber puts its driver into the line, and
/// parks only then.
template <class Operation>
void await_hastily(Operation operation) {
  if (operation.await_ready()) return operation.await_resume();
  struct remembered : detail::fiber_wait {
    std::coroutine_handle<detail::fiber_control> driver;
  } who;
  who.suspend = [](detail::fiber_wait& self,
                   std::coroutine_handle<detail::fiber_control> driver) noexcept {
    static_cast<remembered&>(self).driver = driver;
    return false;
  };
  detail::fiber_control& self = *detail::fiber_control::current();
  self.wait(who);
  if (operation.await_suspend(who.driver)) {  // Published: any thread may resume it now.
    detail::fiber_wait parks{
        [](detail::fiber_wait&, std::coroutine_handle<detail::fiber_control>) noexcept {
          return true;
        }};
    self.wait(parks);
  }
  operation.await_resume();
}

void lock_in_two_fibers(bool is_hasty) {
  thread_pool pool{small_pool()};
  mutex m;
  guarded_count count;
  const auto enter_somehow = [&] {
    if (is_hasty) {
      await_hastily(m.lock());
    } else {
      await(m.lock());
    }
    count.increment();
    await(m.unlock());
  };
  fiber a{pool, small("a"), enter_somehow};
  fiber b{pool, small("b"), enter_somehow};
  a.join();
  b.join();
  verify(count.value() == 2, "each was inside");
}

TEST(FiberPublicationModel, F1_a_fiber_that_parks_first_is_never_resumed_too_early) {
  explore_some(20'000, [] { lock_in_two_fibers(false); });
}

TEST(FiberPublicationModel, F1_a_fiber_that_publishes_itself_first_is_caught) {
  explore_options options;
  options.how = strategy::mixed;
  options.schedules = 20'000;
  const explore_result result = explore(options, [] { lock_in_two_fibers(true); });
  EXPECT_TRUE(result.has_failed());
  ::testing::Test::RecordProperty("schedules", std::to_string(result.schedules));
}

}  // namespace
}  // namespace hotseat
