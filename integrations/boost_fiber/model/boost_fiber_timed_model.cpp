// integrations/boost_fiber/model/boost_fiber_timed_model.cpp — waits with limits for the
// mutexes of the drop-in under many schedules, on the modelled Boost.
#include <hotseat/boost_fiber/timed_mutex.hpp>
#include <hotseat/platform/seam.hpp>
#include <model/crew.hpp>
#include <support/explored.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <mutex>

namespace hotseat::boost_fiber::test {
namespace {

using namespace std::chrono_literals;
using hotseat::testing::endings;
using hotseat::testing::explore_all;
using hotseat::testing::explore_some;
using hotseat::testing::guarded_count;

class BoostFiberTimedModel : public ::testing::TestWithParam<order> {};
INSTANTIATE_TEST_SUITE_P(Orders, BoostFiberTimedModel, ::testing::ValuesIn(all_orders),
                         name_of_instance);

TEST_P(BoostFiberTimedModel, all_schedules_of_a_wait_with_a_limit) {
  explore_all(3, [] {
    timed_mutex m;
    guarded_count count;
    bool is_granted = false;
    crew::run(GetParam(), {[&] {
                             const std::lock_guard held{m};
                             count.increment();
                           },
                           [&] {
                             run_fibers({[&] {
                               is_granted = m.try_lock_for(1ms);
                               if (!is_granted) return;
                               count.increment();
                               m.unlock();
                             }});
                           }});
    verify(count.value() == (is_granted ? 2 : 1), "it says what happened");
    verify(m.try_lock(), "it is free at the end");
  });
}

TEST_P(BoostFiberTimedModel, a_timed_wait_owns_the_lock_or_is_out_of_the_line) {
  endings all;
  explore_some(10'000 / share, [&] {
    timed_mutex m;
    guarded_count count;
    bool is_granted = false;
    crew::run(GetParam(), {[&] {
                             m.lock();
                             count.increment();
                             for (int turns = 0; turns < 10; ++turns) platform::relax();
                             m.unlock();
                           },
                           [&] {
                             run_fibers({[&] {
                               is_granted = m.try_lock_for(30us);
                               if (!is_granted) return;
                               count.increment();
                               m.unlock();
                             }});
                           }});
    all.note(is_granted);
    verify(count.value() == (is_granted ? 2 : 1), "it says what happened");
    verify(m.try_lock(), "it is free at the end");
  });
  EXPECT_TRUE(all.granted && all.left);
}

TEST_P(BoostFiberTimedModel, a_lock_offered_to_one_whose_time_is_over_is_not_lost) {
  endings all;
  explore_some(10'000 / share, [&] {
    timed_mutex m;
    guarded_count count;
    bool is_granted = false;
    crew::run(GetParam(), {[&] {
                             m.lock();
                             count.increment();
                             m.unlock();
                           },
                           [&] {
                             run_fibers({[&] {
                                           is_granted = m.try_lock_for(1ms);
                                           if (!is_granted) return;
                                           count.increment();
                                           m.unlock();
                                         },
                                         [&] {
                                           const std::lock_guard held{m};
                                           count.increment();
                                         }});
                           }});
    all.note(is_granted);
    verify(count.value() == (is_granted ? 3 : 2), "it says what happened");
  });
  EXPECT_TRUE(all.granted && all.left);
}

TEST_P(BoostFiberTimedModel, a_wait_with_a_limit_may_end_by_an_exchange) {
  explore_some(10'000 / share, [] {
    timed_mutex m;
    guarded_count count;
    const auto enter_and_stay = [&] {
      const std::lock_guard held{m};
      fibers::context::active()->yield();  // The other one comes, and waits.
      count.increment();
    };
    const auto enter = [&] {
      if (!m.try_lock_for(1ms)) return;
      count.increment();
      m.unlock();
    };
    crew::run(GetParam(),
              {[&] { run_fibers({enter_and_stay, enter}); }, [&] { run_fibers({enter}); }});
    verify(count.value() >= 1 && m.try_lock(), "it is free at the end");
  });
}

/// Told to come, too late, in the line again, told again: the limit applies each time.
TEST_P(BoostFiberTimedModel, a_wait_until_the_end_of_time_is_granted) {
  explore_some(10'000 / share, [] {
    timed_mutex m;
    guarded_count count;
    const auto enter = [&] {
      verify(m.try_lock_until(detail::time_point::max()), "that is never over");
      count.increment();
      m.unlock();
    };
    const auto enter_twice = [&] {
      enter();
      enter();
    };
    crew::run(GetParam(), {[&] { run_fibers({enter_twice, enter}); },
                           [&] { run_fibers({enter_twice, enter}); }});
    verify(count.value() == 6, "each was inside");
  });
}

/// A fiber told to come may wake on another thread than it waited on, and wait again there.
TEST_P(BoostFiberTimedModel, a_wait_with_a_limit_may_go_on_at_another_thread) {
  explore_some(10'000 / share, [] {
    timed_mutex m;
    guarded_count count;
    const auto enter = [&] {
      verify(m.try_lock_until(detail::time_point::max()), "that is never over");
      count.increment();
      m.unlock();
    };
    const auto come_and_go = [&] {
      for (int times = 0; times < 2; ++times) {
        m.lock();
        count.increment();
        for (int turns = 0; turns < 4; ++turns) platform::relax();
        m.unlock();
        fibers::context::active()->yield();
      }
    };
    crew::run(GetParam(), {[&] { run_fibers({enter, come_and_go}); },
                           [&] { run_fibers({come_and_go, enter}); }});
    verify(count.value() == 6, "each was inside");
  });
}

/// What a wait with a limit leaves behind must not keep the fiber's next sleep from ending.
TEST_P(BoostFiberTimedModel, a_fiber_can_sleep_after_a_wait_with_a_limit) {
  explore_some(10'000 / share, [] {
    timed_mutex m;
    const auto enter_and_stay = [&] {
      const std::lock_guard held{m};
      fibers::context::active()->yield();  // The other one comes, and waits.
    };
    const auto enter_and_sleep = [&] {
      if (m.try_lock_for(1ms)) m.unlock();
      fibers::detail::spinlock nobody_waits;
      fibers::detail::spinlock_lock guard{nobody_waits};
      fibers::context::active()->sleep_until(platform::now() + 5us, guard);
    };
    crew::run(GetParam(),
              {[&] { run_fibers({enter_and_stay, enter_and_sleep}); }, enter_and_stay});
  });
}

TEST_P(BoostFiberTimedModel, two_timed_waits_meet_on_two_threads) {
  explore_some(10'000 / share, [] {
    timed_mutex m;
    guarded_count count;
    platform::atomic<int> granted{0};
    const auto enter = [&] {
      if (!m.try_lock_for(1ms)) return;
      granted.fetch_add(1, std::memory_order_relaxed);
      count.increment();
      m.unlock();
    };
    crew::run(GetParam(),
              {[&] { run_fibers({enter, enter}); }, [&] { run_fibers({enter}); }});
    verify(count.value() == granted.load(std::memory_order_relaxed),
           "it says what happened");
    verify(count.value() >= 1, "one of them came first");
  });
}

}  // namespace
}  // namespace hotseat::boost_fiber::test
