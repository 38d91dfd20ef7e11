// integrations/boost_fiber/model/boost_fiber_tsan_stress.cpp — the drop-in on real threads
// and the modelled Boost.  The thread sanitizer knows its switches and locks; it knows
// neither of Debian's library.
#include <hotseat/boost_fiber/condition_variable.hpp>
#include <hotseat/boost_fiber/mutex.hpp>
#include <hotseat/boost_fiber/timed_mutex.hpp>
#include <hotseat/platform/seam.hpp>
#include <model/crew.hpp>
#include <support/scaled.hpp>

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

namespace hotseat::boost_fiber::test {
namespace {

using namespace std::chrono_literals;
using hotseat::testing::scaled;

class BoostFiberUnderTsan : public ::testing::TestWithParam<order> {};
INSTANTIATE_TEST_SUITE_P(Orders, BoostFiberUnderTsan, ::testing::ValuesIn(all_orders),
                         name_of_instance);

/// Boost's scheduler of a thread lives as long as the thread, so each run has new threads.
void run_crew(const std::vector<std::pair<order, crew::body>>& bodies) {
  platform::thread{[&] { crew::run(bodies); }}.join();
}

/// Runs `work(i)` as fibers of four threads, `per_thread` on each.
void run_on_four(order which, std::size_t per_thread,
                 const std::function<void(std::size_t)>& work) {
  std::vector<std::pair<order, crew::body>> threads;
  for (std::size_t thread = 0; thread < 4; ++thread) {
    threads.emplace_back(which, [=, &work] {
      std::vector<crew::body> all;
      for (std::size_t i = 0; i < per_thread; ++i) {
        all.emplace_back([=, &work] { work(thread * per_thread + i); });
      }
      run_fibers(all);
    });
  }
  run_crew(threads);
}

TEST_P(BoostFiberUnderTsan, fibers_count_under_two_locks) {
  const std::size_t rounds = scaled(2000);
  struct counted {
    mutex m;
    std::size_t sections = 0;
  };
  std::array<counted, 2> all;
  run_on_four(GetParam(), 10, [&](std::size_t i) {
    for (std::size_t n = 0; n < rounds; ++n) {
      counted& one = all[(i + n) % all.size()];
      const std::lock_guard held{one.m};
      ++one.sections;
      if ((i + n) % 17 == 0) fibers::context::active()->yield();
    }
  });
  EXPECT_EQ(all[0].sections + all[1].sections, 40 * rounds);
}

TEST_P(BoostFiberUnderTsan, limits_conditions_and_nested_locks_together) {
  const std::size_t rounds = scaled(500);
  timed_mutex m;
  mutex inner;
  condition_variable_any changed;
  std::size_t sections = 0;
  std::size_t inner_sections = 0;
  std::atomic<std::size_t> expected{0};
  run_on_four(GetParam(), 10, [&](std::size_t i) {
    for (std::size_t n = 0; n < rounds; ++n) {
      std::unique_lock held{m, std::defer_lock};
      if ((i + n) % 4 == 0) {
        if (!held.try_lock_for(std::chrono::microseconds{i * 10})) continue;
      } else {
        held.lock();
      }
      ++expected;
      ++sections;
      if ((i + n) % 5 == 0) {
        changed.wait_for(held, std::chrono::microseconds{i * 5});
      } else if ((i + n) % 7 == 0) {
        changed.notify_all();
      } else {
        changed.notify_one();
      }
      const std::lock_guard nested{inner};
      ++inner_sections;
    }
  });
  EXPECT_EQ(sections, expected.load());
  EXPECT_EQ(inner_sections, expected.load());
}

TEST_P(BoostFiberUnderTsan, threads_end_right_after_fibers_that_shared_a_lock) {
  const std::size_t lives = scaled(500);
  for (std::size_t i = 0; i < lives; ++i) {
    mutex m;
    std::atomic<int> arrived{0};
    std::size_t sections = 0;
    const auto enter = [&] {
      ++arrived;
      const std::lock_guard held{m};
      ++sections;
    };
    const auto one_fiber = [&] { run_fibers({enter}); };
    run_crew({{order::round_robin,
               [&] {
                 m.lock();
                 while (arrived != 2) platform::yield_core();
                 m.unlock();
               }},
              {GetParam(), one_fiber},
              {GetParam(), one_fiber}});
    ASSERT_EQ(sections, 2U);
  }
}

}  // namespace
}  // namespace hotseat::boost_fiber::test
