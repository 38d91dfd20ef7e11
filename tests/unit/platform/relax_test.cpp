// hotseat/tests/unit/platform/relax_test.cpp — hints that do not change what a program
// does.
#include <gtest/gtest.h>

#include <hotseat/platform/seam.hpp>
#include <thread>

namespace hotseat {
namespace {

TEST(Relax, a_spin_loop_sees_what_another_thread_stores) {
  platform::atomic<bool> flag{false};
  std::thread other{[&] { flag.store(true, std::memory_order_release); }};
  while (!flag.load(std::memory_order_acquire)) {
    platform::relax();
    platform::yield_core();
  }
  other.join();
  EXPECT_TRUE(flag.load(std::memory_order_relaxed));
}

TEST(Relax, prefetch_changes_nothing_and_takes_any_address) {
  int value = 3;
  platform::prefetch(&value);
  platform::prefetch(nullptr);
  EXPECT_EQ(value, 3);
}

}  // namespace
}  // namespace hotseat
