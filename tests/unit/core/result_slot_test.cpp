// hotseat/tests/unit/core/result_slot_test.cpp — a value or an exception, once.
#include <gtest/gtest.h>

#include <concepts>
#include <exception>
#include <hotseat/core/result_slot.hpp>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace hotseat::detail {
namespace {

struct base {
  int value = 1;
};
struct derived : base {};

TEST(ResultSlot, gives_the_value_that_was_put_in) {
  result_slot<std::string> slot;
  slot.set_value("hello");
  EXPECT_FALSE(slot.has_exception());
  EXPECT_EQ(slot.take(), "hello");
}

TEST(ResultSlot, moves_the_value_in_and_out) {
  result_slot<std::unique_ptr<int>> slot;
  auto value = std::make_unique<int>(7);
  const int* const address = value.get();
  slot.set_value(std::move(value));
  EXPECT_EQ(slot.take().get(), address);
}

TEST(ResultSlot, keeps_a_reference_as_a_reference) {
  int target = 3;
  result_slot<int&> slot;
  slot.set_value(target);
  static_assert(std::same_as<decltype(slot.take()), int&>);
  EXPECT_EQ(&slot.take(), &target);
}

TEST(ResultSlot, a_reference_may_be_to_a_base) {
  derived target;
  result_slot<const base&> slot;
  slot.set_value(target);
  EXPECT_EQ(&slot.take(), &target);
}

TEST(ResultSlot, an_rvalue_reference_can_be_moved_from) {
  std::string target = "text";
  result_slot<std::string&&> slot;
  slot.set_value(std::move(target));
  const std::string taken = slot.take();
  EXPECT_EQ(taken, "text");
}

TEST(ResultSlot, makes_a_value_in_place) {
  result_slot<std::string> slot;
  slot.emplace(3U, 'a');
  EXPECT_EQ(slot.take(), "aaa");
}

TEST(ResultSlot, a_const_value_is_moved_out_like_any_other) {
  result_slot<const std::unique_ptr<int>> slot;
  auto value = std::make_unique<int>(7);
  const int* const address = value.get();
  slot.set_value(std::move(value));
  static_assert(std::same_as<decltype(slot.take()), const std::unique_ptr<int>>);
  EXPECT_EQ(slot.take().get(), address);
}

TEST(ResultSlot, several_look_at_the_value_where_it_is) {
  result_slot<std::string> slot;
  slot.set_value("hello");
  const result_slot<std::string>& seen = slot;
  static_assert(std::same_as<decltype(seen.look()), const std::string&>);
  EXPECT_EQ(seen.look(), "hello");
  EXPECT_EQ(&seen.look(), &seen.look());
  int target = 3;
  result_slot<int&> reference;
  reference.set_value(target);
  static_assert(std::same_as<decltype(reference.look()), int&>);
  EXPECT_EQ(&reference.look(), &target);
}

TEST(ResultSlot, several_are_thrown_the_same_exception) {
  result_slot<int> slot;
  result_slot<void> empty;
  const auto error = std::make_exception_ptr(std::runtime_error{"no"});
  slot.set_exception(error);
  empty.set_exception(error);
  for (int i = 0; i < 2; ++i) {
    EXPECT_THROW(static_cast<void>(slot.look()), std::runtime_error);
    EXPECT_THROW(empty.look(), std::runtime_error);
    EXPECT_EQ(slot.exception(), error);
    EXPECT_EQ(empty.exception(), error);
  }
}

TEST(ResultSlot, throws_the_exception_that_was_put_in) {
  result_slot<int> slot;
  slot.set_exception(std::make_exception_ptr(std::runtime_error{"no"}));
  EXPECT_TRUE(slot.has_exception());
  EXPECT_THROW(slot.take(), std::runtime_error);
}

TEST(ResultSlot, a_slot_for_an_exception_pointer_is_not_confused) {
  result_slot<std::exception_ptr> slot;
  slot.set_value(std::make_exception_ptr(1));
  EXPECT_FALSE(slot.has_exception());
  EXPECT_NE(slot.take(), nullptr);
}

TEST(ResultSlot, a_value_that_cannot_be_made_leaves_room_for_the_exception) {
  struct thrower {
    explicit thrower(int) { throw std::logic_error{"never"}; }
  };
  result_slot<thrower> slot;
  EXPECT_THROW(slot.set_value(1), std::logic_error);
  slot.set_exception(std::make_exception_ptr(std::runtime_error{"no"}));
  EXPECT_THROW(slot.take(), std::runtime_error);
}

TEST(ResultSlot, of_nothing_gives_nothing_or_throws) {
  result_slot<void> slot;
  slot.set_value();
  slot.take();
  EXPECT_FALSE(slot.has_exception());
  slot.set_exception(std::make_exception_ptr(std::runtime_error{"no"}));
  EXPECT_TRUE(slot.has_exception());
  EXPECT_THROW(slot.take(), std::runtime_error);
}

TEST(ResultSlot, the_exception_is_handed_on_and_not_kept) {
  struct tracked {
    std::shared_ptr<int> life;
  };
  const auto life = std::make_shared<int>(0);
  result_slot<int> slot;
  slot.set_exception(std::make_exception_ptr(tracked{life}));
  try {
    slot.take();
  } catch (const tracked&) {
  }
  EXPECT_EQ(life.use_count(), 1);
}

}  // namespace
}  // namespace hotseat::detail
