// hotseat/tests/unit/fiber/this_fiber_test.cpp — what a fiber knows about itself.
#include <gtest/gtest.h>

#include <hotseat/fiber/fiber.hpp>
#include <hotseat/fiber/this_fiber.hpp>
#include <hotseat/runtime/thread_pool.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/task.hpp>
#include <stop_token>

namespace hotseat {
namespace {

task<bool> ask() { co_return this_task::is_fiber(); }

TEST(ThisFiber, neither_a_thread_nor_a_coroutine_is_a_fiber) {
  thread_pool pool{1};
  EXPECT_FALSE(this_task::is_fiber());
  EXPECT_FALSE(sync_wait(pool, ask()));
  bool inside = false;
  bool in_its_task = true;
  fiber f{pool, [&] {
            inside = this_task::is_fiber();
            in_its_task = await(ask());
          }};
  f.join();
  EXPECT_TRUE(inside);
  EXPECT_FALSE(in_its_task);
}

TEST(ThisFiber, the_stop_token_is_that_of_the_options) {
  thread_pool pool{1};
  const std::stop_source source;
  bool is_same = false;
  bool is_empty = false;
  fiber f{pool, {.stop = source.get_token()}, [&] {
            is_same = this_fiber::stop_token() == source.get_token();
          }};
  fiber g{pool, [&] { is_empty = !this_fiber::stop_token().stop_possible(); }};
  f.join();
  g.join();
  EXPECT_TRUE(is_same);
  EXPECT_TRUE(is_empty);
}

}  // namespace
}  // namespace hotseat
