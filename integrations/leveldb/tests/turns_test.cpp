// hotseat/rebound/tests/turns_test.cpp — fibers that find all locks free take turns.
#include <drive/crew.hpp>
#include <hotseat/rebound/contenders.hpp>
#include <hotseat/rebound/turns.hpp>
#include <tests/borrowed_mutex.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <latch>
#include <string>

namespace hotseat::rebound {
namespace {

class Turns : public ::testing::TestWithParam<std::string> {
 protected:
  /// Two fibers on one worker, which waits until both are there.
  static void run_two(const std::function<void(std::size_t)>& body) {
    std::latch are_there{1};
    run_crew(
        {.kind = runs_on::fibers, .size = 2, .workers = 1},
        [&](std::size_t number) {
          are_there.wait();
          body(number);
        },
        [&] { are_there.count_down(); });
  }
  void enter_and_leave(borrowed_mutex& mutex) const {
    verbs.lock(mutex.get());
    verbs.unlock(mutex.get());
  }

  const lock_verbs& verbs = contender_named(GetParam());
};

TEST_P(Turns, end_though_all_locks_are_free) {
  std::array<borrowed_mutex, 2> own;
  std::array<bool, 2> has_started{};
  run_two([&](std::size_t number) {
    has_started[number] = true;
    // The other fiber came from outside: the worker looks for it when the first turn ends.
    for (std::uint32_t i = 0; i < 2 * sections_in_a_turn && !has_started[1 - number]; ++i) {
      enter_and_leave(own[number]);
    }
    EXPECT_TRUE(has_started[1 - number]);
  });
}

TEST_P(Turns, do_not_end_inside_another_section) {
  borrowed_mutex outer;
  std::array<borrowed_mutex, 2> own;
  std::array<std::uint32_t, 2> sections{};
  run_two([&](std::size_t number) {
    verbs.lock(outer.get());
    const std::uint32_t of_the_other = sections[1 - number];
    for (std::uint32_t i = 0; i < 2 * sections_in_a_turn; ++i) {
      enter_and_leave(own[number]);
      ++sections[number];
    }
    EXPECT_EQ(sections[1 - number], of_the_other);
    verbs.unlock(outer.get());
  });
}

INSTANTIATE_TEST_SUITE_P(All, Turns,
                         ::testing::Values("dispatch", "resume_inline", "exchange"),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace hotseat::rebound
