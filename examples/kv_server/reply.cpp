// examples/kv_server/reply.cpp — simple strings, errors, integers, bulk strings, arrays.
#include "reply.hpp"

#include "numbers.hpp"

#include <algorithm>
#include <array>

namespace kv {

namespace {

constexpr std::string_view line_end = "\r\n";

}  // namespace

void reply::error(std::string_view text) {
  const std::size_t first = into_.size();
  line('-', text);
  std::replace_if(
      into_.begin() + static_cast<std::ptrdiff_t>(first),
      into_.end() - static_cast<std::ptrdiff_t>(line_end.size()),
      [](char c) { return c == '\r' || c == '\n'; }, ' ');
}

void reply::wrong_type() {
  error("WRONGTYPE Operation against a key holding the wrong kind of value");
}

void reply::wrong_arity(std::string_view command) {
  error(std::string{"ERR wrong number of arguments for '"}.append(command).append(
      "' command"));
}

void reply::integer(std::int64_t value) { header(':', value); }

void reply::array(std::size_t count) { header('*', static_cast<std::int64_t>(count)); }

void reply::bulk(std::string_view value) {
  header('$', static_cast<std::int64_t>(value.size()));
  append(value);
  append(line_end);
}

void reply::score(double value) { bulk(number_text{value}.view()); }

void reply::header(char kind, std::int64_t value) { line(kind, number_text{value}.view()); }

void reply::line(char kind, std::string_view text) {
  append({&kind, 1});
  append(text);
  append(line_end);
}

void reply::append(std::string_view text) {
  if (into_.size() - begin_ + text.size() > most_) throw reply_too_large{};
  into_.append(text);
}

}  // namespace kv
