// hotseat/tests/unit/platform/fence_test.cpp — at least one side sees the other.
#include <gtest/gtest.h>

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <cerrno>
#include <hotseat/platform/seam.hpp>
#include <support/refused_syscalls.hpp>
#include <thread>

namespace hotseat {
namespace {

/// Both sides of Dekker's argument, round by round, on words that start at zero.
class dekker {
 public:
  /// The number of rounds in which neither side saw the other.
  int rounds_without_sight(int rounds) {
    std::thread rare{[&] {
      for (int i = 1; i <= rounds; ++i) {
        wait_for(start_, i);
        flag_.fetch_add(1, std::memory_order_relaxed);
        platform::heavy_fence();
        rare_saw_ = data_.load(std::memory_order_relaxed);
        done_.store(i, std::memory_order_release);
      }
    }};
    int misses = 0;
    for (int i = 1; i <= rounds; ++i) {
      data_.store(0, std::memory_order_relaxed);
      flag_.store(0, std::memory_order_relaxed);
      start_.store(i, std::memory_order_release);
      data_.store(1, std::memory_order_relaxed);
      const int often_saw = platform::load_after_stores(flag_);
      wait_for(done_, i);
      if (often_saw == 0 && rare_saw_ == 0) ++misses;
    }
    rare.join();
    return misses;
  }

 private:
  static void wait_for(const platform::atomic<int>& word, int round) {
    for (int turns = 0; word.load(std::memory_order_acquire) != round; ++turns) {
      turns < 1000 ? platform::relax() : platform::yield_core();
    }
  }

  platform::atomic<int> start_{0};
  platform::atomic<int> done_{0};
  platform::atomic<int> data_{0};
  platform::atomic<int> flag_{0};
  int rare_saw_ = 0;
};

constexpr int rounds_of_dekker = 500;

TEST(Fence, one_thread_sees_its_own_flag) {
  platform::atomic<int> flag{3};
  EXPECT_EQ(platform::load_after_stores(flag), 3);
  platform::heavy_fence();
  EXPECT_EQ(flag.load(), 3);
}

TEST(Fence, at_least_one_side_sees_the_other) {
  EXPECT_EQ(dekker{}.rounds_without_sight(rounds_of_dekker), 0);
}

TEST(Fence, works_where_the_kernel_refuses_membarrier) {
  if (const auto outcome = testing::run_refused({{.number = SYS_membarrier}})) {
    if (outcome == testing::refused_process::no_filters) GTEST_SKIP() << "no seccomp here";
    EXPECT_EQ(outcome, testing::refused_process::passed);
    return;
  }
  ASSERT_EQ(syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0), -1);
  ASSERT_EQ(errno, EPERM);
  ASSERT_FALSE(platform::detail::has_membarrier);
  EXPECT_EQ(dekker{}.rounds_without_sight(rounds_of_dekker), 0);
}

}  // namespace
}  // namespace hotseat
