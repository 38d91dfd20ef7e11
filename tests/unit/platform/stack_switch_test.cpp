// hotseat/tests/unit/platform/stack_switch_test.cpp — from stack to stack, also across
// threads and out of an exception handler.
#include <gtest/gtest.h>

#include <cstddef>
#include <exception>
#include <hotseat/platform/memory.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/platform/stack_switch.hpp>
#include <stdexcept>
#include <string>
#include <support/threads.hpp>
#include <vector>

namespace hotseat {
namespace {

using platform::parked_stack;

/// A function on a stack of its own, which the test enters and which switches back itself.
class strand {
 public:
  using function = void (*)(strand& self);

  explicit strand(function body) : body_{body} {
    platform::prepare_stack(inside_, stack_.lowest, stack_.bytes, &run, this);
  }
  strand(const strand&) = delete;
  strand& operator=(const strand&) = delete;
  ~strand() {
    platform::forget_stack(inside_);
    platform::give_stack(stack_);
  }

  void enter() { platform::switch_stacks(outside_, inside_); }
  void leave() { platform::switch_stacks(inside_, outside_); }
  [[nodiscard]] bool is_over() const { return is_over_; }
  [[nodiscard]] const platform::guarded_stack& stack() const { return stack_; }

  std::vector<std::string> log;

 private:
  static void run(void* argument) noexcept {
    auto& self = *static_cast<strand*>(argument);
    self.body_(self);
    self.is_over_ = true;
    platform::leave_stack(self.inside_, self.outside_);
  }

  function body_;
  platform::guarded_stack stack_ =
      platform::take_stack(std::size_t{128} << 10U);  // For sanitizers, too.
  parked_stack inside_;
  parked_stack outside_;
  bool is_over_ = false;
};

TEST(StackSwitch, the_entry_runs_on_the_stack_it_was_given) {
  strand other{[](strand& self) {
    const bool is_there = self.stack().holds(platform::stack_position());
    self.log.emplace_back(is_there ? "there" : "elsewhere");
  }};
  other.enter();
  EXPECT_EQ(other.log, std::vector<std::string>{"there"});
  EXPECT_FALSE(other.stack().holds(platform::stack_position()));
  EXPECT_TRUE(other.is_over());
}

TEST(StackSwitch, locals_stay_where_they_are) {
  strand other{[](strand& self) {
    for (int i = 0; i < 3; ++i) {
      self.log.push_back(std::to_string(i));
      self.leave();
    }
  }};
  for (int i = 0; i < 3; ++i) {
    other.enter();
    EXPECT_EQ(other.log.size(), static_cast<std::size_t>(i) + 1);
    EXPECT_FALSE(other.is_over());
  }
  other.enter();
  EXPECT_TRUE(other.is_over());
  EXPECT_EQ(other.log.back(), "2");
}

TEST(StackSwitch, a_stack_that_was_left_on_one_thread_goes_on_on_another) {
  strand other{[](strand& self) {
    self.log.emplace_back("first");
    self.leave();
    self.log.emplace_back("second");
  }};
  other.enter();
  testing::on_another_thread([&] { other.enter(); });
  EXPECT_TRUE(other.is_over());
  EXPECT_EQ(other.log, (std::vector<std::string>{"first", "second"}));
}

void fail_and_leave_while_handling(strand& self) {
  try {
    throw std::runtime_error{"inside"};
  } catch (const std::exception&) {
    self.leave();
    try {
      throw;  // Whatever this stack is handling, whatever was thrown elsewhere meanwhile.
    } catch (const std::exception& again) {
      self.log.emplace_back(again.what());
    }
  }
  self.log.emplace_back(std::current_exception() == nullptr ? "none" : "some");
}

TEST(StackSwitch, an_exception_that_is_being_handled_stays_with_its_stack) {
  strand other{&fail_and_leave_while_handling};
  try {
    throw std::runtime_error{"outside"};
  } catch (const std::exception&) {
    other.enter();
    try {
      throw;
    } catch (const std::exception& again) {
      EXPECT_STREQ(again.what(), "outside");
    }
  }
  EXPECT_EQ(std::current_exception(), nullptr);
  testing::on_another_thread([&] { other.enter(); });
  EXPECT_EQ(other.log, (std::vector<std::string>{"inside", "none"}));
}

TEST(StackSwitch, a_stack_that_was_never_entered_can_be_forgotten) {
  const strand other{[](strand&) {}};
  EXPECT_FALSE(other.is_over());
}

}  // namespace
}  // namespace hotseat
