// hotseat/tests/unit/fiber/fiber_options_test.cpp — what is possible, and what is not.
#include <gtest/gtest.h>

#include <cstddef>
#include <hotseat/fiber/fiber.hpp>
#include <hotseat/fiber/fiber_options.hpp>
#include <hotseat/fiber/this_fiber.hpp>
#include <hotseat/runtime/thread_pool.hpp>
#include <stdexcept>
#include <string>

namespace hotseat {
namespace {

std::string refusal(std::size_t stack_size) {
  thread_pool pool{1};
  try {
    fiber f{pool, {.stack_size = stack_size}, [] {}};
    f.join();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(FiberOptions, a_stack_size_that_is_not_possible_is_refused_by_name) {
  EXPECT_EQ(refusal(0),
            "fiber: a stack of 0 bytes is too small; it must have at least 16384");
  EXPECT_EQ(refusal(16383),
            "fiber: a stack of 16383 bytes is too small; it must have at least 16384");
  EXPECT_EQ(refusal((std::size_t{1} << 30U) + 1),
            "fiber: a stack of 1073741825 bytes is too large; it must have at most "
            "1073741824");
}

TEST(FiberOptions, the_limits_themselves_are_possible) {
  EXPECT_EQ(refusal(fiber_options::least_stack_size), "");
  EXPECT_EQ(refusal(std::size_t{1} << 26U), "");
}

TEST(FiberOptions, a_stack_has_at_least_the_size_that_was_asked_for) {
  thread_pool pool{1};
  std::size_t usual = 0;
  std::size_t larger = 0;
  fiber first{pool, [&] { usual = this_fiber::stack_size(); }};
  fiber second{pool, {.stack_size = 1'000'000}, [&] { larger = this_fiber::stack_size(); }};
  first.join();
  second.join();
  EXPECT_EQ(usual, fiber_options::default_stack_size);
  EXPECT_EQ(larger, std::size_t{1} << 20U);
}

TEST(FiberOptions, a_fiber_has_a_name) {
  thread_pool pool{1};
  std::string inside;
  fiber f{pool, {.name = "reader 7"}, [&] { inside = this_fiber::name(); }};
  EXPECT_EQ(f.name(), "reader 7");
  f.join();
  EXPECT_EQ(inside, "reader 7");
}

}  // namespace
}  // namespace hotseat
