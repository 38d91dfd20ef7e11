// examples/kv_server/glob.cpp — matches a pattern without recursion.
#include "glob.hpp"

#include <cstddef>
#include <utility>

namespace kv {

namespace {

/// Of a class such as "[a-z]", whose '[' stands at `at`.  Moves `at` behind it; a class
/// that is not closed goes to the end of the pattern.
bool is_in_class(char c, std::string_view pattern, std::size_t& at) noexcept {
  ++at;
  const bool is_negated = at < pattern.size() && pattern[at] == '^';
  if (is_negated) ++at;
  bool is_in = false;
  for (; at < pattern.size() && pattern[at] != ']'; ++at) {
    if (pattern[at] == '\\' && at + 1 < pattern.size()) {
      ++at;
      is_in |= pattern[at] == c;
    } else if (at + 2 < pattern.size() && pattern[at + 1] == '-') {
      auto low = static_cast<unsigned char>(pattern[at]);
      auto high = static_cast<unsigned char>(pattern[at + 2]);
      if (low > high) std::swap(low, high);
      const auto code = static_cast<unsigned char>(c);
      is_in |= low <= code && code <= high;
      at += 2;
    } else {
      is_in |= pattern[at] == c;
    }
  }
  if (at < pattern.size()) ++at;
  return is_in != is_negated;
}

/// Whether the part of the pattern at `at`, which is not '*', takes that character.
bool takes(char c, std::string_view pattern, std::size_t& at) noexcept {
  switch (pattern[at]) {
    case '?':
      ++at;
      return true;
    case '[':
      return is_in_class(c, pattern, at);
    case '\\':
      if (at + 1 < pattern.size()) ++at;
      break;
    default:
      break;
  }
  return pattern[at++] == c;
}

}  // namespace

bool matches_glob(std::string_view text, std::string_view pattern) noexcept {
  constexpr auto none = std::string_view::npos;
  std::size_t star = none;  // behind the last '*'
  std::size_t taken = 0;    // by the text up to the end of what that '*' took
  std::size_t at = 0;
  for (std::size_t i = 0; i < text.size();) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = ++at;
      taken = i;
      continue;
    }
    if (at < pattern.size() && takes(text[i], pattern, at)) {
      ++i;
      continue;
    }
    if (star == none) return false;
    at = star;
    i = ++taken;
  }
  return pattern.find_first_not_of('*', at) == none;
}

}  // namespace kv
