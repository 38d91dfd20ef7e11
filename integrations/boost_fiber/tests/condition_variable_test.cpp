// integrations/boost_fiber/tests/condition_variable_test.cpp — what the condition variables
// of Boost.Fiber promise, checked for Boost's own and for ours.
#include <tests/kinds.hpp>

#include <chrono>
#include <deque>
#include <mutex>

namespace hotseat::boost_fiber::test {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

template <class Pair>
class BoostFiberCondition : public testing::Test {};
using pairs =
    testing::Types<pair_of<boosts::mutex, boosts::condition_variable>,
                   pair_of<boosts::mutex, boosts::condition_variable_any>,
                   pair_of<boosts::timed_mutex, boosts::condition_variable_any>,
                   pair_of<ours::mutex, ours::condition_variable>,
                   pair_of<ours::mutex, ours::condition_variable_any>,
                   pair_of<ours::timed_mutex, ours::condition_variable_any>,
                   pair_of<boosts::recursive_mutex, boosts::condition_variable_any>,
                   pair_of<ours::recursive_mutex, ours::condition_variable_any>,
                   pair_of<ours::recursive_timed_mutex, ours::condition_variable_any>,
                   // A lock that is not ours.
                   pair_of<boosts::mutex, ours::condition_variable_any>,
                   pair_of<ours::mutex, boosts::condition_variable_any>>;
TYPED_TEST_SUITE(BoostFiberCondition, pairs);

/// A condition, and the number of fibers that wait for it.
template <class Pair>
struct gate {
  typename Pair::mutex m;
  typename Pair::condition changed;
  int waiting = 0;
  int passed = 0;

  void pass() {
    std::unique_lock held{m};
    ++waiting;
    changed.wait(held);
    EXPECT_TRUE(held.owns_lock());
    --waiting;
    ++passed;
  }

  /// Returns when `count` fibers wait.
  void await_waiting(int count) {
    for (;;) {
      {
        const std::lock_guard held{m};
        if (waiting == count) return;
      }
      fibers::context::active()->yield();
    }
  }
};

TYPED_TEST(BoostFiberCondition, notify_one_wakes_one) {
  gate<TypeParam> g;
  std::vector<fibers::fiber> all;
  for (int i = 0; i < 3; ++i) all.emplace_back([&] { g.pass(); });
  g.await_waiting(3);
  for (int woken = 1; woken <= 3; ++woken) {
    g.changed.notify_one();
    g.await_waiting(3 - woken);
    EXPECT_EQ(g.passed, woken);
  }
  for (fibers::fiber& each : all) each.join();
}

TYPED_TEST(BoostFiberCondition, notify_all_wakes_all) {
  gate<TypeParam> g;
  std::vector<fibers::fiber> all;
  for (int i = 0; i < 10; ++i) all.emplace_back([&] { g.pass(); });
  g.await_waiting(10);
  {
    const std::lock_guard held{g.m};
    g.changed.notify_all();
  }
  for (fibers::fiber& each : all) each.join();
  EXPECT_EQ(g.passed, 10);
}

TYPED_TEST(BoostFiberCondition, is_forgotten_if_nobody_waits) {
  gate<TypeParam> g;
  g.changed.notify_one();
  g.changed.notify_all();
  std::unique_lock held{g.m};
  EXPECT_EQ(g.changed.wait_for(held, 1ms), fibers::cv_status::timeout);
  EXPECT_TRUE(held.owns_lock());
}

TYPED_TEST(BoostFiberCondition, a_wait_ends_when_its_time_is_over) {
  gate<TypeParam> g;
  std::unique_lock held{g.m};
  const auto due = steady_clock::now() + 5ms;
  EXPECT_EQ(g.changed.wait_until(held, due), fibers::cv_status::timeout);
  EXPECT_GE(steady_clock::now(), due);
  EXPECT_FALSE(g.changed.wait_for(held, 1ms, [] { return false; }));
  EXPECT_TRUE(g.changed.wait_for(held, 1ms, [] { return true; }));
  EXPECT_FALSE(g.changed.wait_until(held, steady_clock::now() + 1ms, [] { return false; }));
}

TYPED_TEST(BoostFiberCondition, a_limited_wait_ends_with_a_notification) {
  gate<TypeParam> g;
  bool is_set = false;
  fibers::fiber waits{[&] {
    std::unique_lock held{g.m};
    ++g.waiting;
    EXPECT_TRUE(g.changed.wait_for(held, 1h, [&] { return is_set; }));
  }};
  g.await_waiting(1);
  {
    const std::lock_guard held{g.m};
    is_set = true;
    g.changed.notify_one();
  }
  waits.join();
}

TYPED_TEST(BoostFiberCondition, a_wait_goes_on_until_the_predicate_is_true) {
  gate<TypeParam> g;
  int value = 0;
  fibers::fiber waits{[&] {
    std::unique_lock held{g.m};
    g.changed.wait(held, [&] { return value == 3; });
    EXPECT_EQ(value, 3);
  }};
  for (int i = 1; i <= 3; ++i) {
    {
      const std::lock_guard held{g.m};
      value = i;
    }
    g.changed.notify_one();
    fibers::context::active()->yield();
  }
  waits.join();
}

template <class Setting>
class BoostFiberConditionOnThreads : public testing::Test {};
TYPED_TEST_SUITE(BoostFiberConditionOnThreads, settings);

template <class Algorithm, class Mutex, class Condition>
void pass_values_through_a_buffer() {
  constexpr std::size_t fibers_of_a_kind = 40;
  constexpr std::size_t values = 50;
  Mutex m;
  Condition has_value;
  Condition has_room;
  std::deque<std::size_t> buffer;
  std::size_t sum = 0;
  crew<Algorithm>::instance().run(2 * fibers_of_a_kind, [&](std::size_t i) {
    for (std::size_t n = 0; n < values; ++n) {
      std::unique_lock held{m};
      if (i < fibers_of_a_kind) {
        has_room.wait(held, [&] { return buffer.size() < 3; });
        buffer.push_back(n);
        if (n % 2 == 0) {
          has_value.notify_one();
        } else {
          held.unlock();
          has_value.notify_one();
        }
      } else {
        has_value.wait(held, [&] { return !buffer.empty(); });
        sum += buffer.front();
        buffer.pop_front();
        has_room.notify_one();
      }
    }
  });
  EXPECT_EQ(sum, fibers_of_a_kind * values * (values - 1) / 2);
  EXPECT_TRUE(buffer.empty());
}

TYPED_TEST(BoostFiberConditionOnThreads, passes_values_through_a_buffer) {
  using kind = typename TypeParam::kind;
  pass_values_through_a_buffer<typename TypeParam::algorithm, typename kind::mutex,
                               typename kind::condition_variable>();
}

TYPED_TEST(BoostFiberConditionOnThreads, passes_values_with_any_lock) {
  using kind = typename TypeParam::kind;
  pass_values_through_a_buffer<typename TypeParam::algorithm, typename kind::timed_mutex,
                               typename kind::condition_variable_any>();
  pass_values_through_a_buffer<typename TypeParam::algorithm, boosts::mutex,
                               typename kind::condition_variable_any>();
}

TYPED_TEST(BoostFiberConditionOnThreads, wakes_all_again_and_again) {
  using kind = typename TypeParam::kind;
  constexpr std::size_t count = 40;
  typename kind::mutex m;
  typename kind::condition_variable changed;
  std::size_t arrived = 0;
  std::size_t round = 0;
  crew<typename TypeParam::algorithm>::instance().run(count, [&](std::size_t) {
    for (int n = 0; n < 25; ++n) {
      std::unique_lock held{m};
      if (++arrived == count) {
        arrived = 0;
        ++round;
        changed.notify_all();
      } else {
        changed.wait(held, [&, mine = round] { return round != mine; });
      }
    }
  });
  EXPECT_EQ(round, 25U);
}

}  // namespace
}  // namespace hotseat::boost_fiber::test
