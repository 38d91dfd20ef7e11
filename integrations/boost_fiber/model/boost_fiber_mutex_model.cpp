// integrations/boost_fiber/model/boost_fiber_mutex_model.cpp — the mutex of the drop-in
// under many schedules, on the modelled Boost.
#include <hotseat/boost_fiber/mutex.hpp>
#include <hotseat/platform/seam.hpp>
#include <model/crew.hpp>
#include <support/explored.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <mutex>
#include <vector>

namespace hotseat::boost_fiber::test {
namespace {

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

/// The chain ends, another thread is told to come, thieves are let in: the models' limits
/// are low enough.
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

/// A fiber that is told to come may end, and its thread with it, before its waker is done.
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

/// A thread that waits for its guests gets another one.
TEST_P(BoostFiberModel, threads_end_while_their_last_fibers_begin_to_wait) {
  explore_some(30'000 / share, [] {
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

}  // namespace
}  // namespace hotseat::boost_fiber::test
