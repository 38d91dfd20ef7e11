// integrations/boost_fiber/tests/mutex_test.cpp — what a mutex of Boost.Fiber promises,
// checked for Boost's own and for ours, on one thread.
#include <tests/kinds.hpp>

#include <mutex>
#include <string>

namespace hotseat::boost_fiber::test {
namespace {

template <class Mutex>
class BoostFiberMutex : public testing::Test {};
using mutexes =
    testing::Types<boosts::mutex, boosts::timed_mutex, boosts::recursive_mutex,
                   boosts::recursive_timed_mutex, ours::mutex, ours::timed_mutex,
                   ours::recursive_mutex, ours::recursive_timed_mutex>;
TYPED_TEST_SUITE(BoostFiberMutex, mutexes);

/// Mutexes that their owner must not lock again.
template <class Mutex>
class BoostFiberSingleMutex : public testing::Test {};
using single_mutexes =
    testing::Types<boosts::mutex, boosts::timed_mutex, ours::mutex, ours::timed_mutex>;
TYPED_TEST_SUITE(BoostFiberSingleMutex, single_mutexes);

TYPED_TEST(BoostFiberMutex, can_be_locked_again_when_it_was_unlocked) {
  TypeParam m;
  for (int i = 0; i < 3; ++i) {
    m.lock();
    m.unlock();
  }
  ASSERT_TRUE(m.try_lock());
  m.unlock();
}

TYPED_TEST(BoostFiberSingleMutex, tells_an_owner_that_locks_again_of_the_deadlock) {
  TypeParam m;
  m.lock();
  const auto deadlock = std::make_error_code(std::errc::resource_deadlock_would_occur);
  EXPECT_EQ(code_of([&] { m.lock(); }), deadlock);
  EXPECT_EQ(code_of([&] { (void)m.try_lock(); }), deadlock);
  m.unlock();
}

TYPED_TEST(BoostFiberMutex, does_not_permit_a_stranger_to_unlock) {
  TypeParam m;
  const auto not_permitted = std::make_error_code(std::errc::operation_not_permitted);
  EXPECT_EQ(code_of([&] { m.unlock(); }), not_permitted);
  m.lock();
  fibers::fiber{[&] { EXPECT_EQ(code_of([&] { m.unlock(); }), not_permitted); }}.join();
  m.unlock();
  EXPECT_EQ(code_of([&] { m.unlock(); }), not_permitted);
}

TYPED_TEST(BoostFiberSingleMutex, keeps_its_owner_when_an_operation_throws) {
  TypeParam m;
  m.lock();
  EXPECT_THROW(m.lock(), fibers::lock_error);
  fibers::fiber{[&] {
    EXPECT_THROW(m.unlock(), fibers::lock_error);
    EXPECT_FALSE(m.try_lock());
  }}.join();
  EXPECT_NO_THROW(m.unlock());
}

TYPED_TEST(BoostFiberMutex, try_lock_fails_while_another_fiber_is_the_owner) {
  TypeParam m;
  m.lock();
  fibers::fiber{[&] { EXPECT_FALSE(m.try_lock()); }}.join();
  m.unlock();
  fibers::fiber{[&] {
    EXPECT_TRUE(m.try_lock());
    m.unlock();
  }}.join();
}

TYPED_TEST(BoostFiberMutex, try_lock_lets_the_owner_get_on_when_it_fails) {
  TypeParam m;
  run_here({[&] {
              m.lock();
              fibers::context::active()->yield();
              m.unlock();
            },
            [&] {
              while (!m.try_lock()) {
              }
              m.unlock();
            }});
}

TYPED_TEST(BoostFiberMutex, lets_one_in_at_a_time_however_fibers_are_launched) {
  for (const fibers::launch how : {fibers::launch::post, fibers::launch::dispatch}) {
    TypeParam m;
    int inside = 0;
    int sections = 0;
    const auto work = [&] {
      for (int i = 0; i < 10; ++i) {
        const std::lock_guard held{m};
        EXPECT_EQ(++inside, 1);
        fibers::context::active()->yield();
        --inside;
        ++sections;
      }
    };
    run_here(std::vector<std::function<void()>>(20, work), how);
    EXPECT_EQ(sections, 200);
  }
}

TYPED_TEST(BoostFiberMutex, serves_the_main_fiber_among_others) {
  TypeParam m;
  int sections = 0;
  const auto work = [&] {
    for (int i = 0; i < 10; ++i) {
      const std::unique_lock held{m};
      fibers::context::active()->yield();
      ++sections;
    }
  };
  fibers::fiber other{work};
  work();
  other.join();
  EXPECT_EQ(sections, 20);
}

TYPED_TEST(BoostFiberMutex, can_be_locked_together_with_others) {
  TypeParam a;
  TypeParam b;
  int sections = 0;
  const auto work = [&](TypeParam& one, TypeParam& other) {
    for (int i = 0; i < 10; ++i) {
      const std::scoped_lock held{one, other};
      fibers::context::active()->yield();
      ++sections;
    }
  };
  run_here({[&] { work(a, b); }, [&] { work(b, a); }});
  EXPECT_EQ(sections, 20);
}

TYPED_TEST(BoostFiberMutex, is_unlocked_by_a_guard_when_an_exception_passes) {
  TypeParam m;
  int caught = 0;
  const auto work = [&] {
    for (int i = 0; i < 10; ++i) {
      try {
        const std::lock_guard held{m};
        fibers::context::active()->yield();
        throw std::string{"over"};
      } catch (const std::string& problem) {
        EXPECT_EQ(problem, "over");
        ++caught;
      }
    }
  };
  run_here({work, work, work});
  EXPECT_EQ(caught, 30);
}

template <class Setting>
class BoostFiberMutexOnThreads : public testing::Test {};
TYPED_TEST_SUITE(BoostFiberMutexOnThreads, settings);

TYPED_TEST(BoostFiberMutexOnThreads, loses_no_section) {
  typename TypeParam::kind::mutex m;
  std::size_t sections = 0;
  crew<typename TypeParam::algorithm>::instance().run(200, [&](std::size_t i) {
    for (int n = 0; n < 50; ++n) {
      const std::lock_guard held{m};
      ++sections;
      if (n == static_cast<int>(i % 50)) fibers::context::active()->yield();
    }
  });
  EXPECT_EQ(sections, 200U * 50);
}

TYPED_TEST(BoostFiberMutexOnThreads, serves_main_fibers_and_others_alike) {
  typename TypeParam::kind::mutex m;
  std::size_t sections = 0;
  crew<typename TypeParam::algorithm>::instance().on_each_thread([&](unsigned) {
    const auto work = [&] {
      for (int n = 0; n < 50; ++n) {
        const std::lock_guard held{m};
        ++sections;
        fibers::context::active()->yield();
      }
    };
    std::vector<fibers::fiber> started;
    for (int i = 0; i < 10; ++i) started.emplace_back(work);
    work();
    for (fibers::fiber& each : started) each.join();
  });
  EXPECT_EQ(sections, crew<typename TypeParam::algorithm>::size * 11U * 50);
}

TYPED_TEST(BoostFiberMutexOnThreads, try_lock_succeeds_in_the_end) {
  typename TypeParam::kind::mutex m;
  std::size_t sections = 0;
  crew<typename TypeParam::algorithm>::instance().run(40, [&](std::size_t) {
    for (int n = 0; n < 20; ++n) {
      while (!m.try_lock()) {
      }
      ++sections;
      m.unlock();
    }
  });
  EXPECT_EQ(sections, 40U * 20);
}

}  // namespace
}  // namespace hotseat::boost_fiber::test
