// hotseat/tests/unit/explore/call_log_test.cpp — which calls come before which.
#include <gtest/gtest.h>

#include <hotseat/explore/detail/call_log.hpp>
#include <hotseat/explore/explore.hpp>
#include <hotseat/platform/seam.hpp>

#include <optional>
#include <string>

namespace hotseat::detail {
namespace {

TEST(CallLog, C1_calls_are_numbered_as_they_are_made) {
  call_log log{call_order::real_time};
  EXPECT_EQ(log.begin("a"), 0U);
  EXPECT_EQ(log.begin("b"), 1U);
  EXPECT_EQ(log.size(), 2U);
  EXPECT_EQ(log.ended(), 0U);
  log.end(1, "");
  EXPECT_EQ(log.ended(), 2U);
}

TEST(CallLog, a_call_comes_after_those_that_had_ended) {
  call_log log{call_order::real_time};
  log.begin("a");
  log.begin("b");
  log.end(0, "");
  log.begin("c");
  EXPECT_TRUE(log.can_be_next(0, 0));
  EXPECT_TRUE(log.can_be_next(1, 0));
  EXPECT_FALSE(log.can_be_next(2, 0));
  EXPECT_FALSE(log.can_be_next(2, 2));
  EXPECT_TRUE(log.can_be_next(2, 1)) << "C2: b has not ended";
  EXPECT_FALSE(log.can_be_next(2, 5)) << "it is done";
}

TEST(CallLog, by_happens_before_the_order_of_steps_does_not_count) {
  const explore_result result = explore({.schedules = 1000}, [] {
    call_log log{call_order::happens_before};
    platform::atomic<int> turn{0};
    platform::thread other{[&] {
      log.begin("a");
      log.end(log.size() - 1, "");
      turn.store(1, std::memory_order_relaxed);
    }};
    const bool is_after = turn.load(std::memory_order_relaxed) == 1;
    const std::size_t b = log.begin("b");
    if (is_after) verify(log.can_be_next(b, 0), "nothing orders them");
    other.join();
    const std::size_t c = log.begin("c");
    verify(!log.can_be_next(c, 0), "a happened before c");
    verify(log.can_be_next(c, is_after ? 1U : log.ended()), "b has not ended");
  });
  EXPECT_FALSE(result.has_failed()) << result.report;
}

TEST(CallLog, results_become_text) {
  EXPECT_EQ(to_text(true), "true");
  EXPECT_EQ(to_text(false), "false");
  EXPECT_EQ(to_text(-3), "-3");
  EXPECT_EQ(to_text(std::optional<int>{}), "nothing");
  EXPECT_EQ(to_text(std::optional{4}), "4");
  EXPECT_EQ(to_text(call_order::happens_before), "1");
  EXPECT_EQ(to_text(std::string{"x"}), "?");
}

TEST(CallLog, more_calls_than_it_can_hold_are_a_violation) {
  const explore_result result = explore({.schedules = 1, .prints = false}, [] {
    call_log log{call_order::real_time};
    for (std::size_t i = 0; i <= call_log::most_calls; ++i) log.begin("a");
  });
  EXPECT_EQ(result.failure, explore_result::kind::violation);
}

TEST(CallLog, a_call_that_ends_twice_is_a_violation) {
  const explore_result result = explore({.schedules = 1, .prints = false}, [] {
    call_log log{call_order::real_time};
    log.begin("a");
    log.end(0, "");
    log.end(0, "");
  });
  EXPECT_EQ(result.failure, explore_result::kind::violation);
}

}  // namespace
}  // namespace hotseat::detail
