// bench/tests/companion_test.cpp — the output of a rival process, right and wrong.
#include <mutex/contenders.hpp>

#include <gtest/gtest.h>

#include <stdexcept>

namespace hotseat::bench {
namespace {

TEST(Companion, a_line_of_numbers_is_read) {
  const auto numbers = parse_numbers("seconds=1.5 sections=200 jain_half=0.25\n");
  EXPECT_EQ(numbers.size(), 3);
  EXPECT_EQ(numbers.at("seconds"), 1.5);
  EXPECT_EQ(numbers.at("sections"), 200);
  EXPECT_EQ(numbers.at("jain_half"), 0.25);
}

TEST(Companion, anything_else_is_refused) {
  EXPECT_THROW(parse_numbers("panic: all goroutines are asleep"), std::runtime_error);
  EXPECT_THROW(parse_numbers("seconds=fast"), std::runtime_error);
  EXPECT_THROW(parse_numbers("seconds="), std::runtime_error);
  EXPECT_THROW(parse_numbers("seconds=1s"), std::runtime_error);
}

TEST(Companion, a_program_that_is_not_there_is_absent) {
  const mutex_contender who = companion("nobody", "contender_nobody", "not installed");
  EXPECT_EQ(who.absent, "not installed");
  EXPECT_FALSE(who.run);
}

}  // namespace
}  // namespace hotseat::bench
