// examples/kv_server/tests/resp_test.cpp — any cut gives the same commands.
#include <gtest/gtest.h>

#include "resp.hpp"

#include <support/counted_new.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kv {
namespace {

using words = std::vector<std::string>;

struct outcome {
  std::vector<words> commands;
  std::string error;
  friend bool operator==(const outcome&, const outcome&) = default;
};

void feed(request_parser& to, std::string_view bytes, outcome& into) {
  for (;;) {
    for (;;) {
      const parsed found = to.next();
      if (found == parsed::error) into.error = to.error();
      if (found != parsed::command) break;
      into.commands.emplace_back(to.arguments().begin(), to.arguments().end());
    }
    if (!into.error.empty() || bytes.empty()) return;
    const std::span<char> room = to.room();
    const std::size_t count = std::min(room.size(), bytes.size());
    std::copy_n(bytes.begin(), count, room.begin());
    to.received(count);
    bytes.remove_prefix(count);
  }
}

outcome parse(std::string_view bytes, const request_limits& limits = {}) {
  request_parser parser{limits};
  outcome found;
  feed(parser, bytes, found);
  return found;
}

/// With a buffer so small that it is moved and grows.
request_limits narrow() {
  request_limits limits;
  limits.usual_buffer = 16;
  return limits;
}

outcome parse_cut_at(std::string_view bytes, std::size_t cut,
                     const request_limits& limits = {}) {
  request_parser parser{limits};
  outcome found;
  feed(parser, bytes.substr(0, cut), found);
  feed(parser, bytes.substr(cut), found);
  return found;
}

outcome parse_in_pieces(std::string_view bytes, std::size_t piece) {
  request_parser parser;
  outcome found;
  for (std::size_t i = 0; i < bytes.size(); i += piece) {
    feed(parser, bytes.substr(i, piece), found);
  }
  return found;
}

std::string value_of(std::size_t size) { return std::string(size, 'v'); }

std::string set_of(const std::string& value) {
  return "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$" + std::to_string(value.size()) + "\r\n" + value +
         "\r\n";
}

TEST(Resp, commands_are_arrays_of_bulk_strings) {
  EXPECT_EQ(parse("*1\r\n$4\r\nPING\r\n*2\r\n$3\r\nGET\r\n$0\r\n\r\n"),
            (outcome{{{"PING"}, {"GET", ""}}, ""}));
  EXPECT_EQ(parse("*2\r\n$4\r\nECHO\r\n$6\r\n*1\r\n$1\r\n"),
            (outcome{{{"ECHO", "*1\r\n$1"}}, ""}));
}

TEST(Resp, commands_are_lines_of_words) {
  EXPECT_EQ(parse("PING\r\n  SET\ta   b \r\nGET a\n"),
            (outcome{{{"PING"}, {"SET", "a", "b"}, {"GET", "a"}}, ""}));
}

TEST(Resp, words_may_be_quoted) {
  EXPECT_EQ(parse(R"(a "b c" 'd e' "" '' f"g h")"
                  "\n"),
            (outcome{{{"a", "b c", "d e", "", "", "fg h"}}, ""}));
  EXPECT_EQ(parse(R"("\x41\x4a\n\r\t\b\a\q\"\\\x4" '\'\n\x41' \x41\n)"
                  "\n"),
            (outcome{{{"AJ\n\r\t\b\aq\"\\x4", "'\\n\\x41", "\\x41\\n"}}, ""}));
}

TEST(Resp, empty_commands_are_skipped) {
  EXPECT_EQ(parse("\r\n\n  \r\n*0\r\n*-1\r\nPING\r\n"), (outcome{{{"PING"}}, ""}));
}

TEST(Resp, errors_are_worded_as_redis_words_them) {
  struct refusal {
    std::string_view bytes;
    std::string_view error;
  };
  constexpr refusal all[] = {
      {"*x\r\n", "invalid multibulk length"},
      {"*\r\n", "invalid multibulk length"},
      {"* 1\r\n", "invalid multibulk length"},
      {"*01\r\n", "invalid multibulk length"},
      {"*1\n", "invalid multibulk length"},
      {"*1048577\r\n", "invalid multibulk length"},
      {"*99999999999999999999\r\n", "invalid multibulk length"},
      {"*1\r\n$-1\r\n", "invalid bulk length"},
      {"*1\r\n$\r\n", "invalid bulk length"},
      {"*1\r\n$4x\r\n", "invalid bulk length"},
      {"*1\r\n$8388609\r\n", "invalid bulk length"},
      {"*1\r\n$4\r\nPINGxx", "invalid bulk length"},
      {"*1\r\n+PING\r\n", "expected '$', got '+'"},
      {"*1\r\n\r\n", "expected '$', got '\r'"},
      {"set \"a\r\n", "unbalanced quotes in request"},
      {"set 'a\r\n", "unbalanced quotes in request"},
      {"set 'a'b\r\n", "unbalanced quotes in request"},
      {"set \"a\"b\r\n", "unbalanced quotes in request"},
  };
  for (const refusal& each : all) {
    const std::string after{"PING\r\n"};
    EXPECT_EQ(parse(after + std::string{each.bytes} + after),
              (outcome{{{"PING"}}, "ERR Protocol error: " + std::string{each.error}}))
        << each.bytes;
  }
}

TEST(Resp, lines_have_a_greatest_length) {
  constexpr std::size_t most = 64 << 10;
  const std::string fits = std::string(most, 'x');
  for (const std::string_view line_end : {"\r\n", "\n"}) {
    EXPECT_EQ(parse(fits + std::string{line_end}), (outcome{{{fits}}, ""}));
  }
  const outcome inline_error{{}, "ERR Protocol error: too big inline request"};
  EXPECT_EQ(parse(fits + "xx\n"), inline_error);
  EXPECT_EQ(parse(fits + "xx"), inline_error);
  EXPECT_EQ(parse('*' + fits + 'x').error,
            "ERR Protocol error: too big mbulk count string");
  EXPECT_EQ(parse("*1\r\n$" + fits + 'x').error,
            "ERR Protocol error: too big bulk count string");
}

TEST(Resp, every_cut_gives_the_same_commands) {
  const std::string_view all[] = {
      "*1\r\n$4\r\nPING\r\n*2\r\n$3\r\nGET\r\n$0\r\n\r\n",
      "*3\r\n$3\r\nSET\r\n$1\r\na\r\n$5\r\n\r\n\r\n\r\r\n*0\r\n*1\r\n$1\r\nx\r\n",
      "PING\r\n  SET a \"b c\\x41\" 'd\\'e'\r\nGET a\n\r\n*1\r\n$1\r\nx\r\n",
      "PING\r\n*1\r\n$1\r\nxyz",
      "PING\r\n*1\r\n$1\r\nx\r\n*q\r\nPING\r\n",
      "*2\r\n$3\r\nGET\r\n+x\r\n",
      "*2\r\n$3\r\nGET\r\n$-7\r\n",
      "SET 'a\r\nPING\r\n",
      "*2\r\n$3\r\nGE",
  };
  for (const std::string_view bytes : all) {
    const outcome whole = parse(bytes);
    for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
      EXPECT_EQ(parse_cut_at(bytes, cut), whole) << bytes << "\ncut at " << cut;
      EXPECT_EQ(parse_cut_at(bytes, cut, narrow()), whole) << bytes << "\ncut at " << cut;
    }
    for (std::size_t piece = 1; piece < 8; ++piece) {
      EXPECT_EQ(parse_in_pieces(bytes, piece), whole)
          << bytes << "\nin pieces of " << piece;
    }
  }
}

TEST(Resp, every_cut_of_many_commands_around_the_end_of_the_buffer) {
  std::string bytes;
  for (int i = 0; bytes.size() < (40 << 10); ++i) {
    bytes += set_of(value_of(static_cast<std::size_t>(i % 700)));
  }
  const outcome whole = parse(bytes);
  for (std::size_t cut = 0; cut < bytes.size(); cut += 97) {
    EXPECT_EQ(parse_cut_at(bytes, cut), whole) << "cut at " << cut;
  }
  for (const std::size_t piece : {1U, 3U, 1000U, 5000U, 16384U}) {
    EXPECT_EQ(parse_in_pieces(bytes, piece), whole) << "in pieces of " << piece;
  }
}

TEST(Resp, a_value_that_comes_byte_by_byte_is_read_once) {
  const std::string value = value_of(1 << 20);
  EXPECT_EQ(parse_in_pieces(set_of(value), 1), (outcome{{{"SET", "k", value}}, ""}));
  const std::string line = value_of(60 << 10);
  EXPECT_EQ(parse_in_pieces(line + "\r\n", 1), (outcome{{{line}}, ""}));
}

TEST(Resp, a_value_that_is_too_large_is_refused_by_its_header) {
  request_parser parser;
  const std::size_t before = parser.capacity();
  outcome found;
  feed(parser, "*3\r\n$3\r\nSET\r\n$1\r\na\r\n$536870912\r\n", found);
  EXPECT_EQ(found.error, "ERR Protocol error: invalid bulk length");
  EXPECT_EQ(parser.capacity(), before);
}

TEST(Resp, a_value_that_is_announced_takes_no_memory) {
  request_parser parser;
  const std::size_t before = parser.capacity();
  outcome found;
  feed(parser, "*3\r\n$3\r\nSET\r\n$1\r\na\r\n$8388608\r\n", found);
  EXPECT_EQ(parser.next(), parsed::needs_more);
  EXPECT_FALSE(parser.room().empty());
  EXPECT_EQ(parser.capacity(), before);
}

TEST(Resp, a_request_has_a_greatest_size) {
  request_limits small;
  small.most_request = 100;
  EXPECT_EQ(parse(set_of(value_of(60)), small).commands.size(), 1U);
  EXPECT_EQ(parse(set_of(value_of(90)), small).error,
            "ERR Protocol error: too big request");
}

TEST(Resp, a_million_arguments) {
  constexpr std::size_t count = 1 << 20;
  std::string bytes = "*1048576\r\n";
  for (std::size_t i = 0; i < count; ++i) bytes += "$1\r\nx\r\n";
  const outcome found = parse(bytes);
  ASSERT_EQ(found.commands.size(), 1U);
  EXPECT_EQ(found.commands[0], words(count, "x"));
}

TEST(Resp, memory_of_a_large_value_is_given_back) {
  request_parser parser;
  const std::size_t usual = parser.capacity();
  outcome found;
  // The first bytes of the next command have come, too.
  feed(parser, set_of(value_of(1 << 20)) + "*1\r\n$4\r\nPI", found);
  EXPECT_GT(parser.capacity(), usual);
  EXPECT_FALSE(parser.room().empty());
  EXPECT_EQ(parser.capacity(), usual);
  feed(parser, "NG\r\n", found);
  EXPECT_EQ(found.commands.back(), words{"PING"});
}

TEST(Resp, nothing_is_allocated_for_a_command) {
  request_parser parser;
  const std::string bytes = set_of(value_of(100)) + "SET 'a' \"b\\n\"\r\n";
  std::size_t commands = 0;
  const auto round = [&] {
    for (std::size_t i = 0; i < bytes.size(); i += 7) {
      const std::string_view some = std::string_view{bytes}.substr(i, 7);
      const std::span<char> room = parser.room();
      std::copy(some.begin(), some.end(), room.begin());
      parser.received(some.size());
      while (parser.next() == parsed::command) ++commands;
    }
  };
  round();
  const std::uint64_t before = hotseat::testing::allocations();
  for (int i = 0; i < 1000; ++i) round();
  EXPECT_EQ(hotseat::testing::allocations() - before, 0U);
  EXPECT_EQ(commands, 2002U);
}

}  // namespace
}  // namespace kv
