// integrations/boost_fiber/tests/timed_mutex_test.cpp — what a timed mutex of Boost.Fiber
// promises, checked for Boost's own and for ours.
#include <tests/kinds.hpp>

#include <atomic>
#include <chrono>
#include <mutex>

namespace hotseat::boost_fiber::test {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

template <class Kind>
class BoostFiberTimedMutex : public testing::Test {};
using kinds = testing::Types<boosts, ours>;
TYPED_TEST_SUITE(BoostFiberTimedMutex, kinds);

TYPED_TEST(BoostFiberTimedMutex, is_had_at_once_if_it_is_free) {
  typename TypeParam::timed_mutex m;
  ASSERT_TRUE(m.try_lock_for(1h));
  m.unlock();
  ASSERT_TRUE(m.try_lock_until(steady_clock::now() + 1h));
  m.unlock();
  ASSERT_TRUE(m.try_lock_until(std::chrono::system_clock::now() + 1h));
  m.unlock();
}

TYPED_TEST(BoostFiberTimedMutex, is_not_had_before_the_time_is_over_if_it_stays_owned) {
  typename TypeParam::timed_mutex m;
  m.lock();
  fibers::fiber{[&] {
    const auto due = steady_clock::now() + 5ms;
    EXPECT_FALSE(m.try_lock_until(due));
    EXPECT_GE(steady_clock::now(), due);
    EXPECT_FALSE(m.try_lock_for(1ms));
  }}.join();
  m.unlock();
  ASSERT_TRUE(m.try_lock());
  m.unlock();
}

TYPED_TEST(BoostFiberTimedMutex, is_had_if_it_is_unlocked_in_time) {
  typename TypeParam::timed_mutex m;
  bool was_owner = false;
  m.lock();
  fibers::fiber other{[&] {
    was_owner = m.try_lock_for(1h);
    if (was_owner) m.unlock();
  }};
  fibers::context::active()->yield();
  m.unlock();
  other.join();
  EXPECT_TRUE(was_owner);
}

TYPED_TEST(BoostFiberTimedMutex, goes_to_the_next_if_the_first_has_given_up) {
  typename TypeParam::timed_mutex m;
  m.lock();
  int owners = 0;
  std::vector<fibers::fiber> all;
  for (const auto limit :
       {std::chrono::milliseconds{1}, std::chrono::milliseconds{3'600'000},
        std::chrono::milliseconds{1}}) {
    all.emplace_back([&m, &owners, limit] {
      if (m.try_lock_for(limit)) {
        ++owners;
        m.unlock();
      }
    });
  }
  fibers::context::active()->wait_until(steady_clock::now() + 20ms);
  m.unlock();
  for (fibers::fiber& each : all) each.join();
  EXPECT_EQ(owners, 1);
}

template <class Setting>
class BoostFiberTimedMutexOnThreads : public testing::Test {};
TYPED_TEST_SUITE(BoostFiberTimedMutexOnThreads, settings);

TYPED_TEST(BoostFiberTimedMutexOnThreads, counts_right_if_some_give_up) {
  // Boost 1.74 itself loses a wake-up that meets the end of a wait: some fibers may hang.
  if (std::is_same_v<typename TypeParam::kind, boosts>) GTEST_SKIP() << "not with Boost's";
  typename TypeParam::kind::timed_mutex m;
  std::size_t sections = 0;
  std::atomic<std::size_t> owners{0};
  crew<typename TypeParam::algorithm>::instance().run(200, [&](std::size_t i) {
    for (int n = 0; n < 20; ++n) {
      const bool has_limit = (i + static_cast<std::size_t>(n)) % 3 == 0;
      if (has_limit) {
        if (!m.try_lock_for(std::chrono::microseconds{n * 10})) continue;
      } else {
        m.lock();
      }
      ++sections;
      ++owners;
      if (n % 5 == 0) fibers::context::active()->yield();
      m.unlock();
    }
  });
  EXPECT_EQ(sections, owners.load());
  EXPECT_GE(sections, 200U * 20 / 2);
}

}  // namespace
}  // namespace hotseat::boost_fiber::test
