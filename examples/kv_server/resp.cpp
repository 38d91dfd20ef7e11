// examples/kv_server/resp.cpp — arrays of bulk strings, inline commands, and the buffer.
#include "resp.hpp"

#include "numbers.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>

namespace kv {

namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\v' || c == '\f' || c == '\r';
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

char escaped(char c) {
  switch (c) {
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case 'b':
      return '\b';
    case 'a':
      return '\a';
    default:
      return c;
  }
}

/// Decodes one word into its own place: it only gets shorter.  Returns where the decoded
/// word ends, and moves `from` behind the word; null if a quote is not closed.
char* decode_word(char*& from, char* const last) {
  char* into = from;
  char quote = 0;
  while (from != last) {
    const char c = *from++;
    if (quote == 0) {
      if (is_blank(c)) return into;
      if (c == '"' || c == '\'') {
        quote = c;
        continue;
      }
    } else if (c == quote) {
      // Nothing but a blank may follow a closing quote.
      if (from != last && !is_blank(*from)) return nullptr;
      return into;
    } else if (c == '\\' && quote == '"' && last - from >= 3 && from[0] == 'x' &&
               hex_digit(from[1]) >= 0 && hex_digit(from[2]) >= 0) {
      *into++ = static_cast<char>(hex_digit(from[1]) * 16 + hex_digit(from[2]));
      from += 3;
      continue;
    } else if (c == '\\' && quote == '"' && from != last) {
      *into++ = escaped(*from++);
      continue;
    } else if (c == '\\' && quote == '\'' && from != last && *from == '\'') {
      *into++ = *from++;
      continue;
    }
    *into++ = c;
  }
  return quote == 0 ? into : nullptr;
}

/// Of a header: "*3\r\n", "$11\r\n".
std::optional<std::int64_t> number_of(std::string_view line) {
  if (!line.ends_with("\r\n")) return std::nullopt;
  line.remove_suffix(2);
  return line.empty() ? std::nullopt : to_integer(line.substr(1));
}

}  // namespace

request_parser::request_parser(const request_limits& limits)
    : limits_{limits},
      bytes_{std::make_unique_for_overwrite<char[]>(limits.usual_buffer)},
      capacity_{limits.usual_buffer} {}

std::span<char> request_parser::room() {
  const std::size_t held = end_ - begin_;
  const std::size_t usual = limits_.usual_buffer;
  if (capacity_ > most_kept * usual && held <= usual / 2) {
    move_to(std::make_unique_for_overwrite<char[]>(usual), usual);
    if (arguments_.empty()) arguments_.shrink_to_fit();
  } else if (held == 0) {
    begin_ = position_ = scanned_ = end_ = 0;
  } else if (capacity_ - end_ < usual / 4) {
    make_room(held);
  }
  return {bytes_.get() + end_, capacity_ - end_};
}

/// Doubles the buffer, or moves to its front what is at most half of it: either way, as
/// many bytes must arrive before the next move.
void request_parser::make_room(std::size_t held) {
  if (held > capacity_ / 2) {
    move_to(std::make_unique_for_overwrite<char[]>(capacity_ * 2), capacity_ * 2);
  } else {
    move_to(nullptr, capacity_);
  }
}

/// To another buffer, or to the front of the present one.
void request_parser::move_to(std::unique_ptr<char[]> other, std::size_t capacity) {
  const char* const old_place = bytes_.get() + begin_;
  char* const new_place = other != nullptr ? other.get() : bytes_.get();
  for (std::string_view& each : arguments_) {
    each = {new_place + (each.data() - old_place), each.size()};
  }
  std::memmove(new_place, old_place, end_ - begin_);
  if (other != nullptr) bytes_ = std::move(other);
  capacity_ = capacity;
  end_ -= begin_;
  position_ -= begin_;
  scanned_ -= begin_;
  begin_ = 0;
}

void request_parser::begin_command() noexcept {
  is_complete_ = false;
  arguments_.clear();
  begin_ = position_;
}

parsed request_parser::next() {
  if (!error_.empty()) return parsed::error;
  if (is_complete_) begin_command();
  // Empty commands are skipped, as Redis does.
  while (arguments_left_ != 0 || position_ != end_) {
    const bool is_array = arguments_left_ != 0 || bytes_[position_] == '*';
    const parsed found = is_array ? next_array() : next_inline();
    if (found != parsed::command) return found;
    if (!arguments_.empty()) {
      is_complete_ = true;
      return parsed::command;
    }
    begin_command();
  }
  return parsed::needs_more;
}

parsed request_parser::next_array() {
  if (arguments_left_ == 0) {
    if (const parsed found = read_count(); found != parsed::command) return found;
  }
  while (arguments_left_ != 0) {
    if (const parsed found = read_argument(); found != parsed::command) return found;
  }
  return parsed::command;
}

parsed request_parser::read_count() {
  std::string_view line;
  const parsed found = take_line(line, "too big mbulk count string");
  if (found != parsed::command) return found;
  const std::optional<std::int64_t> count = number_of(line);
  if (!count || *count > static_cast<std::int64_t>(limits_.most_arguments)) {
    return fail("invalid multibulk length");
  }
  arguments_left_ = *count > 0 ? static_cast<std::size_t>(*count) : 0;
  return parsed::command;
}

parsed request_parser::read_size() {
  std::string_view line;
  const parsed found = take_line(line, "too big bulk count string");
  if (found != parsed::command) return found;
  if (line.front() != '$') {
    return fail(std::string{"expected '$', got '"} + line.front() + '\'');
  }
  const std::optional<std::int64_t> size = number_of(line);
  // Refused by its header: a value that is too big is never held.
  if (!size || *size < 0 || static_cast<std::uint64_t>(*size) > limits_.most_value) {
    return fail("invalid bulk length");
  }
  argument_size_ = static_cast<std::size_t>(*size);
  if (position_ - begin_ + argument_size_ > limits_.most_request) {
    return fail("too big request");
  }
  return parsed::command;
}

parsed request_parser::read_argument() {
  if (argument_size_ == unknown) {
    if (const parsed found = read_size(); found != parsed::command) return found;
  }
  if (end_ - position_ < argument_size_ + 2) return parsed::needs_more;
  const char* const first = bytes_.get() + position_;
  if (first[argument_size_] != '\r' || first[argument_size_ + 1] != '\n') {
    return fail("invalid bulk length");
  }
  arguments_.emplace_back(first, argument_size_);
  position_ += argument_size_ + 2;
  scanned_ = position_;
  argument_size_ = unknown;
  --arguments_left_;
  return parsed::command;
}

parsed request_parser::next_inline() {
  std::string_view line;
  const parsed found = take_line(line, "too big inline request");
  if (found != parsed::command) return found;
  char* const first = bytes_.get() + begin_;
  return split_words(first, first + line.size());
}

parsed request_parser::split_words(char* first, char* last) {
  for (;;) {
    first = std::find_if_not(first, last, is_blank);
    if (first == last) return parsed::command;
    const char* const word = first;
    const char* const word_end = decode_word(first, last);
    if (word_end == nullptr) return fail("unbalanced quotes in request");
    arguments_.emplace_back(word, static_cast<std::size_t>(word_end - word));
  }
}

/// A line with its end, which may be "\n" alone.  It then counts as understood.
parsed request_parser::take_line(std::string_view& line, std::string_view if_too_long) {
  const std::size_t most = limits_.most_line + 2;
  const char* const first = bytes_.get() + position_;
  const void* const found = std::memchr(bytes_.get() + scanned_, '\n', end_ - scanned_);
  if (found == nullptr) {
    scanned_ = end_;
    return end_ - position_ >= most ? fail(if_too_long) : parsed::needs_more;
  }
  const auto size = static_cast<std::size_t>(static_cast<const char*>(found) - first) + 1;
  if (size > most) return fail(if_too_long);
  line = {first, size};
  position_ += size;
  scanned_ = position_;
  return parsed::command;
}

parsed request_parser::fail(std::string_view why) {
  error_.assign("ERR Protocol error: ").append(why);
  return parsed::error;
}

}  // namespace kv
