// hotseat/tests/unit/sched/block_on_test.cpp — a plain thread waits for an operation.
#include <gtest/gtest.h>

#include <coroutine>
#include <hotseat/core/waiter.hpp>
#include <hotseat/sched/block_on.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/sched/worker_scope.hpp>
#include <memory>
#include <stdexcept>
#include <support/manual_executor.hpp>
#include <support/probes.hpp>
#include <thread>
#include <utility>

namespace hotseat {
namespace {

/// An operation whose steps the test decides.
struct scripted {
  bool is_ready = false;
  bool is_suspended = true;
  executor* waited_on = nullptr;
  waiter place{};
  int result = 7;

  [[nodiscard]] bool await_ready() const noexcept { return is_ready; }
  bool await_suspend(std::coroutine_handle<> self) noexcept {
    waited_on = place.home = executor::current();
    place.task = self;
    if (is_suspended) dispatch_task(place);
    return is_suspended;
  }
  int& await_resume() noexcept { return result; }
};

TEST(BlockOn, gives_what_the_operation_gives) {
  scripted operation;
  int& result = block_on(operation);
  EXPECT_EQ(&result, &operation.result);
}

TEST(BlockOn, an_operation_that_is_ready_does_not_wait) {
  scripted operation{.is_ready = true};
  EXPECT_EQ(block_on(operation), 7);
  EXPECT_EQ(operation.waited_on, nullptr);
}

TEST(BlockOn, an_operation_that_does_not_suspend_does_not_wait) {
  scripted operation{.is_suspended = false};
  EXPECT_EQ(block_on(operation), 7);
}

TEST(BlockOn, the_operation_finds_an_executor_and_the_thread_is_as_it_was_afterwards) {
  scripted operation;
  block_on(operation);
  EXPECT_NE(operation.waited_on, nullptr);
  EXPECT_EQ(executor::current(), nullptr);

  testing::manual_executor ex;
  const worker_scope scope{ex};
  block_on(operation);
  EXPECT_NE(operation.waited_on, &ex);
  EXPECT_EQ(executor::current(), &ex);
  EXPECT_EQ(worker_scope::current(), &scope);
}

/// Always suspends: its await_suspend returns void.
class always_suspends {
 public:
  explicit always_suspends(std::thread& waker) noexcept : waker_{waker} {}
  static bool await_ready() noexcept { return false; }
  void await_suspend(std::coroutine_handle<> self) {
    place_.task = self;
    place_.home = executor::current();
    waker_ = std::thread{[this] { dispatch_task(place_); }};
  }
  static void await_resume() noexcept {}

 private:
  std::thread& waker_;
  waiter place_;
};

TEST(BlockOn, waits_for_another_thread) {
  std::thread waker;
  block_on(always_suspends{waker});
  ASSERT_TRUE(waker.joinable());
  waker.join();
}

/// Waits, then returns a move-only value.
struct giving {
  waiter place{};
  static bool await_ready() noexcept { return false; }
  bool await_suspend(std::coroutine_handle<> self) noexcept {
    place.set(self, executor::current());
    dispatch_task(place);
    return true;
  }
  static std::unique_ptr<int> await_resume() { return std::make_unique<int>(5); }
};

TEST(BlockOn, gives_what_can_only_be_moved) {
  const std::unique_ptr<int> result = block_on(giving{});
  ASSERT_NE(result, nullptr);
  EXPECT_EQ(*result, 5);
}

/// Throws before or after its wait.
struct throwing {
  bool is_early = false;
  waiter place{};
  static bool await_ready() noexcept { return false; }
  bool await_suspend(std::coroutine_handle<> self) {
    if (is_early) throw std::runtime_error{"early"};
    place.set(self, executor::current());
    dispatch_task(place);
    return true;
  }
  void await_resume() const {
    if (!is_early) throw std::runtime_error{"late"};
  }
};

TEST(BlockOn, what_the_operation_throws_arrives_and_the_thread_is_as_it_was) {
  testing::manual_executor ex;
  for (const bool is_early : {true, false}) {
    EXPECT_THROW(block_on(throwing{.is_early = is_early}), std::runtime_error);
    EXPECT_EQ(executor::current(), nullptr);
    const worker_scope scope{ex};
    EXPECT_THROW(block_on(throwing{.is_early = is_early}), std::runtime_error);
    EXPECT_EQ(executor::current(), &ex);
    EXPECT_EQ(worker_scope::current(), &scope);
  }
}

// A task would continue with another coroutine in its place, and a thread has none.
static_assert(detail::blocks_threads<scripted>);
static_assert(detail::blocks_threads<always_suspends>);
static_assert(!detail::blocks_threads<testing::transfer>);
static_assert(!detail::blocks_threads<int>);

}  // namespace
}  // namespace hotseat
