// hotseat/tests/unit/core/owner_guard_test.cpp — an owner or a visitor inside, never both.
#include <gtest/gtest.h>

#include <sys/syscall.h>
#include <atomic>
#include <hotseat/core/owner_guard.hpp>
#include <hotseat/platform/seam.hpp>
#include <mutex>
#include <support/refused_syscalls.hpp>
#include <thread>
#include <vector>

namespace hotseat {
namespace {

constinit owner_guard owner_guard_before_main;

TEST(OwnerGuard, is_constant_initialized) {
  owner_guard_before_main.enter();
  owner_guard_before_main.leave();
  SUCCEED();
}

TEST(OwnerGuard, each_side_may_come_again_and_again) {
  owner_guard guard;
  for (int i = 0; i < 3; ++i) {
    guard.enter();
    guard.leave();
    guard.visit();
    guard.end_visit();
  }
  SUCCEED();
}

/// Plain data: ThreadSanitizer sees when two threads are inside, or when one does not see
/// what the other did; so does the sum, most of the time.
struct entries {
  int by_owners = 0;
  int by_visitors = 0;
  int inside = 0;
  int overlaps = 0;

  void enter(int& who) {
    if (++inside != 1) ++overlaps;
    ++who;
    --inside;
  }
};

/// Owners take turns, like those of a lock; visitors come at any time.
void expect_that_nobody_meets(int owners, int visitors, int visits) {
  owner_guard guard;
  entries data;      // Inside guard.
  std::mutex owned;  // The thread that holds it is the owner.
  int entered = 0;   // Under owned.
  std::atomic<int> left{visitors};
  std::vector<std::thread> all;
  for (int o = 0; o < owners; ++o) {
    all.emplace_back([&] {
      while (left.load(std::memory_order_relaxed) != 0) {
        const std::lock_guard turn{owned};
        guard.enter();
        data.enter(data.by_owners);
        guard.leave();
        ++entered;
      }
    });
  }
  for (int v = 0; v < visitors; ++v) {
    all.emplace_back([&] {
      for (int i = 0; i < visits; ++i) {
        guard.visit();
        data.enter(data.by_visitors);
        guard.end_visit();
        if (i % 8 == 0) platform::yield_core();
      }
      left.fetch_sub(1, std::memory_order_relaxed);
    });
  }
  for (std::thread& thread : all) thread.join();
  EXPECT_EQ(data.by_owners, entered);
  EXPECT_EQ(data.by_visitors, visitors * visits);
  EXPECT_EQ(data.overlaps, 0);
}

constexpr int visits = 500;

TEST(OwnerGuard, G1_an_owner_and_a_visitor_are_never_both_inside) {
  expect_that_nobody_meets(1, 1, visits);
}

TEST(OwnerGuard, G1_two_visitors_are_never_both_inside) {
  expect_that_nobody_meets(0, 2, visits);
}

TEST(OwnerGuard, G1_holds_while_the_ownership_changes_threads) {
  expect_that_nobody_meets(2, 2, visits);
}

TEST(OwnerGuard, G1_holds_where_the_kernel_refuses_membarrier) {
  if (const auto outcome = testing::run_refused({{.number = SYS_membarrier}})) {
    if (outcome == testing::refused_process::no_filters) GTEST_SKIP() << "no seccomp here";
    EXPECT_EQ(outcome, testing::refused_process::passed);
    return;
  }
  ASSERT_FALSE(platform::detail::has_membarrier);
  expect_that_nobody_meets(2, 2, visits);
}

}  // namespace
}  // namespace hotseat
