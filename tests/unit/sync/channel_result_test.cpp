// hotseat/tests/unit/sync/channel_result_test.cpp — what a limited send or receive returns.
#include <gtest/gtest.h>

#include <concepts>
#include <hotseat/sync/channel_result.hpp>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace hotseat {
namespace {

static_assert(std::convertible_to<send_result, bool>);
static_assert(!std::is_constructible_v<int, send_result>, "it is not a number");
static_assert(!std::convertible_to<receive_result<int>, bool>);
static_assert(std::is_constructible_v<bool, receive_result<int>>);

TEST(SendResult, says_whether_the_value_was_sent_and_why_not) {
  const send_result sent{channel_status::success};
  EXPECT_TRUE(sent);
  EXPECT_FALSE(sent.is_closed());
  const send_result refused{channel_status::closed};
  EXPECT_FALSE(refused);
  EXPECT_TRUE(refused.is_closed());
  const send_result late{channel_status::left};
  EXPECT_FALSE(late);
  EXPECT_FALSE(late.is_closed());
  EXPECT_EQ(late.status(), channel_status::left);
}

TEST(ReceiveResult, reads_like_an_optional) {
  using text = std::unique_ptr<std::pair<int, int>>;
  receive_result<text> result{std::make_unique<std::pair<int, int>>(1, 2),
                              channel_status::success};
  ASSERT_TRUE(result);
  EXPECT_TRUE(result.has_value());
  EXPECT_EQ((*result)->second, 2);
  EXPECT_EQ(result->get(), (*result).get());
  EXPECT_EQ(std::as_const(result)->get(), (*std::as_const(result)).get());
  const text value = *std::move(result);
  EXPECT_EQ(value->first, 1);
}

TEST(ReceiveResult, gives_the_optional_away) {
  EXPECT_EQ((receive_result<int>{3, channel_status::success}.take()), 3);
  EXPECT_EQ((receive_result<int>{std::nullopt, channel_status::left}.take()), std::nullopt);
}

TEST(ReceiveResult, says_why_there_is_nothing) {
  const receive_result<int> late{std::nullopt, channel_status::left};
  EXPECT_FALSE(late);
  EXPECT_FALSE(late.is_closed());
  const receive_result<int> over{std::nullopt, channel_status::closed};
  EXPECT_FALSE(over.has_value());
  EXPECT_TRUE(over.is_closed());
  EXPECT_EQ(over.status(), channel_status::closed);
}

TEST(ReceiveManyResult, says_how_many_and_why_there_are_none) {
  const receive_many_result some{3, channel_status::success};
  EXPECT_TRUE(some);
  EXPECT_EQ(some.count(), 3U);
  EXPECT_FALSE(some.is_closed());
  const receive_many_result late{0, channel_status::left};
  EXPECT_FALSE(late);
  EXPECT_FALSE(late.is_closed());
  const receive_many_result over{0, channel_status::closed};
  EXPECT_EQ(over.count(), 0U);
  EXPECT_TRUE(over.is_closed());
  EXPECT_EQ(over.status(), channel_status::closed);
}

}  // namespace
}  // namespace hotseat
