// hotseat/tests/unit/sync/once_flag_test.cpp — whose turn it is to do something once.
// How it is used is in tests/unit/task/call_once_test.cpp.
#include <gtest/gtest.h>

#include <concepts>
#include <hotseat/sched/handoff.hpp>
#include <hotseat/sync/once_flag.hpp>
#include <string>
#include <support/gate_kinds.hpp>
#include <support/manual_executor.hpp>
#include <support/probes.hpp>
#include <type_traits>

namespace hotseat {
namespace {

using testing::manual_executor;
using testing::owned;

static_assert(std::same_as<once_flag, basic_once_flag<handoff::exchange>>);

/// Notes its name in capitals if it is its turn; somebody else ends it.
template <class Handoff>
owned enter(basic_once_flag<Handoff>& flag, std::string& log, char name) {
  const bool is_our_turn = co_await flag.enter();
  log += is_our_turn ? static_cast<char>(name - 'a' + 'A') : name;
}

template <class Handoff>
class OnceFlag : public ::testing::Test {
 protected:
  void start(owned& task) {
    task.start_on(ex);
    ex.run_all();
  }
  basic_once_flag<Handoff> flag;
  manual_executor ex{2};
  std::string log;
};
TYPED_TEST_SUITE(OnceFlag, testing::handoffs);

TYPED_TEST(OnceFlag, is_constant_initialized) {
  static constinit basic_once_flag<TypeParam> constant;
  EXPECT_FALSE(constant.is_done());
}

TYPED_TEST(OnceFlag, the_first_to_come_has_the_turn_and_does_not_suspend) {
  owned a = enter(this->flag, this->log, 'a');
  a.start_on(this->ex);
  ASSERT_TRUE(this->ex.step());
  EXPECT_EQ(this->log, "A");
  EXPECT_FALSE(this->flag.is_done());
  this->flag.succeed_dispatch();
  EXPECT_TRUE(this->flag.is_done());
}

TYPED_TEST(OnceFlag, the_others_wait_until_it_is_done) {
  owned a = enter(this->flag, this->log, 'a');
  owned b = enter(this->flag, this->log, 'b');
  owned c = enter(this->flag, this->log, 'c');
  for (owned* const task : {&a, &b, &c}) this->start(*task);
  EXPECT_EQ(this->log, "A");
  this->flag.succeed_dispatch();
  this->ex.run_all();
  EXPECT_EQ(this->log, "Abc");
  owned d = enter(this->flag, this->log, 'd');
  d.start_on(this->ex);
  ASSERT_TRUE(this->ex.step());
  EXPECT_EQ(this->log, "Abcd");
}

TYPED_TEST(OnceFlag, after_a_failure_the_oldest_has_the_turn) {
  owned a = enter(this->flag, this->log, 'a');
  owned b = enter(this->flag, this->log, 'b');
  owned c = enter(this->flag, this->log, 'c');
  for (owned* const task : {&a, &b, &c}) this->start(*task);
  this->flag.fail_dispatch();
  this->ex.run_all();
  EXPECT_EQ(this->log, "AB");
  this->flag.succeed_dispatch();
  this->ex.run_all();
  EXPECT_EQ(this->log, "ABc");
}

TYPED_TEST(OnceFlag, after_a_failure_that_nobody_saw_the_next_to_come_has_the_turn) {
  owned a = enter(this->flag, this->log, 'a');
  owned b = enter(this->flag, this->log, 'b');
  this->start(a);
  this->flag.fail_dispatch();
  this->start(b);
  EXPECT_EQ(this->log, "AB");
  this->flag.succeed_dispatch();
}

TYPED_TEST(OnceFlag, the_hand_off_says_who_continues_here) {
  owned a = enter(this->flag, this->log, 'a');
  owned b = enter(this->flag, this->log, 'b');
  owned c = enter(this->flag, this->log, 'c');
  for (owned* const task : {&a, &b, &c}) this->start(*task);
  auto operation = this->flag.succeed();
  owned end = testing::release_and_note(operation, this->log, '.');
  end.start_on(this->ex);
  ASSERT_TRUE(this->ex.step(1));
  if (std::is_same_v<TypeParam, handoff::exchange>) {
    EXPECT_EQ(this->log, "Ab");
    ASSERT_EQ(this->ex.ready().size(), 2U);
    EXPECT_EQ(this->ex.ready()[1].task, end.handle());
  } else if (std::is_same_v<TypeParam, handoff::dispatch>) {
    EXPECT_EQ(this->log, "A.");
  } else {
    EXPECT_EQ(this->log, "Abc.");
  }
  this->ex.run_all();
}

}  // namespace
}  // namespace hotseat
