// hotseat/tests/unit/platform/atomic_test.cpp — an atomic that costs nothing extra.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <hotseat/platform/seam.hpp>
#include <thread>

namespace hotseat {
namespace {

static_assert(sizeof(platform::atomic<std::uint32_t>) == sizeof(std::uint32_t));
static_assert(sizeof(platform::atomic<void*>) == sizeof(void*));
static_assert(platform::atomic<std::uint32_t>::is_always_lock_free);
static_assert(platform::atomic<std::uintptr_t>::is_always_lock_free);

constinit platform::atomic<int> initialized_before_main{7};

TEST(Atomic, is_constant_initialized) {
  EXPECT_EQ(initialized_before_main.load(std::memory_order_relaxed), 7);
}

TEST(Atomic, an_increment_is_not_lost) {
  constexpr int times = 20'000;
  platform::atomic<int> count{0};
  const auto work = [&] {
    for (int i = 0; i < times; ++i) count.fetch_add(1, std::memory_order_relaxed);
  };
  std::thread other{work};
  work();
  other.join();
  EXPECT_EQ(count.load(std::memory_order_relaxed), 2 * times);
}

TEST(Atomic, a_release_publishes_to_an_acquire) {
  int data = 0;
  platform::atomic<bool> is_ready{false};
  std::thread writer{[&] {
    data = 42;
    is_ready.store(true, std::memory_order_release);
  }};
  while (!is_ready.load(std::memory_order_acquire)) std::this_thread::yield();
  EXPECT_EQ(data, 42);
  writer.join();
}

}  // namespace
}  // namespace hotseat
