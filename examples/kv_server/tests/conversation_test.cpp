// examples/kv_server/tests/conversation_test.cpp — what it holds at most, and when it ends.
#include <gtest/gtest.h>

#include <support/counted_new.hpp>

#include <cstddef>
#include <string>

#include "exchanges.hpp"

namespace kv::testing {
namespace {

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

TEST(Conversation, a_pipeline_is_answered_in_order_however_it_is_cut) {
  const std::string pipeline =
      "SET a 1\r\nGET a\r\nPING\r\n*2\r\n$4\r\nINCR\r\n$1\r\na\r\nGET\r\nGET a\r\n";
  client whole;
  const std::string replies = whole.ask(pipeline);
  EXPECT_EQ(replies, with_line_ends("+OK|$1|1|+PONG|:2|-ERR wrong number of arguments for "
                                    "'get' command|$1|2|"));
  for (std::size_t piece = 1; piece < pipeline.size(); ++piece) {
    client cut{{}, piece};
    EXPECT_EQ(cut.ask(pipeline), replies) << "in pieces of " << piece;
  }
}

TEST(Conversation, the_replies_of_a_batch_are_written_together) {
  client one;
  one.ask("PING\r\nGET a\r\nPING\r\n");
  EXPECT_EQ(one.most_unwritten, with_line_ends("+PONG|$-1|+PONG|").size());
}

TEST(Conversation, a_million_commands_in_a_pipeline_take_little_memory) {
  constexpr std::size_t count = 1'000'000;
  client one;
  EXPECT_EQ(one.ask(repeated("PING\r\n", count)), repeated("+PONG\r\n", count));
  EXPECT_LE(one.most_unwritten, std::size_t{65} << 10);
}

TEST(Conversation, large_replies_are_written_one_by_one) {
  client one;
  const std::string value(100'000, 'v');
  one.ask("*3\r\n$3\r\nSET\r\n$1\r\na\r\n$100000\r\n" + value + "\r\n");
  one.most_unwritten = 0;
  EXPECT_EQ(one.ask(repeated("GET a\r\n", 10)),
            repeated("$100000\r\n" + value + "\r\n", 10));
  EXPECT_LE(one.most_unwritten, value.size() + 20);
}

TEST(Conversation, a_reply_has_a_greatest_size) {
  limits small;
  small.most_reply = 1000;
  client one{small};
  one.ask("SET a " + std::string(600, 'v') + "\r\n");
  expect(one, {{"MGET a a", "-ERR reply is too large|"}, {"PING", "+PONG|"}});
  EXPECT_EQ(one.ask("PING\r\nMGET a a\r\nPING\r\n"),
            with_line_ends("+PONG|-ERR reply is too large|+PONG|"));
  EXPECT_EQ(one.ask("GET a\r\nGET a\r\n").size(), 2 * 608U);
}

TEST(Conversation, quit_ends_it_after_the_answer) {
  client one;
  EXPECT_EQ(one.ask("PING\r\nQUIT\r\nPING\r\n"), with_line_ends("+PONG|+OK|"));
  EXPECT_TRUE(one.is_over);
}

TEST(Conversation, a_breach_of_the_protocol_ends_it_after_an_error) {
  client one;
  EXPECT_EQ(one.ask("PING\r\n*1\r\n\r\nPING\r\n"),
            with_line_ends("+PONG|-ERR Protocol error: expected '$', got ' '|"));
  EXPECT_TRUE(one.is_over);
}

TEST(Conversation, one_that_is_ended_still_says_what_it_has_to) {
  conversation talk{1, {}};
  const std::string_view request = "PING\r\nGET a\r\n";
  std::copy(request.begin(), request.end(), talk.room().begin());
  talk.received(request.size());
  EXPECT_EQ(talk.next(), step::execute);
  talk.end();
  EXPECT_EQ(talk.next(), step::write);
  EXPECT_EQ(talk.unwritten(), "+PONG\r\n");
  talk.written(3);
  EXPECT_EQ(talk.next(), step::write);
  EXPECT_EQ(talk.unwritten(), "NG\r\n");
  talk.written(4);
  EXPECT_EQ(talk.next(), step::end);
}

TEST(Conversation, nothing_is_allocated_for_a_command) {
  client one;
  const std::string pipeline =
      "SET a 1234\r\nGET a\r\n*2\r\n$4\r\nINCR\r\n$1\r\na\r\nPING\r\nEXISTS b\r\n"
      "SET l x EX 10\r\nMGET a l\r\n";
  const std::string_view request = pipeline;
  const auto round = [&] {
    for (step next = step::end; next != step::read;) {
      next = one.talk.next();
      if (next == step::execute) {
        one.talk.execute(one.data);
        one.talk.finish();
      } else if (next == step::write) {
        one.talk.written(one.talk.unwritten().size());
      }
    }
    std::copy(request.begin(), request.end(), one.talk.room().begin());
    one.talk.received(request.size());
  };
  round();
  round();
  const std::uint64_t before = hotseat::testing::allocations();
  for (int i = 0; i < 100; ++i) round();
  // A new expiry is a new node.
  EXPECT_EQ(hotseat::testing::allocations() - before, 100U);
}

}  // namespace
}  // namespace kv::testing
