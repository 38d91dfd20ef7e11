// examples/kv_server/tests/resp_fuzz.cpp — any bytes, in any pieces.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "client.hpp"
#include "words.hpp"

namespace {

/// So small that the fuzzer gets to all of them.
kv::limits tight() {
  kv::limits all;
  all.request = {.most_value = 200,
                 .most_request = 500,
                 .most_line = 100,
                 .most_arguments = 20,
                 .usual_buffer = 32};
  all.most_reply = 2000;
  return all;
}

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "resp_fuzz: %s\n", what);
  std::abort();
}

/// Sizes of pieces, from 1 to 16 or of a few hundred bytes, as the input says.
class pieces {
 public:
  explicit pieces(std::uint8_t seed) : state_{seed + 1U} {}
  std::size_t next() {
    state_ = state_ * 1664525U + 1013904223U;
    const std::uint32_t drawn = state_ >> 16;
    return drawn % 8 == 0 ? 1 + drawn % 500 : 1 + drawn % 16;
  }

 private:
  std::uint32_t state_;
};

struct outcome {
  std::vector<std::vector<std::string>> commands;
  std::string error;
  bool operator==(const outcome&) const = default;
};

void take_commands(kv::request_parser& from, outcome& into) {
  kv::parsed found = from.next();
  for (; found == kv::parsed::command; found = from.next()) {
    into.commands.emplace_back(from.arguments().begin(), from.arguments().end());
    require(!into.commands.back().empty(), "a command has a name");
  }
  if (found == kv::parsed::error) into.error = from.error();
}

/// Pieces of the size of the room, or smaller ones.
outcome parse(std::string_view bytes, pieces* cuts) {
  kv::request_parser parser{tight().request};
  outcome all;
  take_commands(parser, all);
  while (!bytes.empty() && all.error.empty()) {
    const std::span<char> room = parser.room();
    require(!room.empty(), "there is room");
    std::size_t count = std::min(room.size(), bytes.size());
    if (cuts != nullptr) count = std::min(count, cuts->next());
    std::copy_n(bytes.begin(), count, room.begin());
    parser.received(count);
    bytes.remove_prefix(count);
    take_commands(parser, all);
  }
  return all;
}

/// Moves behind one reply; false if there is none, or it is not well-formed.
bool skip_reply(std::string_view& replies, int depth) {
  const std::size_t line_end = replies.find("\r\n");
  if (line_end == std::string_view::npos || depth > 3) return false;
  const std::string_view line = replies.substr(0, line_end);
  replies.remove_prefix(line_end + 2);
  if (line.empty() || line.find_first_of("\r\n") != std::string_view::npos) return false;
  if (line[0] == '+' || line[0] == '-') return true;
  const auto number = kv::to_integer(line.substr(1));
  if (!number) return false;
  if (line[0] == ':') return true;
  if (line[0] == '$') {
    if (*number == -1) return true;
    const auto size = static_cast<std::size_t>(*number);
    if (*number < 0 || replies.size() < size + 2) return false;
    if (replies.substr(size, 2) != "\r\n") return false;
    replies.remove_prefix(size + 2);
    return true;
  }
  if (line[0] != '*' || *number < -1) return false;
  for (std::int64_t i = 0; i < *number; ++i) {
    if (!skip_reply(replies, depth + 1)) return false;
  }
  return true;
}

/// WORK takes time and does nothing.  Nothing is executed after QUIT.
bool is_worth_executing(outcome& all) {
  for (std::size_t i = 0; i < all.commands.size(); ++i) {
    const std::string& name = all.commands[i][0];
    if (kv::is_word(name, "work")) return false;
    if (kv::is_word(name, "quit")) {
      all.commands.resize(i + 1);
      all.error.clear();
    }
  }
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  pieces cuts{data[0]};
  const std::string bytes(data + 1, data + size);
  outcome whole = parse(bytes, nullptr);
  require(parse(bytes, &cuts) == whole, "cuts do not change what is parsed");
  if (!is_worth_executing(whole)) return 0;

  kv::testing::client at_once{tight()};
  const std::string replies = at_once.ask(bytes);
  std::string_view left = replies;
  const std::size_t expected = whole.commands.size() + (whole.error.empty() ? 0 : 1);
  for (std::size_t i = 0; i < expected; ++i) {
    require(skip_reply(left, 0), "each command has a well-formed reply");
  }
  require(left.empty(), "there is nothing but replies");

  kv::testing::client in_pieces{tight(), 1 + data[0] % 32U};
  require(in_pieces.ask(bytes) == replies, "cuts do not change the replies");
  require(in_pieces.data.size() == at_once.data.size(), "cuts do not change the data");
  return 0;
}
