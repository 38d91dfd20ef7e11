// hotseat/tests/unit/core/spin_lock_test.cpp — one at a time.
#include <gtest/gtest.h>

#include <hotseat/core/spin_lock.hpp>
#include <mutex>
#include <support/threads.hpp>

namespace hotseat {
namespace {

constinit spin_lock spin_lock_before_main;

TEST(SpinLock, is_constant_initialized_and_one_byte) {
  EXPECT_TRUE(spin_lock_before_main.try_lock());
  spin_lock_before_main.unlock();
  EXPECT_EQ(sizeof(spin_lock), 1U);
}

TEST(SpinLock, try_lock_fails_while_it_is_locked) {
  spin_lock lock;
  EXPECT_TRUE(lock.try_lock());
  EXPECT_FALSE(lock.try_lock());
  lock.unlock();
  EXPECT_TRUE(lock.try_lock());
  lock.unlock();
}

TEST(SpinLock, sections_of_more_threads_than_cores_do_not_overlap) {
  constexpr int threads = 4;
  constexpr int times = 5000;
  spin_lock lock;
  int count = 0;
  testing::on_threads(threads, [&] {
    for (int i = 0; i < times; ++i) {
      const std::lock_guard guard{lock};
      ++count;
    }
  });
  EXPECT_EQ(count, threads * times);
}

}  // namespace
}  // namespace hotseat
