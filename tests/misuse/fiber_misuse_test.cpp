// hotseat/tests/misuse/fiber_misuse_test.cpp — a broken rule stops the program and is
// named; so does a stack that is too small.
#include <gtest/gtest.h>

#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <hotseat/fiber/fiber.hpp>
#include <hotseat/fiber/fiber_local.hpp>
#include <hotseat/fiber/fiber_mutex.hpp>
#include <hotseat/fiber/this_fiber.hpp>
#include <hotseat/platform/config.hpp>
#include <hotseat/runtime/thread_pool.hpp>
#include <hotseat/sched/reschedule.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/task.hpp>
#include <optional>
#include <support/manual_executor.hpp>
#include <support/tasks.hpp>
#include <utility>
#include <vector>

namespace hotseat {
namespace {

using testing::nothing;

class FiberMisuseDeathTest : public ::testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

void destroy_unjoined() {
  thread_pool pool{1};
  const fiber f{pool, [] {}};
}

void assign_over_one() {
  thread_pool pool{1};
  fiber f{pool, [] {}};
  f = fiber{};
}

TEST_F(FiberMisuseDeathTest, a_fiber_that_is_neither_joined_nor_detached) {
  constexpr const char* message =
      "violation: fiber 0x[0-9a-f]+: it must be joined or detached before it is destroyed";
  EXPECT_DEATH(destroy_unjoined(), message);
  EXPECT_DEATH(assign_over_one(), message);
}

TEST_F(FiberMisuseDeathTest, joining_what_is_not_there) {
  constexpr const char* message = "violation: fiber 0x[0-9a-f]+: it was joined, detached";
  EXPECT_DEATH(fiber{}.join(), message);
  EXPECT_DEATH(fiber{}.detach(), message);
  const auto misuse = [] {
    thread_pool pool{1};
    fiber f{pool, [] {}};
    f.join();
    f.join();
  };
  EXPECT_DEATH(misuse(), message);
}

TEST_F(FiberMisuseDeathTest, joining_itself) {
  const auto misuse = [] {
    thread_pool pool{1};
    fiber f;
    f = fiber{pool, [&f] {
                await(reschedule());
                f.join();
              }};
    for (;;) std::this_thread::yield();
  };
  EXPECT_DEATH(misuse(), "violation: fiber 0x[0-9a-f]+: it cannot join itself");
}

void destroy_pool_under_a_fiber() {
  fiber_mutex m;
  m.lock();
  std::optional<thread_pool> pool{1};
  fiber f{*pool, [&] { m.lock(); }};  // Waits, for ever.
  f.detach();
  pool.reset();
}

TEST_F(FiberMisuseDeathTest, a_pool_that_ends_before_its_fibers) {
  EXPECT_DEATH(
      destroy_pool_under_a_fiber(),
      "violation: executor 0x[0-9a-f]+: it must not be destroyed before its fibers");
}

void destroy_executor_under_a_fiber() {
  fiber_mutex m;
  m.lock();
  std::optional<testing::manual_executor> ex{1U};
  fiber f{*ex, [&] { m.lock(); }};
  f.detach();
  ex->run_all();
  ex.reset();
}

TEST_F(FiberMisuseDeathTest, an_executor_of_another_kind_that_ends_before_its_fibers) {
  EXPECT_DEATH(
      destroy_executor_under_a_fiber(),
      "violation: executor 0x[0-9a-f]+: it must not be destroyed before its fibers");
}

task<> lock_what_is_locked(fiber_mutex& m) {
  m.lock();
  co_return;
}

TEST_F(FiberMisuseDeathTest, a_coroutine_that_would_block_its_worker) {
  const auto misuse = [] {
    thread_pool pool{1};
    fiber_mutex m;
    m.lock();
    sync_wait(pool, lock_what_is_locked(m));
  };
  EXPECT_DEATH(misuse(),
               "violation: await 0x[0-9a-f]+: it would block a worker: call it in a fiber");
}

TEST_F(FiberMisuseDeathTest, a_task_on_a_plain_thread) {
  EXPECT_DEATH(await(nothing()), "violation: await .*: a task can be awaited in a fiber");
}

TEST_F(FiberMisuseDeathTest, asking_for_what_only_a_fiber_has) {
  EXPECT_DEATH(static_cast<void>(this_fiber::name()), "this_fiber .*: no fiber is calling");
  EXPECT_DEATH(static_cast<void>(this_fiber::stop_token()), "no fiber is calling");
  const auto misuse = [] {
    fiber_local<int> local;
    *local = 1;
  };
  EXPECT_DEATH(misuse(),
               "violation: fiber_local 0x[0-9a-f]+: only a fiber has a value of it");
}

TEST_F(FiberMisuseDeathTest, unlocking_what_no_task_owns) {
  const auto misuse = [] {
    thread_pool pool{1};
    fiber_mutex m;
    fiber f{pool, [&] { m.unlock(); }};
    f.join();
  };
  EXPECT_DEATH(misuse(), "violation: mutex .*: only the owner may unlock; nobody owns it");
}

fiber_mutex* in_handler = nullptr;
void lock_in_handler(int) { in_handler->lock(); }

/// A signal whose handler runs on a stack of its own.
void handle_on_another_stack() {
  static std::vector<std::byte> memory(std::size_t{128} << 10U);
  stack_t own{};
  own.ss_sp = memory.data();
  own.ss_size = memory.size();
  sigaltstack(&own, nullptr);
  struct sigaction action{};
  action.sa_handler = &lock_in_handler;
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGUSR1, &action, nullptr);
}

TEST_F(FiberMisuseDeathTest, locking_in_a_signal_handler_of_a_fiber) {
  const auto misuse = [] {
    thread_pool pool{1};
    fiber_mutex m;
    m.lock();
    in_handler = &m;
    fiber f{pool, [] {
              handle_on_another_stack();
              std::raise(SIGUSR1);
            }};
    f.join();
  };
  EXPECT_DEATH(misuse(),
               "violation: fiber 0x[0-9a-f]+: it must not wait in a signal handler");
}

TEST_F(FiberMisuseDeathTest, locking_in_a_signal_handler_of_a_thread) {
  const auto misuse = [] {
    fiber_mutex m;
    m.lock();
    in_handler = &m;
    handle_on_another_stack();
    std::raise(SIGUSR1);
  };
  EXPECT_DEATH(misuse(),
               "violation: await 0x[0-9a-f]+: it must not wait in a signal handler");
}

[[gnu::noinline]] int sink(int depth) {
  volatile char used[512];
  used[0] = static_cast<char>(depth);
  if (depth == 0) return used[0];
  return sink(depth - 1) + used[0];
}

void overflow(const char* name) {
  thread_pool pool{2};
  fiber f{pool, {.name = name, .stack_size = 32 << 10U}, [] { sink(1'000'000); }};
  f.join();
}

TEST_F(FiberMisuseDeathTest, a_stack_that_is_too_small) {
  EXPECT_DEATH(overflow("reader 7"),
               "hotseat: stack overflow in fiber 'reader 7': give it a larger stack_size");
}

TEST_F(FiberMisuseDeathTest, a_bad_address_is_not_taken_for_an_overflow) {
  if (config::sanitizes_address || config::sanitizes_thread) {
    GTEST_SKIP() << "the sanitizer has the signal";
  }
  const auto touch_nothing = [] {
    thread_pool pool{1};
    fiber f{pool, [] { *reinterpret_cast<volatile int*>(8) = 1; }};
    f.join();
  };
  EXPECT_EXIT(touch_nothing(), ::testing::KilledBySignal(SIGSEGV), "^$");
}

}  // namespace
}  // namespace hotseat
