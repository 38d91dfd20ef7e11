// hotseat/rebound/tests/observed_lock_test.cpp — what is noted, and what is not.
#include <hotseat/rebound/contenders.hpp>
#include <hotseat/rebound/observed_lock.hpp>
#include <hotseat/rebound/ttas_lock.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

namespace hotseat::rebound {
namespace {

TEST(ObservedLock, notes_each_section_and_who_waited) {
  const observations before = observed_everywhere();
  observed_lock<ttas_lock> lock;
  lock.lock();
  std::atomic<bool> is_there{false};
  std::jthread other{[&] {
    is_there = true;
    lock.lock();
    lock.unlock();
  }};
  while (!is_there) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds{20});  // It waits by then.
  lock.unlock();
  other.join();
  const observations after = observed_everywhere();
  EXPECT_EQ(after.locks - before.locks, 2U);
  EXPECT_EQ(after.section.total() - before.section.total(), 2U);
  EXPECT_EQ(after.delay.total() - before.delay.total(), after.waited - before.waited);
  EXPECT_LE(after.waited - before.waited, 1U);
}

TEST(ObservedLock, a_section_is_as_long_as_it_takes) {
  const double ticks_per_microsecond = platform::ticks_per_microsecond();
  const observations before = observed_everywhere();
  observed_lock<ttas_lock> lock;
  lock.lock();
  std::this_thread::sleep_for(std::chrono::milliseconds{30});
  lock.unlock();
  const observations after = observed_everywhere();
  ASSERT_EQ(after.section.total() - before.section.total(), 1U);
  EXPECT_GE(static_cast<double>(after.section.quantile(1)), 29'000 * ticks_per_microsecond);
}

TEST(ObservedLock, only_some_locks_can_be_observed) {
  EXPECT_TRUE(can_be_observed("exchange"));
  EXPECT_TRUE(can_be_observed("dispatch"));
  EXPECT_FALSE(can_be_observed("stock"));
  EXPECT_THROW(static_cast<void>(observed_contender_named("stock")), std::invalid_argument);
}

}  // namespace
}  // namespace hotseat::rebound
