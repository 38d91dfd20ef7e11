// hotseat/tests/unit/core/back_off_test.cpp — waits ever longer, and finally gives the core
// away.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <hotseat/core/back_off.hpp>
#include <hotseat/platform/seam.hpp>
#include <support/threads.hpp>

namespace hotseat::detail {
namespace {

TEST(BackOff, each_wait_is_longer_than_the_one_before) {
  using clock = std::chrono::steady_clock;
  std::array<clock::duration, 4> shortest;
  shortest.fill(clock::duration::max());
  // The shortest of many: undisturbed.
  for (int i = 0; i < 200; ++i) {
    back_off backing_off;
    for (clock::duration& each : shortest) {
      const clock::time_point start = clock::now();
      backing_off.wait();
      each = std::min(each, clock::now() - start);
    }
  }
  for (std::size_t i = 1; i < shortest.size(); ++i) {
    EXPECT_GT(shortest[i], shortest[i - 1]);
  }
}

TEST(BackOff, more_threads_than_cores_all_get_past_a_guard) {
  constexpr int times = 2000;
  platform::atomic<bool> is_guarded{false};
  int count = 0;
  testing::on_threads(4, [&] {
    for (int i = 0; i < times; ++i) {
      back_off backing_off;
      while (is_guarded.exchange(true, std::memory_order_acquire)) backing_off.wait();
      ++count;
      is_guarded.store(false, std::memory_order_release);
    }
  });
  EXPECT_EQ(count, 4 * times);
}

}  // namespace
}  // namespace hotseat::detail
