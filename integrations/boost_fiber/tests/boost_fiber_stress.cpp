// integrations/boost_fiber/tests/boost_fiber_stress.cpp — thousands of fibers, all of our
// primitives at once; sized by HOTSEAT_STRESS_SCALE.
#include <tests/kinds.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

namespace hotseat::boost_fiber::test {
namespace {

template <class Algorithm>
class BoostFiberStress : public testing::Test {};
using algorithms = testing::Types<fibers::algo::round_robin, fibers::algo::shared_work,
                                  fibers::algo::work_stealing>;
TYPED_TEST_SUITE(BoostFiberStress, algorithms);

TYPED_TEST(BoostFiberStress, thousands_count_under_a_few_locks) {
  constexpr std::size_t fibers_at_once = 4000;
  const std::size_t rounds = scaled(50);
  struct counted {
    ours::mutex m;
    std::size_t sections = 0;
  };
  std::array<counted, 3> all;
  crew<TypeParam>::instance().run(fibers_at_once, [&](std::size_t i) {
    for (std::size_t n = 0; n < rounds; ++n) {
      counted& one = all[(i + n) % all.size()];
      const std::lock_guard held{one.m};
      ++one.sections;
      if ((i + n) % 97 == 0) fibers::context::active()->yield();
    }
  });
  std::size_t sections = 0;
  for (const counted& each : all) sections += each.sections;
  EXPECT_EQ(sections, fibers_at_once * rounds);
}

TYPED_TEST(BoostFiberStress, limits_conditions_and_nested_locks_together) {
  constexpr std::size_t fibers_at_once = 2000;
  const std::size_t rounds = scaled(20);
  ours::timed_mutex m;
  ours::mutex inner;
  ours::condition_variable_any changed;
  std::size_t sections = 0;
  std::size_t inner_sections = 0;
  std::atomic<std::size_t> expected{0};
  crew<TypeParam>::instance().run(fibers_at_once, [&](std::size_t i) {
    for (std::size_t n = 0; n < rounds; ++n) {
      std::unique_lock held{m, std::defer_lock};
      if ((i + n) % 4 == 0) {
        if (!held.try_lock_for(std::chrono::microseconds{i % 500})) continue;
      } else {
        held.lock();
      }
      ++expected;
      ++sections;
      if ((i + n) % 5 == 0) {
        changed.wait_for(held, std::chrono::microseconds{i % 300});
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

/// A fiber that was told to come may end at once, and its thread with it, while its waker
/// has yet to wake the thread.
TEST(BoostFiberLifeStress, threads_end_right_after_fibers_that_shared_a_lock) {
  constexpr std::size_t threads = 2;
  const std::size_t lives = scaled(1000);
  for (std::size_t i = 0; i < lives; ++i) {
    ours::mutex m;
    std::atomic<std::size_t> arrived{0};
    std::size_t sections = 0;
    m.lock();
    {
      std::vector<std::jthread> started;
      for (std::size_t n = 0; n < threads; ++n) {
        started.emplace_back([&] {
          fibers::use_scheduling_algorithm<fibers::algo::shared_work>();
          fibers::fiber{[&] {
            ++arrived;
            const std::lock_guard held{m};
            ++sections;
          }}.join();
        });
      }
      while (arrived != threads) std::this_thread::yield();
      m.unlock();
    }
    ASSERT_EQ(sections, threads);
  }
}

}  // namespace
}  // namespace hotseat::boost_fiber::test
