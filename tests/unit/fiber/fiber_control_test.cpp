// hotseat/tests/unit/fiber/fiber_control_test.cpp — into a fiber, out of it, and what moves
// with it.
#include <gtest/gtest.h>

#include <cerrno>
#include <cstddef>
#include <exception>
#include <hotseat/fiber/await.hpp>
#include <hotseat/fiber/detail/fiber_control.hpp>
#include <hotseat/fiber/fiber.hpp>
#include <hotseat/sched/current.hpp>
#include <hotseat/sched/run.hpp>
#include <hotseat/sched/worker_scope.hpp>
#include <new>
#include <stdexcept>
#include <string>
#include <support/probes.hpp>
#include <support/threads.hpp>
#include <vector>

namespace hotseat {
namespace {

using detail::fiber_control;
using testing::manual_executor;
using testing::on;
using testing::stand_in;

TEST(FiberControl, the_current_fiber_is_the_one_that_runs) {
  manual_executor one;
  std::vector<fiber_control*> seen;
  const auto look = [&] {
    seen.push_back(fiber_control::current());
    await(on{one});
    seen.push_back(fiber_control::current());
  };
  fiber first{one, look};
  fiber second{one, look};
  EXPECT_EQ(fiber_control::current(), nullptr);
  one.run_all();
  first.join();
  second.join();
  EXPECT_EQ(fiber_control::current(), nullptr);
  ASSERT_EQ(seen.size(), 4U);
  EXPECT_EQ(seen[0], seen[2]);
  EXPECT_EQ(seen[1], seen[3]);
  EXPECT_NE(seen[0], seen[1]);
}

/// Resumes the first in line when the test says so, on any thread.
void resume_here(executor& where, waiter_queue& line) {
  const worker_scope scope{where};
  run_until_idle(line.pop_front().task);
}

// Not inlined: a compiler computes the address of errno once in a function.
[[gnu::noinline]] void set_errno(int value) { errno = value; }
[[gnu::noinline]] int get_errno() { return errno; }

TEST(FiberControl, F3_errno_goes_with_the_fiber) {
  manual_executor one;
  waiter_queue line;
  int after = 0;
  fiber f{one, [&] {
            set_errno(EDOM);
            await(stand_in{line});
            after = get_errno();
          }};
  errno = 0;
  one.run_all();
  EXPECT_EQ(errno, 0);
  errno = ERANGE;
  int of_thread = 0;
  testing::on_another_thread([&] {
    errno = EBUSY;
    resume_here(one, line);
    of_thread = errno;
  });
  f.join();
  EXPECT_EQ(after, EDOM);
  EXPECT_EQ(of_thread, EBUSY);
  EXPECT_EQ(errno, ERANGE);
}

TEST(FiberControl, the_number_of_locks_goes_with_the_fiber) {
  manual_executor one;
  waiter_queue line;
  std::vector<std::uint32_t> counts;
  const auto add = [&](std::uint32_t more) {
    detail::current().locks_held += more;
    counts.push_back(detail::current().locks_held);
  };
  fiber f{one, [&] {
            add(2);
            await(stand_in{line});  // Which moves nothing itself.
            add(0);
          }};
  one.run_all();
  testing::on_another_thread([&] {
    const worker_scope scope{one};
    detail::current().locks_held = 7;  // Left there by another task.
    run_until_idle(line.pop_front().task);
  });
  f.join();
  EXPECT_EQ(counts, (std::vector<std::uint32_t>{2, 2}));
}

TEST(FiberControl, suspending_inside_a_catch_block_keeps_the_exception) {
  manual_executor one;
  waiter_queue line;
  std::vector<std::string> caught;
  const auto fail_and_wait = [&](const char* what) {
    return [&, what] {
      try {
        throw std::runtime_error{what};
      } catch (...) {
        await(stand_in{line});
        try {
          throw;
        } catch (const std::exception& again) {
          caught.emplace_back(again.what());
        }
      }
      EXPECT_EQ(std::current_exception(), nullptr);
    };
  };
  fiber first{one, fail_and_wait("first")};
  fiber second{one, fail_and_wait("second")};
  one.run_all();
  // Both are inside their handlers, entered on one thread; the first one ends on another.
  testing::on_another_thread([&] { resume_here(one, line); });
  resume_here(one, line);
  first.join();
  second.join();
  EXPECT_EQ(caught, (std::vector<std::string>{"first", "second"}));
}

TEST(FiberControl, nested_inline_each_is_found_again) {
  // What resume_inline does: a fiber runs inside a call of another one.
  manual_executor one;
  waiter_queue line;
  std::vector<fiber_control*> seen;
  fiber inner{one, [&] {
                await(stand_in{line});
                seen.push_back(fiber_control::current());
              }};
  one.run_all();
  fiber outer{one, [&] {
                seen.push_back(fiber_control::current());
                run_nested(line.pop_front().task);
                seen.push_back(fiber_control::current());
              }};
  one.run_all();
  inner.join();
  outer.join();
  ASSERT_EQ(seen.size(), 3U);
  EXPECT_EQ(seen[0], seen[2]);
  EXPECT_NE(seen[0], seen[1]);
}

TEST(FiberControl, what_the_function_captures_lies_on_its_stack_and_ends_on_it) {
  manual_executor one;
  struct probe {
    bool* ended_inside;
    explicit probe(bool& flag) : ended_inside{&flag} {}
    probe(probe&& other) noexcept
        : ended_inside{std::exchange(other.ended_inside, nullptr)} {}
    ~probe() {
      if (ended_inside != nullptr) *ended_inside = fiber_control::current() != nullptr;
    }
  };
  bool ended_inside = false;
  fiber f{one, [p = probe{ended_inside}] { static_cast<void>(p); }};
  EXPECT_FALSE(ended_inside);
  one.run_all();
  EXPECT_TRUE(ended_inside);
  f.join();
}

TEST(FiberControl, captures_that_are_too_large_are_refused) {
  manual_executor one;
  struct large {
    std::byte bytes[40'000];
  };
  const auto start = [&] { return fiber{one, [l = large{}] { static_cast<void>(l); }}; };
  EXPECT_THROW(static_cast<void>(start()), std::invalid_argument);
  EXPECT_TRUE(one.is_idle());
}

}  // namespace
}  // namespace hotseat
