// hotseat/tests/unit/platform/stacks_test.cpp — stacks that are reused, with guards.
#include <gtest/gtest.h>

#include <sys/resource.h>
#include <sys/syscall.h>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <hotseat/platform/config.hpp>
#include <hotseat/platform/memory.hpp>
#include <set>
#include <support/refused_syscalls.hpp>
#include <support/threads.hpp>
#include <system_error>
#include <vector>

namespace hotseat {
namespace {

using platform::give_stack;
using platform::guarded_stack;
using platform::least_stack_bytes;
using platform::take_stack;

TEST(Stacks, are_rounded_up_to_a_power_of_two_and_can_be_written_everywhere) {
  const guarded_stack stack = take_stack(least_stack_bytes + 1);
  EXPECT_EQ(stack.bytes, 2 * least_stack_bytes);
  stack.lowest[0] = std::byte{1};
  stack.lowest[stack.bytes - 1] = std::byte{2};
  EXPECT_TRUE(stack.holds(reinterpret_cast<std::uintptr_t>(stack.lowest)));
  EXPECT_TRUE(
      stack.holds(reinterpret_cast<std::uintptr_t>(stack.lowest) + stack.bytes - 1));
  EXPECT_FALSE(stack.holds(reinterpret_cast<std::uintptr_t>(stack.lowest) + stack.bytes));
  EXPECT_FALSE(stack.holds(reinterpret_cast<std::uintptr_t>(stack.lowest) - 1));
  give_stack(stack);
}

TEST(Stacks, what_was_given_back_last_is_taken_next) {
  const guarded_stack stack = take_stack(least_stack_bytes);
  give_stack(stack);
  EXPECT_EQ(take_stack(least_stack_bytes).lowest, stack.lowest);
  give_stack(stack);
}

TEST(Stacks, in_use_are_all_different) {
  std::set<std::byte*> seen;
  std::vector<guarded_stack> taken;
  for (int i = 0; i < 1000; ++i) {
    taken.push_back(take_stack(least_stack_bytes));
    EXPECT_TRUE(seen.insert(taken.back().lowest).second);
  }
  for (const guarded_stack& each : taken) give_stack(each);
}

TEST(Stacks, that_a_thread_kept_are_there_for_others_when_it_ends) {
  constexpr std::size_t size = 4 * least_stack_bytes;
  const std::size_t waiting = platform::facts_about_stacks().waiting;
  testing::on_another_thread([] {
    std::vector<guarded_stack> taken(10);
    for (guarded_stack& each : taken) each = take_stack(size);
    for (const guarded_stack& each : taken) give_stack(each);
  });
  const platform::stack_facts after = platform::facts_about_stacks();
  EXPECT_EQ(after.waiting, waiting + 10);
  const guarded_stack again = take_stack(size);
  EXPECT_EQ(platform::facts_about_stacks().mapped, after.mapped);
  give_stack(again);
}

TEST(Stacks, beyond_the_warm_ones_give_their_memory_back) {
  constexpr std::size_t size = 8 * least_stack_bytes;
  constexpr std::size_t many = 1200;  // More than the pool of warm stacks keeps.
  std::vector<guarded_stack> taken(many);
  for (guarded_stack& each : taken) {
    each = take_stack(size);
    each.lowest[0] = std::byte{1};
  }
  for (const guarded_stack& each : taken) give_stack(each);
  std::size_t cold = 0;
  for (guarded_stack& each : taken) {
    each = take_stack(size);
    if (each.lowest[0] == std::byte{0}) ++cold;
  }
  EXPECT_GE(cold, 100U);
  EXPECT_LE(cold, 300U);
  for (const guarded_stack& each : taken) give_stack(each);
}

class StacksDeathTest : public ::testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

/// Lets a bad address kill the process, whatever handler is installed.
void touch(std::byte* address) {
  std::signal(SIGSEGV, SIG_DFL);
  *static_cast<volatile std::byte*>(address) = std::byte{1};
}

void expect_guarded() {
  const guarded_stack stack = take_stack(least_stack_bytes);
  EXPECT_EXIT(touch(stack.lowest - 1), ::testing::KilledBySignal(SIGSEGV), "");
  EXPECT_EXIT(touch(stack.lowest - platform::stack_guard_bytes),
              ::testing::KilledBySignal(SIGSEGV), "");
  give_stack(stack);
}

TEST_F(StacksDeathTest, below_a_stack_nothing_can_be_touched) { expect_guarded(); }

TEST_F(StacksDeathTest, a_kernel_without_light_guards_has_others) {
  if (config::sanitizes_address || config::sanitizes_thread) GTEST_SKIP();
  if (const auto child = testing::run_refused({{SYS_madvise}})) {
    if (*child == testing::refused_process::no_filters) GTEST_SKIP();
    EXPECT_EQ(*child, testing::refused_process::passed);
    return;
  }
  expect_guarded();
  EXPECT_FALSE(platform::facts_about_stacks().has_light_guards);
}

/// Takes all stacks there are, then reports the error.
[[noreturn]] void take_all(std::size_t size) {
  try {
    for (;;) static_cast<void>(take_stack(size));
  } catch (const std::system_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    std::_Exit(error.code() == std::errc::not_enough_memory ? 0 : 1);
  }
}

TEST_F(StacksDeathTest, out_of_memory_for_stacks_is_an_exception_that_says_so) {
  if (config::sanitizes_address || config::sanitizes_thread) GTEST_SKIP();
  const auto run_out = [] {
    const rlimit limit{.rlim_cur = std::size_t{4} << 30U, .rlim_max = RLIM_INFINITY};
    setrlimit(RLIMIT_AS, &limit);
    take_all(std::size_t{1} << 28U);
  };
  EXPECT_EXIT(run_out(), ::testing::ExitedWithCode(0), "fiber: out of stacks");
}

TEST_F(StacksDeathTest, more_mappings_than_the_kernel_has_is_an_exception_that_says_so) {
  if (config::sanitizes_address || config::sanitizes_thread) GTEST_SKIP();
  if (const auto child = testing::run_refused({{SYS_madvise}})) {
    if (*child == testing::refused_process::no_filters) GTEST_SKIP();
    EXPECT_EQ(*child, testing::refused_process::passed);
    return;
  }
  EXPECT_EXIT(take_all(least_stack_bytes), ::testing::ExitedWithCode(0),
              "vm.max_map_count is reached");
}

}  // namespace
}  // namespace hotseat
