// examples/kv_server/tests/commands_server_test.cpp — what is not about data.
// The expected bytes are those of Redis 7.0.
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "exchanges.hpp"
#include "glob.hpp"

namespace kv::testing {
namespace {

TEST(Commands, those_of_the_server) {
  expect({{"PING", "+PONG|"},
          {"PING a", "$1|a|"},
          {"PING a b", "-ERR wrong number of arguments for 'ping' command|"},
          {"ECHO a", "$1|a|"},
          {"SELECT 0", "+OK|"},
          {"SELECT 1", "-ERR DB index is out of range|"},
          {"SELECT x", "-ERR value is not an integer or out of range|"},
          {"CONFIG GET save", "*2|$4|save|$0||"},
          {"CONFIG GET appendonly", "*2|$10|appendonly|$2|no|"},
          {"CONFIG GET a* save", "*4|$10|appendonly|$2|no|$4|save|$0||"},
          {"CONFIG GET x", "*0|"},
          {"CONFIG x", "-ERR unknown subcommand 'x'. Try CONFIG HELP.|"},
          {"COMMAND DOCS", "*0|"},
          {"COMMAND x", "-ERR unknown subcommand 'x'. Try COMMAND HELP.|"}});
}

TEST(Commands, those_of_a_client) {
  expect({{"CLIENT ID", ":1|"},
          {"CLIENT GETNAME", "$-1|"},
          {"CLIENT SETNAME me", "+OK|"},
          {"CLIENT GETNAME", "$2|me|"},
          {"CLIENT SETNAME 'a b'",
           "-ERR Client names cannot contain spaces, newlines or "
           "special characters.|"},
          {"CLIENT SETINFO lib-name x", "+OK|"},
          {"CLIENT x", "-ERR unknown subcommand 'x'. Try CLIENT HELP.|"},
          {"RESET", "+RESET|"},
          {"CLIENT GETNAME", "$-1|"},
          {"HELLO", "*6|$6|server|$9|kv_server|$5|proto|:2|$2|id|:1|"},
          {"HELLO 3", "-NOPROTO unsupported protocol version|"},
          {"HELLO x", "-ERR Protocol version is not an integer or out of range|"}});
}

TEST(Commands, subcommands_have_their_arity) {
  client one;
  EXPECT_EQ(one.ask("CONFIG GET\r\n"),
            "-ERR wrong number of arguments for 'config|get' command\r\n");
  EXPECT_EQ(one.ask("CLIENT SETNAME\r\n"),
            "-ERR wrong number of arguments for 'client|setname' command\r\n");
}

TEST(Commands, those_that_there_are_not) {
  expect(
      {{"FOO", "-ERR unknown command 'FOO', with args beginning with: |"},
       {"foo a 'b c'", "-ERR unknown command 'foo', with args beginning with: 'a' 'b c' |"},
       {"'' a", "-ERR unknown command '', with args beginning with: 'a' |"},
       {"foo \"a\\r\\nb\"",
        "-ERR unknown command 'foo', with args beginning with: 'a  b' |"}});
  const std::string name(20, 'x');
  client one;
  EXPECT_EQ(one.ask(name + "\r\n"),
            "-ERR unknown command '" + name + "', with args beginning with: \r\n");
  const std::string text(150, 'y');
  EXPECT_EQ(one.ask("foo " + text + " b\r\n"),
            "-ERR unknown command 'foo', with args beginning with: '" +
                text.substr(0, 128) + "' \r\n");
}

TEST(Commands, each_knows_how_many_arguments_it_takes) {
  for (const command& each : all_commands()) {
    client one;
    const std::string name{each.name};
    std::string error = "-ERR wrong number of arguments for '" + name + "' command\r\n";
    const int least = each.arity < 0 ? -each.arity : each.arity;
    const auto ask = [&](int arguments) {
      std::string request = name;
      for (int i = 1; i < arguments; ++i) request += " 1";
      return one.ask(request + "\r\n");
    };
    if (least > 1) EXPECT_EQ(ask(least - 1), error);
    if (each.arity > 0) EXPECT_EQ(ask(least + 1), error);
    EXPECT_NE(ask(least), error);
  }
}

TEST(Commands, the_table_says_what_needs_the_lock) {
  std::string reply_bytes;
  reply out{reply_bytes};
  const auto needs_lock = [&](std::string_view name, std::size_t count) {
    const std::vector<std::string_view> given(count, name);
    return find_command(given, out)->inside != nullptr;
  };
  EXPECT_TRUE(needs_lock("GET", 2));
  EXPECT_TRUE(needs_lock("dbsize", 1));
  EXPECT_TRUE(needs_lock("Work", 3));
  EXPECT_FALSE(needs_lock("PING", 1));
  EXPECT_FALSE(needs_lock("CLIENT", 2));
  EXPECT_FALSE(needs_lock("CONFIG", 3));
}

TEST(Commands, work_takes_time_inside_and_outside) {
  client one;
  const auto begin = std::chrono::steady_clock::now();
  expect(one, {{"WORK 200 300", "+OK|"}});
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::microseconds{500});
  expect(one, {{"WORK 0 0", "+OK|"},
               {"WORK -1 0", "-ERR value is not an integer or out of range|"},
               {"WORK 0 1000001", "-ERR value is not an integer or out of range|"}});
}

TEST(Commands, execute_does_all_of_a_command) {
  store data;
  std::string reply_bytes;
  reply out{reply_bytes};
  for (const std::vector<std::string_view>& each :
       {std::vector<std::string_view>{"SET", "a", "1"}, {"PING"}, {"GET", "a"}, {"GET"}}) {
    execute(data, each, out);
  }
  EXPECT_EQ(
      reply_bytes,
      "+OK\r\n+PONG\r\n$1\r\n1\r\n-ERR wrong number of arguments for 'get' command\r\n");
}

TEST(Glob, patterns) {
  struct pair {
    std::string_view pattern;
    std::string_view text;
  };
  constexpr pair matching[] = {
      {"*", ""},       {"*", "abc"},   {"a*c", "abbc"},    {"a?c", "abc"},
      {"[ab]c", "bc"}, {"[^ab]", "c"}, {"[a-c]", "b"},     {"[c-a]", "b"},
      {"\\*", "*"},    {"[\\]]", "]"}, {"**a**", "bab"},   {"", ""},
      {"a*", "a"},     {"[a-", "-"},   {"*a*b", "xaybab"}, {"a\\", "a\\"},
  };
  constexpr pair different[] = {
      {"a*c", "abcd"}, {"a?c", "ac"},   {"[ab]c", "cc"},   {"[^ab]", "a"}, {"[a-c]", "d"},
      {"\\*", "a"},    {"[\\]]", "\\"}, {"*a*b", "xayba"}, {"", "a"},      {"a*", "b"},
      {"a[", "a"},     {"?", ""},       {"ab", "a"},
  };
  for (const auto& [pattern, text] : matching) {
    EXPECT_TRUE(matches_glob(text, pattern)) << pattern << ' ' << text;
  }
  for (const auto& [pattern, text] : different) {
    EXPECT_FALSE(matches_glob(text, pattern)) << pattern << ' ' << text;
  }
}

TEST(Glob, many_stars_do_not_take_for_ever) {
  const std::string text(10'000, 'a');
  std::string pattern;
  for (int i = 0; i < 1000; ++i) pattern += "a*";
  EXPECT_FALSE(matches_glob(text, pattern + "b"));
}

}  // namespace
}  // namespace kv::testing
