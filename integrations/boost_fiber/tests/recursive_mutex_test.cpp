// integrations/boost_fiber/tests/recursive_mutex_test.cpp — mutexes whose owner may lock
// again, Boost's own and ours.
#include <tests/kinds.hpp>

#include <chrono>
#include <mutex>

namespace hotseat::boost_fiber::test {
namespace {

using namespace std::chrono_literals;

template <class Mutex>
class BoostFiberRecursiveMutex : public testing::Test {};
using recursive_mutexes =
    testing::Types<boosts::recursive_mutex, boosts::recursive_timed_mutex,
                   ours::recursive_mutex, ours::recursive_timed_mutex>;
TYPED_TEST_SUITE(BoostFiberRecursiveMutex, recursive_mutexes);

TYPED_TEST(BoostFiberRecursiveMutex, the_owner_unlocks_as_often_as_it_has_locked) {
  TypeParam m;
  const auto is_free = [&] {
    bool was_free = false;
    fibers::fiber{[&] {
      was_free = m.try_lock();
      if (was_free) m.unlock();
    }}.join();
    return was_free;
  };
  m.lock();
  ASSERT_TRUE(m.try_lock());
  m.lock();
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(is_free());
    m.unlock();
  }
  EXPECT_TRUE(is_free());
  const auto not_permitted = std::make_error_code(std::errc::operation_not_permitted);
  EXPECT_EQ(code_of([&] { m.unlock(); }), not_permitted);
}

TYPED_TEST(BoostFiberRecursiveMutex, nested_sections_of_many_fibers_are_not_torn) {
  TypeParam m;
  int inside = 0;
  int sections = 0;
  const auto work = [&] {
    for (int i = 0; i < 10; ++i) {
      const std::lock_guard outer{m};
      EXPECT_EQ(++inside, 1);
      {
        const std::lock_guard inner{m};
        fibers::context::active()->yield();
      }
      --inside;
      ++sections;
    }
  };
  run_here(std::vector<std::function<void()>>(10, work));
  EXPECT_EQ(sections, 100);
}

template <class Mutex>
class BoostFiberRecursiveTimedMutex : public testing::Test {};
using recursive_timed_mutexes =
    testing::Types<boosts::recursive_timed_mutex, ours::recursive_timed_mutex>;
TYPED_TEST_SUITE(BoostFiberRecursiveTimedMutex, recursive_timed_mutexes);

TYPED_TEST(BoostFiberRecursiveTimedMutex, the_owner_locks_again_whatever_the_limit) {
  TypeParam m;
  ASSERT_TRUE(m.try_lock_for(1h));
  EXPECT_TRUE(m.try_lock_until(std::chrono::steady_clock::now() + 1h));
  fibers::fiber{[&] { EXPECT_FALSE(m.try_lock_for(1ms)); }}.join();
  m.unlock();
  m.unlock();
  fibers::fiber{[&] {
    EXPECT_TRUE(m.try_lock_for(1ms));
    m.unlock();
  }}.join();
}

/// Boost unlocks once, so a fiber that has locked twice stays the owner.
TEST(BoostFiberRecursiveCondition, a_fiber_that_locked_twice_waits_as_the_owner) {
  ours::recursive_mutex m;
  ours::condition_variable_any changed;
  bool is_notified = false;
  run_here({[&] {
              std::unique_lock outer{m};
              std::unique_lock inner{m};
              changed.wait(inner, [&] { return is_notified; });
            },
            [&] {
              EXPECT_FALSE(m.try_lock());
              is_notified = true;
              changed.notify_all();
            }});
  EXPECT_TRUE(m.try_lock());
  m.unlock();
}

TEST(BoostFiberRecursiveCondition, a_wait_with_a_limit_leaves_the_mutex_locked_once) {
  ours::recursive_timed_mutex m;
  ours::condition_variable_any changed;
  std::unique_lock held{m};
  EXPECT_EQ(changed.wait_for(held, 1ms), fibers::cv_status::timeout);
  held.unlock();
  fibers::fiber{[&] {
    EXPECT_TRUE(m.try_lock());
    m.unlock();
  }}.join();
}

}  // namespace
}  // namespace hotseat::boost_fiber::test
