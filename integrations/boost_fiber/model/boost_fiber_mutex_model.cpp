// integrations/boost_fiber/model/boost_fiber_mutex_model.cpp — the locks of the drop-in
// under many schedules, on the modelled Boost.
#include <hotseat/boost_fiber/mutex.hpp>
#include <hotseat/boost_fiber/timed_mutex.hpp>
#include <hotseat/platform/atomic.hpp>
#include <model/crew.hpp>
#include <support/explored.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <mutex>
#include <vector>

namespace hotseat::boost_fiber::test {
namespace {

using namespace std::chrono_literals;
using hotseat::testing::endings;
using hotseat::testing::explore_all;
using hotseat::testing::explore_some;
using hotseat::testing::guarded_count;

class BoostFiberModel : public ::testing::TestWithParam<order> {};
INSTANTIATE_TEST_SUITE_P(Orders, BoostFiberModel, ::testing::ValuesIn(all_orders),
                         name_of_instance);

TEST_P(BoostFiberModel, sections_run_one_at_a_time) {
  explore_some(10'000 / share, [] {
    mutex m;
    guarded_count count;
    const auto enter = [&] {
      const std::lock_guard held{m};
      count.increment();
    };
    crew::run(GetParam(),
              {[&] { run_fibers({enter, enter}); }, [&] { run_fibers({enter}); }});
    verify(count.value() == 3, "each was inside");
  });
}

TEST_P(BoostFiberModel, all_schedules_of_fibers_and_a_main_fiber) {
  explore_all(3, [] {
    mutex m;
    guarded_count count;
    const auto enter = [&] {
      const std::lock_guard held{m};
      count.increment();
    };
    crew::run(GetParam(), {enter, [&] { run_fibers({enter, enter}); }});
    verify(count.value() == 3, "each was inside");
  });
}

TEST_P(BoostFiberModel, all_schedules_of_a_wait_with_a_limit) {
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
    verify(m.try_lock(), "nobody owns it");
  });
}

TEST_P(BoostFiberModel, main_fibers_take_part) {
  explore_some(10'000 / share, [] {
    mutex m;
    guarded_count count;
    const auto enter = [&] {
      const std::lock_guard held{m};
      count.increment();
    };
    crew::run(GetParam(), {enter, [&] {
                             fibers::fiber other{enter};
                             enter();
                             other.join();
                           }});
    verify(count.value() == 3, "each was inside");
  });
}

/// The chain ends, another thread is told to come, thieves are let in: the limits of models
/// are low.
TEST_P(BoostFiberModel, a_long_chain_lets_the_other_thread_in) {
  explore_some(10'000 / share, [] {
    mutex m;
    guarded_count count;
    const auto enter = [&] {
      const std::lock_guard held{m};
      count.increment();
    };
    crew::run(GetParam(), {[&] {
                             m.lock();
                             std::vector<fibers::fiber> started;
                             for (int i = 0; i < 5; ++i) started.emplace_back(enter);
                             fibers::context::active()->yield();  // They come, and wait.
                             m.unlock();
                             for (fibers::fiber& each : started) each.join();
                           },
                           [&] { run_fibers({enter, enter}); }});
    verify(count.value() == 7, "each was inside");
  });
}

TEST_P(BoostFiberModel, the_owner_of_another_lock_goes_on) {
  explore_some(10'000 / share, [] {
    mutex outer;
    mutex inner;
    guarded_count both;
    guarded_count count;
    const auto enter_both = [&] {
      const std::lock_guard first{outer};
      {
        const std::lock_guard second{inner};
        count.increment();
      }
      both.increment();
    };
    const auto enter = [&] {
      const std::lock_guard held{inner};
      count.increment();
    };
    crew::run(GetParam(), {[&] { run_fibers({enter_both, enter}); },
                           [&] { run_fibers({enter_both}); }});
    verify(count.value() == 3 && both.value() == 2, "each was inside");
  });
}

TEST_P(BoostFiberModel, a_mutex_may_die_once_its_last_owner_has_unlocked) {
  explore_some(10'000 / share, [] {
    auto m = std::make_unique<mutex>();
    int inside = 0;
    const auto enter = [&] {
      m->lock();
      const bool is_last = ++inside == 3;
      m->unlock();
      if (is_last) m.reset();
    };
    crew::run(GetParam(),
              {[&] { run_fibers({enter, enter}); }, [&] { run_fibers({enter}); }});
    verify(m == nullptr, "it has been destroyed");
  });
}

/// The fiber that is told to come may end, and its thread with it, before its waker is
/// done.
TEST_P(BoostFiberModel, threads_end_right_after_fibers_that_shared_a_lock) {
  explore_some(10'000 / share, [] {
    mutex m;
    guarded_count count;
    platform::atomic<int> arrived{0};
    const auto enter = [&] {
      arrived.fetch_add(1, std::memory_order_relaxed);
      const std::lock_guard held{m};
      count.increment();
    };
    const auto one_fiber = [&] { run_fibers({enter}); };
    crew::run({{order::round_robin,
                [&] {
                  m.lock();
                  while (arrived.load(std::memory_order_relaxed) != 2) platform::relax();
                  m.unlock();
                }},
               {GetParam(), one_fiber},
               {GetParam(), one_fiber}});
    verify(count.value() == 2, "each was inside");
  });
}

/// A thread that waits for its guests has another one.
TEST_P(BoostFiberModel, threads_end_while_their_last_fibers_begin_to_wait) {
  explore_some(10'000 / share, [] {
    mutex m;
    guarded_count count;
    platform::atomic<int> arrived{0};
    const auto enter = [&] {
      arrived.fetch_add(1, std::memory_order_relaxed);
      const std::lock_guard held{m};
      count.increment();
    };
    crew::run({{order::round_robin,
                [&] {
                  for (int i = 1; i <= 3; ++i) {
                    m.lock();
                    while (arrived.load(std::memory_order_relaxed) < i) platform::relax();
                    m.unlock();
                  }
                }},
               {GetParam(), [&] { run_fibers({enter}); }},
               {GetParam(), [&] { run_fibers({enter, enter}); }}});
    verify(count.value() == 3, "each was inside");
  });
}

TEST_P(BoostFiberModel, threads_of_different_kinds_share_a_lock) {
  for (const order other : all_orders) {
    explore_some(5'000 / share, [other] {
      mutex m;
      guarded_count count;
      const auto enter = [&] {
        const std::lock_guard held{m};
        count.increment();
      };
      crew::run({{GetParam(), [&] { run_fibers({enter, enter}); }},
                 {other, [&] { run_fibers({enter, enter}); }}});
      verify(count.value() == 4, "each was inside");
    });
  }
}

TEST_P(BoostFiberModel, a_timed_wait_owns_the_lock_or_is_out_of_the_line) {
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
                             }});
                           }});
    all.note(is_granted);
    verify(count.value() == (is_granted ? 2 : 1), "it says what happened");
    verify(m.try_lock(), "nobody owns it");
  });
  EXPECT_TRUE(all.granted && all.left);
}

TEST_P(BoostFiberModel, a_lock_offered_to_one_whose_time_is_over_is_not_lost) {
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

TEST_P(BoostFiberModel, a_wait_with_a_limit_may_end_by_an_exchange) {
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
    verify(count.value() >= 1 && m.try_lock(), "nobody owns it");
  });
}

/// Told to come, too late, in the line again, told again: the limit is in force each time.
TEST_P(BoostFiberModel, a_wait_until_the_end_of_time_is_granted) {
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

/// What a wait with a limit leaves behind must not keep the fiber's next sleep from ending.
TEST_P(BoostFiberModel, a_fiber_can_sleep_after_a_wait_with_a_limit) {
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

TEST_P(BoostFiberModel, two_timed_waits_meet_on_two_threads) {
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
