// hotseat/tests/unit/sync/one_shot_test.cpp — a result that comes once, or will not come.
// What all that tasks wait for share is in tests/conformance.
#include <gtest/gtest.h>

#include <hotseat/sync/one_shot.hpp>

#include <support/counted_new.hpp>
#include <support/manual_executor.hpp>
#include <support/probes.hpp>

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <type_traits>
#include <utility>

namespace hotseat {
namespace {

using testing::manual_executor;
using testing::owned;

static_assert(!std::is_move_constructible_v<one_shot<int>>);
static_assert(std::is_nothrow_move_constructible_v<one_shot<int>::completer>);
static_assert(!std::is_copy_constructible_v<one_shot<int>::completer>);

class OneShot : public ::testing::Test {
 protected:
  void start(owned& task) {
    task.start_on(ex);
    ex.run_all();
  }
  manual_executor ex{1};
};

owned take(one_shot<std::unique_ptr<int>>& shot, int& value) {
  value = *co_await shot.wait();
}

TEST_F(OneShot, a_value_that_came_first_is_there) {
  one_shot<std::unique_ptr<int>> shot;
  auto done = shot.get_completer();
  done.set_value(std::make_unique<int>(7));
  EXPECT_TRUE(done.is_done());
  EXPECT_TRUE(shot.is_complete());
  int value = 0;
  owned task = take(shot, value);
  start(task);
  EXPECT_EQ(value, 7);
}

TEST_F(OneShot, a_value_that_comes_later_schedules_the_waiter) {
  one_shot<std::unique_ptr<int>> shot;
  auto done = shot.get_completer();
  int value = 0;
  owned task = take(shot, value);
  start(task);
  EXPECT_FALSE(shot.is_complete());
  done.set_value(std::make_unique<int>(7));
  EXPECT_EQ(value, 0);
  ex.run_all();
  EXPECT_EQ(value, 7);
}

TEST_F(OneShot, is_completed_without_a_completer_too) {
  one_shot<> shot;
  shot.set_value();
  shot.wait_blocking();
  EXPECT_TRUE(shot.is_complete());
}

TEST_F(OneShot, an_exception_is_thrown_by_the_wait) {
  one_shot<int> shot;
  shot.get_completer().set_exception(std::make_exception_ptr(std::logic_error{"no"}));
  EXPECT_THROW(shot.wait_blocking(), std::logic_error);
}

TEST_F(OneShot, what_the_constructor_of_the_value_throws_is_thrown_by_the_wait) {
  struct fails {
    explicit fails(int) { throw std::logic_error{"no"}; }
  };
  one_shot<fails> shot;
  shot.set_value(1);
  EXPECT_THROW(shot.wait_blocking(), std::logic_error);
}

TEST_F(OneShot, a_completer_that_is_dropped_is_an_error) {
  one_shot<int> shot;
  {
    const auto done = shot.get_completer();
  }
  EXPECT_THROW(shot.wait_blocking(), one_shot_dropped);
}

owned wait_limited(one_shot<int>& shot, std::stop_token stop, std::optional<int>& value,
                   bool& is_over) {
  value = co_await shot.wait(std::move(stop));
  is_over = true;
}

TEST_F(OneShot, a_call_that_was_stopped_is_no_value_or_an_error) {
  one_shot<int> shot;
  shot.set_stopped();
  std::optional<int> value;
  bool is_over = false;
  owned task = wait_limited(shot, {}, value, is_over);
  start(task);
  EXPECT_TRUE(is_over);
  EXPECT_FALSE(value.has_value());
  EXPECT_THROW(shot.wait_blocking(), one_shot_stopped);
}

TEST_F(OneShot, a_wait_that_ended_early_may_be_repeated) {
  one_shot<int> shot;
  auto done = shot.get_completer();
  std::stop_source stop;
  std::optional<int> value;
  bool is_over = false;
  owned first = wait_limited(shot, stop.get_token(), value, is_over);
  start(first);
  EXPECT_FALSE(is_over);
  stop.request_stop();
  ex.run_all();
  EXPECT_TRUE(std::exchange(is_over, false));
  EXPECT_FALSE(value.has_value());
  owned second = wait_limited(shot, {}, value, is_over);
  start(second);
  done.set_value(7);
  ex.run_all();
  EXPECT_TRUE(is_over);
  EXPECT_EQ(value, 7);
}

TEST_F(OneShot, a_value_for_one_that_is_gone_is_dropped) {
  std::optional<one_shot<int>> shot{std::in_place};
  auto done = shot->get_completer();
  shot.reset();
  done.set_value(7);
  EXPECT_TRUE(done.is_done());
}

TEST_F(OneShot, a_completer_may_move) {
  one_shot<int> shot;
  auto first = shot.get_completer();
  auto second = std::move(first);
  EXPECT_TRUE(first.is_done());  // NOLINT(bugprone-use-after-move): that is the promise.
  first = std::move(second);
  first.set_value(7);
  EXPECT_EQ(shot.wait_blocking(), 7);
}

TEST_F(OneShot, assigning_drops_the_former_one_shot) {
  one_shot<int> former;
  one_shot<int> shot;
  auto done = former.get_completer();
  done = shot.get_completer();
  EXPECT_THROW(former.wait_blocking(), one_shot_dropped);
  done.set_value(7);
  EXPECT_EQ(shot.wait_blocking(), 7);
}

TEST_F(OneShot, allocates_nothing) {
  const std::uint64_t before = testing::allocations();
  one_shot<int> shot;
  auto done = shot.get_completer();
  auto moved = std::move(done);
  moved.set_value(7);
  const int value = shot.wait_blocking();
  EXPECT_EQ(testing::allocations(), before);
  EXPECT_EQ(value, 7);
}

}  // namespace
}  // namespace hotseat
